// Pairs the arguments of a pattern's call with those of a graph's call: by position, by name or by
// the schema. See match_engine_internal.h.
#include "fx/ir/calls/bind.h"
#include "fx/passes/rewrite/match_engine_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace fx::rewrite {

bool MatchEngine::push_by_name(const PatternNode& expected, Node& node) {
  for (uint32_t i = 0; i < expected.num_args; ++i)
    pairs_.emplace_back(&pattern_.values[expected.args + i], Subject(node.arg(i)));
  for (uint32_t i = 0; i < expected.num_kwargs; ++i) {
    size_t j = 0;
    while (j < node.num_kwargs() &&
           !(node.kwarg_name(j) == pattern_.names[expected.kwarg_names + i]))
      ++j;
    if (j == node.num_kwargs()) return false;
    pairs_.emplace_back(&pattern_.values[expected.kwargs + i], Subject(node.kwarg_value(j)));
  }
  return true;
}

bool MatchEngine::push_by_schema(const PatternNode& expected, Node& node) {
  bool is_good = true;  // a required argument may be missing: the default is None
  bind_arguments(expected.schema->schema(), CallArguments::of(node), call_style(*expected.schema),
                 bound_parameters_, [&](const BindProblem& problem) {
                   is_good = is_good && problem.kind == BindProblem::kMissing;
                 });
  for (uint32_t i = 0; i < expected.num_schema; ++i) {
    const uint32_t slot = expected.schema_values + i;
    const BoundParameter& bound = bound_parameters_[i];
    pairs_.emplace_back(&pattern_.values[slot], bound.is_passed()
                                                    ? Subject(argument_at(node, bound.first))
                                                    : Subject(&pattern_.defaults[slot]));
  }
  return is_good;
}

/// Decides without a goal whether a placeholder matches a node, and rejects calls to a different
/// function. The order of these tests does not matter; the order in which constants are compared
/// may, since 1 equals 1.0.
MatchEngine::Verdict MatchEngine::decide(const PatternValue& value, const ArgumentRef& found) {
  if (value.kind != PatternValue::Kind::kNode) return Verdict::kOpen;
  Node* const node = found.node();
  if (!node) return Verdict::kOpen;
  const PatternNode& expected = pattern_.nodes[value.index];
  if (is_bound_[value.index])
    return bound_[value.index].node() == node ? Verdict::kYes : Verdict::kNo;
  if (expected.kind == PatternNode::Kind::kExact)
    return same_target(expected, *node) ? Verdict::kOpen : Verdict::kNo;
  if (expected.kind != PatternNode::Kind::kInput || expected.input > InputKind::kValue ||
      pattern_.options.distinct_placeholders)
    return Verdict::kOpen;
  bind(value.index, node, 0);
  return Verdict::kYes;
}

bool MatchEngine::push_same_form(const PatternNode& expected, Node& node, uint32_t& goals) {
  const uint32_t count = expected.num_args + expected.num_kwargs;
  const auto pair = [&](uint32_t i) {
    return i < expected.num_args
               ? std::pair(&pattern_.values[expected.args + i], node.arg(i))
               : std::pair(&pattern_.values[expected.kwargs + i - expected.num_args],
                           node.kwarg_value(i - expected.num_args));
  };
  uint64_t open = ~uint64_t{0};  // by argument; all arguments beyond 64 are open
  if (!record_) {
    open = 0;
    for (uint32_t i = 0; i < std::min(count, 64u); ++i) {
      const auto [value, found] = pair(i);
      const Verdict verdict = decide(*value, found);
      if (verdict == Verdict::kNo) return false;
      if (verdict == Verdict::kOpen) open |= uint64_t{1} << i;
    }
    steps_ += count - static_cast<uint32_t>(std::popcount(open));
  }
  for (uint32_t i = count; i-- > 0;) {
    if (i < 64 && (open >> i & 1) == 0) continue;
    const auto [value, found] = pair(i);
    push(goals, *value, Subject(found));
  }
  return true;
}

bool MatchEngine::push_arguments(uint32_t index, Node& node, bool swap, uint32_t& goals) {
  const PatternNode& expected = pattern_.nodes[index];
  bool is_same_form =
      node.num_args() == expected.num_args && node.num_kwargs() == expected.num_kwargs;
  for (uint32_t i = 0; is_same_form && i < expected.num_kwargs; ++i)
    is_same_form = node.kwarg_name(i) == pattern_.names[expected.kwarg_names + i];
  if (is_same_form && !swap) return push_same_form(expected, node, goals);
  pairs_.clear();
  bool is_good = false;
  if (is_same_form ||
      (!expected.schema && pattern_.options.normalize && node.num_args() == expected.num_args &&
       node.num_kwargs() == expected.num_kwargs)) {
    is_good = push_by_name(expected, node);
  } else if (expected.schema && expected.schema == node.function().op()) {
    is_good = push_by_schema(expected, node);
  }
  if (!is_good) {
    if (!record_) return false;
    return fail(
        index, &node,
        fmt::format("it has {} positional and {} keyword arguments, or different keywords; "
                    "the pattern has {} and {}",
                    node.num_args(), node.num_kwargs(), expected.num_args, expected.num_kwargs));
  }
  if (swap && pairs_.size() >= 2) std::swap(pairs_[0].second, pairs_[1].second);
  for (size_t i = pairs_.size(); i-- > 0;) push(goals, *pairs_[i].first, pairs_[i].second);
  return true;
}

}  // namespace fx::rewrite
