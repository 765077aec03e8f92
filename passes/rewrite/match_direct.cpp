// Matches without search, for most patterns: see match_direct_internal.h.
#include "fx/passes/rewrite/match_direct_internal.h"

#include <algorithm>

namespace fx::rewrite {

DirectMatcher::DirectMatcher(const CompiledPattern& pattern)
    : pattern_(pattern), is_usable_(is_direct(pattern)), found_(pattern.nodes.size()) {}

bool DirectMatcher::is_direct(const CompiledPattern& pattern) {
  const PatternOptions& options = pattern.options;
  if (pattern.has_choices || pattern.has_types || pattern.anchors.size() != 1 ||
      pattern.returned.size() != 1 || options.match_output || options.match_placeholder ||
      options.ignore_literals || options.distinct_placeholders)
    return false;
  size_t num_calls = 0;
  for (const PatternNode& node : pattern.nodes) {
    if (node.kind == PatternNode::Kind::kInput) {
      if (node.input > InputKind::kValue || node.is_rest) return false;
      continue;
    }
    if (node.kind != PatternNode::Kind::kExact || node.is_kept || ++num_calls > kMaxCalls)
      return false;
    for (uint32_t i = 0; i < node.num_args + node.num_kwargs; ++i) {
      const PatternValue& value =
          pattern.values[i < node.num_args ? node.args + i : node.kwargs + i - node.num_args];
      if (value.kind == PatternValue::Kind::kNode) continue;
      if (value.kind != PatternValue::Kind::kLiteral || is_aggregate(value.literal.kind()) ||
          value.literal.kind() == ArgumentKind::kGraph)
        return false;
    }
  }
  return true;
}

inline bool DirectMatcher::is_matched(const Node& node) const {
  return std::find(calls_, calls_ + num_calls_, &node) != calls_ + num_calls_;
}

/// Adds the node as the match of a call of the pattern. Returns false if their targets differ, or
/// if the node already matches a different call of the pattern.
inline bool DirectMatcher::add_match(uint32_t index, Node& node) {
  const PatternNode& expected = pattern_.nodes[index];
  if (node.op() != expected.op || target_key(node) != expected.target || is_matched(node))
    return false;
  found_[index] = &node;
  indexes_[num_calls_] = index;
  calls_[num_calls_++] = &node;
  return true;
}

inline DirectMatcher::Verdict DirectMatcher::match_value(const PatternValue& value,
                                                         const ArgumentRef& found) {
  const auto verdict = [](bool is_good) { return is_good ? Verdict::kYes : Verdict::kNo; };
  Node* const node = found.node();
  if (value.kind == PatternValue::Kind::kLiteral) {
    return verdict(
        !node && literal_equal(value.literal, Argument(found), true, pattern_.options.extensions));
  }
  // A placeholder may match a constant: the search compares constants.
  if (!node) {
    return pattern_.nodes[value.index].kind == PatternNode::Kind::kInput ? Verdict::kUnknown
                                                                         : Verdict::kNo;
  }
  Node*& bound = found_[value.index];
  if (bound) return verdict(bound == node);
  if (pattern_.nodes[value.index].kind != PatternNode::Kind::kInput)
    return verdict(add_match(value.index, *node));
  bound = node;
  return Verdict::kYes;
}

inline DirectMatcher::Verdict DirectMatcher::match_arguments(const PatternNode& expected,
                                                             const Node& node) {
  if (node.num_args() != expected.num_args || node.num_kwargs() != expected.num_kwargs)
    return Verdict::kUnknown;
  for (uint32_t i = 0; i < expected.num_kwargs; ++i)
    if (!(node.kwarg_name(i) == pattern_.names[expected.kwarg_names + i])) return Verdict::kUnknown;
  for (uint32_t i = 0; i < expected.num_args; ++i) {
    const Verdict verdict = match_value(pattern_.values[expected.args + i], node.arg(i));
    if (verdict != Verdict::kYes) return verdict;
  }
  for (uint32_t i = 0; i < expected.num_kwargs; ++i) {
    const Verdict verdict = match_value(pattern_.values[expected.kwargs + i], node.kwarg_value(i));
    if (verdict != Verdict::kYes) return verdict;
  }
  return Verdict::kYes;
}

DirectMatcher::Verdict DirectMatcher::match(Node& root) {
  std::fill(found_.begin(), found_.end(), nullptr);
  num_calls_ = 0;
  if (!add_match(pattern_.anchors[0], root)) return Verdict::kNo;
  for (size_t i = 0; i < num_calls_; ++i) {
    const Verdict verdict = match_arguments(pattern_.nodes[indexes_[i]], *calls_[i]);
    if (verdict != Verdict::kYes) return verdict;
  }
  for (const uint32_t index : pattern_.placeholders)
    if (is_matched(*found_[index])) return Verdict::kNo;
  // Inner values must have no users outside the match. Values with one user were found through it.
  for (size_t i = 1; i < num_calls_; ++i) {
    if (calls_[i]->num_uses() == 1) continue;
    for (const Use use : calls_[i]->uses())
      if (!is_matched(*use.user())) return Verdict::kNo;
  }
  return Verdict::kYes;
}

}  // namespace fx::rewrite
