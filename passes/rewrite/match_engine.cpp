// Searches for one occurrence of a pattern: see match_engine_internal.h.
#include "fx/ir/module/graph_module.h"
#include "fx/ir/module/module.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/diff.h"
#include "fx/ir/verify/hash.h"
#include "fx/passes/rewrite/match_engine_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <utility>

namespace fx::rewrite {
namespace {

constexpr uint32_t kNoGoals = kNoIndex;

bool is_sequence(ArgumentKind kind) {
  return kind == ArgumentKind::kList || kind == ArgumentKind::kTuple ||
         kind == ArgumentKind::kStruct;
}

std::string called(const Node& node) {
  return fmt::format("{} {}", opcode_name(node.op()), node.target());
}

}  // namespace

MatchEngine::MatchEngine(const CompiledPattern& pattern, const Graph& graph, NodeMarks& marks,
                         uint64_t max_steps, std::string_view anchor_name)
    : pattern_(pattern),
      graph_(graph),
      marks_(marks),
      max_steps_(max_steps),
      anchor_name_(anchor_name),
      bound_(pattern.nodes.size()),
      is_bound_(pattern.nodes.size()),
      bits_(pattern.nodes.size()),
      all_(pattern.anchors.size()),
      near_(pattern.anchors.size()),
      is_near_(pattern.anchors.size()),
      first_free_(pattern.anchors.size()) {}

bool MatchEngine::same_attribute(const PatternNode& expected, const Node& node) const {
  if (pattern_.options.attribute_paths) return expected.target == target_key(node);
  const Module* const a = pattern_.graph->owning_module();
  const Module* const b = graph_.owning_module();
  if (!a || !b) return true;
  const Attribute* const x = a->find_attribute(expected.node->target());
  const Attribute* const y = b->find_attribute(node.target());
  if (!x || !y) return false;
  return x->kind != AttributeKind::kModule && y->kind != AttributeKind::kModule &&
         (x->kind == AttributeKind::kParameter) == (y->kind == AttributeKind::kParameter);
}

bool MatchEngine::same_target(const PatternNode& expected, const Node& node) const {
  switch (expected.kind) {
    case PatternNode::Kind::kExact:
      return same_call(expected, node);
    case PatternNode::Kind::kAttribute:
      return node.op() == Opcode::kGetAttr && same_attribute(expected, node);
    case PatternNode::Kind::kCallOf:
      return node.op() == Opcode::kCallFunction &&
             (expected.functions.empty() ||
              std::ranges::find(expected.functions, node.function()) != expected.functions.end());
    case PatternNode::Kind::kModuleOf: {
      if (node.op() != Opcode::kCallModule || !graph_.owning_module()) return false;
      const Module* const module = graph_.owning_module()->find_module(node.target());
      if (!module) return false;
      const std::string_view name = module->class_name();
      return name == expected.class_name ||
             (name.ends_with(expected.class_name) &&
              name[name.size() - expected.class_name.size() - 1] == '.');
    }
    case PatternNode::Kind::kInput:
    case PatternNode::Kind::kAnyOf:
      return true;
  }
  return false;
}

bool MatchEngine::is_other_candidate(const PatternNode& expected, const Node& node) const {
  if (!anchor_name_.empty() && node.name().find(anchor_name_) != std::string::npos) return true;
  if (expected.kind != PatternNode::Kind::kAnyOf) return same_target(expected, node);
  for (uint32_t i = 0; i < expected.num_args; ++i) {
    const PatternValue& value = pattern_.values[expected.args + i];
    if (value.kind != PatternValue::Kind::kNode) continue;
    const PatternNode& alternative = pattern_.nodes[value.index];
    if (alternative.kind == PatternNode::Kind::kAnyOf || same_target(alternative, node))
      return !node.is_output();
  }
  return false;
}

void MatchEngine::start(Node& root) {
  finish();
  root_ = &root;
  is_new_ = true;
  is_out_of_steps_ = false;
  steps_ = 0;
  first_goals_ = kNoGoals;
  for (size_t k = pattern_.anchors.size(); k-- > 1;) {
    arena_.push_back({first_goals_, static_cast<uint32_t>(k), nullptr, Subject()});
    first_goals_ = static_cast<uint32_t>(arena_.size() - 1);
  }
}

void MatchEngine::finish() {
  undo(0);
  choices_.clear();
  arena_.clear();
  rests_.clear();
}

MatchEngine::Result MatchEngine::next() {
  uint32_t goals = first_goals_;
  bool is_good = std::exchange(is_new_, false) &&
                 match_node(pattern_.anchors[0], const_cast<Node&>(*root_), true, goals);
  for (;;) {
    if (!is_good && !resume(goals)) return is_out_of_steps_ ? Result::kLimit : Result::kNo;
    if (goals == kNoGoals) return Result::kYes;
    const Goal goal = arena_[goals];
    goals = goal.next;
    if (!spend(1)) is_out_of_steps_ = true;
    if (is_out_of_steps_) return Result::kLimit;
    is_good = step(goal, goals);
  }
}

void MatchEngine::cut_alternatives() {
  std::erase_if(choices_, [](const Choice& c) { return c.kind != Choice::Kind::kAnchor; });
}

bool MatchEngine::step(const Goal& goal, uint32_t& goals) {
  if (goal.anchor != kNoIndex) return begin_anchor(goal.anchor, goals);
  return match_value(*goal.value, goal.subject, goals);
}

void MatchEngine::add_choice(Choice::Kind kind, uint32_t goals, uint32_t index,
                             const Subject& subject) {
  choices_.push_back({kind, goals, static_cast<uint32_t>(arena_.size()),
                      static_cast<uint32_t>(trail_.size()), index, 0, subject});
}

/// Backtracks to the last choice point with an untried alternative.
bool MatchEngine::resume(uint32_t& goals) {
  while (!choices_.empty()) {
    if (is_out_of_steps_) return false;
    Choice& choice = choices_.back();
    undo(choice.trail);
    arena_.resize(choice.num_goals);
    goals = choice.goals;
    if (!spend(1)) is_out_of_steps_ = true;
    switch (choice.kind) {
      case Choice::Kind::kSwap: {
        const uint32_t index = choice.index;
        Node& node = *choice.subject.node;
        choices_.pop_back();
        if (push_arguments(index, node, true, goals)) return true;
        break;
      }
      case Choice::Kind::kAlternative: {
        const PatternNode& expected = pattern_.nodes[choice.index];
        const uint32_t position = choice.position++;
        const Subject subject = choice.subject;
        if (choice.position >= expected.num_args) choices_.pop_back();
        push(goals, pattern_.values[expected.args + position], subject);
        return true;
      }
      case Choice::Kind::kAnchor: {
        const uint32_t k = choice.index;
        const std::vector<Node*>& nodes = is_near_[k] ? near_[k] : all_[k];
        if (choice.position >= nodes.size()) {
          choices_.pop_back();
          break;
        }
        Node& node = *nodes[choice.position++];
        if (match_node(pattern_.anchors[k], node, true, goals)) return true;
        break;
      }
    }
  }
  return false;
}

bool MatchEngine::begin_anchor(uint32_t k, uint32_t goals) {
  is_near_[k] = collect_candidates(k);
  if (is_out_of_steps_) return false;
  add_choice(Choice::Kind::kAnchor, goals, k, Subject());
  if (!is_near_[k] && skip_taken_) {
    size_t& first = first_free_[k];
    while (first < all_[k].size() && (state(*all_[k][first]) & kTaken)) ++first;
    choices_.back().position = static_cast<uint32_t>(first);
  }
  if ((is_near_[k] ? near_[k] : all_[k]).empty())
    fail(pattern_.anchors[k], nullptr, "the graph does not have such a call");
  return false;  // the choice point also binds the first candidate
}

/// Collects the candidates of an anchor among the users of bound nodes; false if there is no path.
bool MatchEngine::collect_candidates(uint32_t k) {
  const AnchorPath& path = pattern_.anchor_paths[k];
  if (path.from == kNoIndex || !is_bound_[path.from] || !bound_[path.from].is_node() ||
      !anchor_name_.empty()) {
    return false;
  }
  std::vector<Node*>& nodes = near_[k];
  nodes.assign(1, bound_[path.from].as_node());
  std::vector<Node*> from;
  for (const uint32_t step : path.path) {
    from.swap(nodes);
    nodes.clear();
    for (const Node* node : from) {
      for (const Use use : node->uses()) {
        if (is_candidate(step, *use.user())) nodes.push_back(use.user());
        if (spend(1)) continue;
        is_out_of_steps_ = true;
        return false;
      }
    }
    std::ranges::sort(nodes, [](const Node* a, const Node* b) { return a->comes_before(*b); });
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  }
  return true;
}

bool MatchEngine::match_value(const PatternValue& value, const Subject& subject, uint32_t& goals) {
  const PatternOptions& options = pattern_.options;
  switch (value.kind) {
    case PatternValue::Kind::kNode:
      return match_reference(value.index, subject, goals);
    case PatternValue::Kind::kSequence:
      if (is_sequence(subject.kind())) return match_items(value, subject, goals);
      break;
    case PatternValue::Kind::kSlice:
      if (subject.kind() == ArgumentKind::kSlice) return match_items(value, subject, goals);
      break;
    case PatternValue::Kind::kDict:
      if (subject.kind() == ArgumentKind::kDict) return match_items(value, subject, goals);
      break;
    case PatternValue::Kind::kLiteral:
      if (subject.node) break;
      if (value.literal.kind() == ArgumentKind::kGraph && subject.kind() == ArgumentKind::kGraph) {
        if (same_graph(value.literal.as_graph(), subject.value().as_graph())) return true;
        return fail(kNoIndex, nullptr, "the nested graphs differ");
      }
      if (options.ignore_literals ||
          literal_equal(value.literal, subject.value(), true, options.extensions))
        return true;
      break;
  }
  if (options.ignore_literals && (!subject.node || options.literals_match_nodes)) return true;
  if (!record_) return false;
  return fail(kNoIndex, subject.node,
              fmt::format("expected {}, found {}", print(value.literal), describe(subject)));
}

bool MatchEngine::same_graph(uint32_t expected, uint32_t found) const {
  if (expected >= pattern_.graph->num_subgraphs() || found >= graph_.num_subgraphs()) return false;
  return structural_hash(pattern_.graph->subgraph(expected)) ==
         structural_hash(graph_.subgraph(found));
}

bool MatchEngine::match_items(const PatternValue& value, const Subject& subject, uint32_t& goals) {
  if (value.has_rest ? subject.size() + 1 < value.count : subject.size() != value.count) {
    if (!record_) return false;
    return fail(kNoIndex, nullptr,
                fmt::format("expected {}, but {} has {}", pluralize(value.count, "item"),
                            describe(subject), subject.size()));
  }
  if (value.kind == PatternValue::Kind::kDict) {
    for (uint32_t i = 0; i < value.count; ++i)
      if (!(value.literal.key(i) == subject.key(i)))
        return fail(kNoIndex, nullptr, "the keys of the dict differ");
  }
  uint32_t count = value.count;
  if (value.has_rest) {
    --count;
    std::vector<Argument> rest;
    for (size_t i = count; i < subject.size(); ++i) rest.push_back(subject.item(i).value());
    rests_.push_back(Argument::list(rest));
    push(goals, pattern_.values[value.index + count], Subject(&rests_.back()));
  }
  for (uint32_t i = count; i-- > 0;) push(goals, pattern_.values[value.index + i], subject.item(i));
  return true;
}

bool MatchEngine::match_reference(uint32_t index, const Subject& subject, uint32_t& goals) {
  const PatternNode& expected = pattern_.nodes[index];
  const PatternOptions& options = pattern_.options;
  const bool is_input = expected.op == Opcode::kPlaceholder;
  if (is_bound_[index]) {
    const Argument& bound = bound_[index];
    if (subject.node
            ? bound.node() == subject.node
            : !bound.is_node() && (is_input || expected.kind == PatternNode::Kind::kAnyOf) &&
                  literal_equal(bound, subject.value(), false, options.extensions))
      return true;
    if (!subject.node && options.ignore_literals) return true;
    if (!record_) return false;
    return fail(index, subject.node,
                fmt::format("it already matches {} and cannot also match {}", print(bound),
                            describe(subject)));
  }
  if (expected.kind == PatternNode::Kind::kAnyOf) {
    bind(index, subject.value(), 0);  // kept while other alternatives are tried
    if (expected.num_args > 1) {
      add_choice(Choice::Kind::kAlternative, goals, index, subject);
      choices_.back().position = 1;
    }
    push(goals, pattern_.values[expected.args], subject);
    return true;
  }
  if (expected.kind == PatternNode::Kind::kInput) return match_input(index, subject);
  if (subject.node) return match_node(index, *subject.node, false, goals);
  if (is_input) {
    bind(index, subject.value(), 0);
    return true;
  }
  if (options.ignore_literals && options.literals_match_nodes) return true;
  if (!record_) return false;
  return fail(index, nullptr,
              fmt::format("expected {}, found {}", called(*expected.node), describe(subject)));
}

bool MatchEngine::accepts(const InputKind kind, const Subject& subject) const {
  const ArgumentKind found = subject.kind();
  switch (kind) {
    case InputKind::kAny:
      return true;
    case InputKind::kValue:
      return found == ArgumentKind::kNode;
    case InputKind::kConstant:
      return found != ArgumentKind::kNode && !subject.value().contains_node();
    case InputKind::kInt:
      return found == ArgumentKind::kInt;
    case InputKind::kFloat:
      return found == ArgumentKind::kFloat;
    case InputKind::kNumber:
      return found == ArgumentKind::kInt || found == ArgumentKind::kFloat;
    case InputKind::kBool:
      return found == ArgumentKind::kBool;
    case InputKind::kString:
      return found == ArgumentKind::kString;
    case InputKind::kList:
      return is_sequence(found);
  }
  return false;
}

bool MatchEngine::match_input(uint32_t index, const Subject& subject) {
  const PatternNode& expected = pattern_.nodes[index];
  if (!accepts(expected.input, subject)) {
    return record_ &&
           fail(index, subject.node,
                fmt::format("its `match` does not accept the kind of {}", describe(subject)));
  }
  uint8_t bit = 0;
  if (subject.node && pattern_.options.distinct_placeholders) {
    if (state(*subject.node) & (kMatched | kInput)) {
      return fail(index, subject.node,
                  "another node of the pattern already matches it (distinct_placeholders)");
    }
    bit = kInput;
  }
  bind(index, subject.value(), bit);
  return true;
}

bool MatchEngine::match_node(uint32_t index, Node& node, bool is_anchor, uint32_t& goals) {
  const PatternNode& expected = pattern_.nodes[index];
  if (is_anchor && (expected.kind == PatternNode::Kind::kAnyOf || is_bound_[index]))
    return match_reference(index, Subject(&node), goals);
  uint8_t& state = this->state(node);
  const bool is_matched = expected.is_matched() && expected.op != Opcode::kPlaceholder &&
                          expected.op != Opcode::kOutput;
  if (state & (kMatched | kInput))
    return fail(index, &node, "another node of the pattern already matches it");
  if (skip_taken_ && is_matched && (state & kTaken))
    return fail(index, &node, "it belongs to another match");
  const bool is_by_name =
      is_anchor && !anchor_name_.empty() && node.name().find(anchor_name_) != std::string::npos;
  if (!is_by_name && !same_target(expected, node)) {
    if (!record_) return false;
    return fail(index, &node, fmt::format("expected {}", called(*expected.node)));
  }
  bind(index, &node,
       expected.is_kept                         ? uint8_t{0}
       : is_matched                             ? kMatched
       : pattern_.options.distinct_placeholders ? kInput
                                                : uint8_t{0});
  if (expected.op == Opcode::kPlaceholder) return true;
  if (expected.is_commutative) add_choice(Choice::Kind::kSwap, goals, index, Subject(&node));
  if (push_arguments(index, node, false, goals)) return true;
  return false;
}

void MatchEngine::bind(uint32_t index, Argument value, uint8_t bit) {
  if (bit) state(*value.as_node()) |= bit;
  bits_[index] = bit;
  is_bound_[index] = 1;
  bound_[index] = std::move(value);
  trail_.push_back(index);
}

void MatchEngine::undo(size_t trail) {
  while (trail_.size() > trail) {
    const uint32_t index = trail_.back();
    trail_.pop_back();
    if (bits_[index]) state(*bound_[index].as_node()) &= static_cast<uint8_t>(~bits_[index]);
    is_bound_[index] = 0;
  }
}

bool MatchEngine::fail(uint32_t pattern_node, const Node* node, std::string_view reason) {
  if (!record_ || (record_->is_set && record_->num_matched >= trail_.size())) return false;
  if (pattern_node == kNoIndex) {
    // Finds the call whose argument was compared last.
    for (size_t i = trail_.size(); i-- > 0 && pattern_node == kNoIndex;)
      if (pattern_.nodes[trail_[i]].is_matched()) pattern_node = trail_[i];
    if (pattern_node != kNoIndex && !node) node = bound_[pattern_node].node();
  }
  *record_ = {
      .num_matched = trail_.size(),
      .is_set = true,
      .root = root_,
      .pattern_node = pattern_node == kNoIndex ? nullptr : pattern_.nodes[pattern_node].node,
      .node = node,
      .reason = std::string(reason)};
  return false;
}

std::string MatchEngine::describe(const Subject& subject) const {
  return subject.node ? fmt::format("%{} ({})", subject.node->name(), called(*subject.node))
                      : print(subject.value());
}

}  // namespace fx::rewrite
