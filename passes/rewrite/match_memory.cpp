// Decides whether a match may be replaced in a graph that writes to memory.
#include "fx/ir/calls/call.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/ops/op_info.h"
#include "fx/passes/rewrite/match_memory_internal.h"

#include <algorithm>

namespace fx::rewrite {
namespace {

/// Returns the effects of a node, without a search for nested graphs in calls to most operators.
ops::Effects effects_of(const Node& node) {
  if (!node.is_call()) return ops::Effects::none();
  if (node.op() == Opcode::kCallFunction) {
    const ops::OpInfo* const op = node.function().op();
    if (op == nullptr || (op->effects().is_pure() && !op->has(ops::OpTrait::kSubgraphs)))
      return ops::Effects::none();
    return effects(node);
  }
  return is_unknown_call(node) ? ops::Effects::none() : effects(node);
}

bool writes(const Node& node) { return effects_of(node).has(ops::Effect::kWritesArguments); }

/// Calls `f` with the nodes of a value until `f` returns true. Returns true if it did.
template <class F>
bool any_node(const Argument& value, F&& f) {
  if (const Node* const node = value.node()) return f(*node);
  bool found = false;
  if (value.contains_node()) {
    (void)map_nodes(value, [&](Node* node) -> Argument {
      found = found || f(*node);
      return node;
    });
  }
  return found;
}

}  // namespace

void MatchMemory::read_effects() {
  is_known_ = true;
  for (const Node& node : graph_.nodes()) {
    const ops::Effects effects = effects_of(node);
    if (effects.has(ops::Effect::kWritesArguments)) {
      has_writes_ = true;
      changes_sizes_ = changes_sizes_ || changes_metadata(node);
    }
    is_ordered_ |= !effects.is_movable();
  }
}

bool MatchMemory::has_writes() {
  find_effects();
  return has_writes_;
}

void MatchMemory::invalidate(bool adds_writes) {
  if (adds_writes) is_known_ = has_writes_ = changes_sizes_ = is_ordered_ = true;
  memory_.reset();
}

/// Returns the analysis. It is created again when the graph has grown by a fraction of its size,
/// because nothing is known about the memory of new nodes.
const MemoryAnalysis& MatchMemory::memory() {
  if (!memory_ || graph_.id_bound() - analyzed_ids_ > 64 + graph_.size() / 4) {
    memory_.emplace(graph_, MemoryOptions{.pure_unknown_calls = true});
    analyzed_ids_ = graph_.id_bound();
  }
  return *memory_;
}

void MatchMemory::find_matched(const CompiledPattern& pattern, absl::Span<const Argument> values) {
  matched_.clear();
  writers_.clear();
  for (size_t i = 0; i < pattern.nodes.size(); ++i) {
    const Node* const node = pattern.nodes[i].is_matched() ? values[i].node() : nullptr;
    if (node == nullptr || !node->is_call()) continue;
    matched_.push_back(node);
    if (writes(*node)) writers_.push_back(node);
  }
  std::ranges::sort(matched_, [](const Node* a, const Node* b) { return a->comes_before(*b); });
}

bool MatchMemory::may_move(const CompiledPattern& pattern, absl::Span<const Argument> values) {
  find_effects();
  if (!is_ordered_) return true;
  find_matched(pattern, values);
  if (matched_.size() < 2) return true;
  const Node &first = *matched_.front(), &last = *matched_.back();
  if (is_order_changed(first, last)) return false;
  if (!has_writes_) return true;
  const auto is_written = [&](const Node& node) {
    return memory().is_written_between(node, first, last, writers_);
  };
  for (size_t i = 0; i < pattern.nodes.size(); ++i)
    if (any_node(values[i], is_written)) return false;
  return writers_.empty() || !is_accessed_between(first, last);
}

bool MatchMemory::may_use(const CompiledPattern& pattern, absl::Span<const Argument> values,
                          absl::Span<const Argument> inputs,
                          absl::Span<const ResultMemory> results) {
  if (!has_writes()) return true;
  find_matched(pattern, values);
  if (!writers_.empty()) return true;
  for (size_t i = 0; i < pattern.returned.size() && i < results.size(); ++i) {
    const Node* const from = values[pattern.returned[i]].node();
    if (from != nullptr && !may_replace_result(*from, results[i], inputs)) return false;
  }
  return true;
}

void MatchMemory::note_replaced(absl::Span<Node* const> inserted) {
  const bool adds_writes =
      std::ranges::any_of(inserted, [&](const Node* node) { return writes(*node); });
  if (adds_writes || !writers_.empty()) invalidate(adds_writes);
}

/// True if a call of the match and a different call between its calls have effects whose order
/// matters. The replacement may be inserted before or after the latter.
bool MatchMemory::is_order_changed(const Node& first, const Node& last) const {
  const auto is_fixed = [](const Node* node) { return !effects_of(*node).is_movable(); };
  if (std::ranges::none_of(matched_, is_fixed)) return false;
  for (const Node* node = first.next(); node != &last; node = node->next())
    if (is_fixed(node) && std::ranges::find(matched_, node) == matched_.end()) return true;
  return false;
}

/// True if a node between these, except for nodes of the match, may use memory of the operands of
/// the calls that write.
bool MatchMemory::is_accessed_between(const Node& first, const Node& last) {
  const auto may_be_written = [&](const Node& value) {
    return std::ranges::any_of(writers_, [&](const Node* call) {
      bool may_share = false;
      call->for_each_input(
          [&](const Node* operand) { may_share |= memory().may_share(value, *operand); });
      return may_share;
    });
  };
  for (const Node* node = first.next(); node != nullptr && node != &last; node = node->next()) {
    if (std::ranges::find(matched_, node) != matched_.end()) continue;
    bool is_used = false;
    node->for_each_input(
        [&](const Node* operand) { is_used = is_used || may_be_written(*operand); });
    if (is_used) return true;
  }
  return false;
}

bool MatchMemory::may_replace_result(const Node& from, const ResultMemory& to,
                                     absl::Span<const Argument> inputs) {
  const bool is_new = to.inputs.empty() && !to.has_attribute;
  if (is_new && (MemoryAnalysis::returns_only_new_memory(from) || is_unknown_call(from)))
    return true;
  if (to.must_share && !memory().is_metadata_written(from)) {
    const Node* const input = inputs[to.inputs[0]].node();
    if (input != nullptr && memory().must_share(from, *input) &&
        !memory().is_metadata_written(*input))
      return true;
  }
  if (to.has_attribute || memory().is_written(from)) return false;
  return std::ranges::none_of(to.inputs, [&](uint32_t input) {
    return any_node(inputs[input], [&](const Node& node) { return memory().is_written(node); });
  });
}

}  // namespace fx::rewrite
