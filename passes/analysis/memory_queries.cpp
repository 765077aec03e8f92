// Queries about the memory of values: see memory.h. memory.cpp builds the analysis.
#include "fx/ir/calls/call.h"
#include "fx/passes/analysis/graph_queries.h"
#include "fx/passes/analysis/memory.h"

#include <algorithm>

namespace fx {

bool has_no_memory(Type type) {  // NOLINT(misc-no-recursion): types nest
  switch (type.kind()) {
    case TypeKind::kUnknown:
    case TypeKind::kTensor:
    case TypeKind::kObject:
      return false;
    case TypeKind::kList:
    case TypeKind::kTuple:
    case TypeKind::kMap:
      return std::ranges::all_of(type.items(), has_no_memory);
    default:
      return true;
  }
}

bool is_unknown_call(const Node& node) {
  return node.is_call() && effects(node) == ops::Effects::all() &&
         (node.op() == Opcode::kCallModule || called_operator(node) == nullptr);
}

DropoutResult dropout_result(const Node& call, Type operand) {
  const ops::OpInfo* op = call.op() == Opcode::kCallFunction ? call.function().op() : nullptr;
  if (op == nullptr || op->is_function()) return DropoutResult::kOther;
  constexpr std::string_view kNames[] = {"aten.dropout", "aten.alpha_dropout",
                                         "aten.feature_dropout", "aten.feature_alpha_dropout"};
  std::string_view name = op->packet();
  if (name.ends_with('_')) name.remove_suffix(1);
  if (std::ranges::find(kNames, name) == std::end(kNames)) return DropoutResult::kOther;
  const std::optional<Argument> train = call.argument("train"), p = call.argument("p");
  if (!train || !train->is_bool() || !p || !(p->is_float() || p->is_int()))
    return DropoutResult::kUnknown;
  const double rate = p->is_float() ? p->as_float() : static_cast<double>(p->as_int());
  if (!(rate >= 0 && rate <= 1)) return DropoutResult::kUnknown;  // an error when it runs
  const bool is_empty =
      operand.is_tensor() && operand.has_rank() && std::ranges::count(operand.sizes(), Dim(0)) > 0;
  return rate == 0 || !train->as_bool() || is_empty ? DropoutResult::kOperand : DropoutResult::kNew;
}

bool MemoryAnalysis::may_share(const Node& a, const Node& b) const {
  if (&a == &b) return true;
  if (slots_of(a).count == 0 || slots_of(b).count == 0) return true;
  return any_slot(a, [&](uint32_t x) {
    return any_slot(b,
                    [&](uint32_t y) { return x == y || (facts_[x].outside && facts_[y].outside); });
  });
}

bool MemoryAnalysis::must_share(const Node& a, const Node& b) const {
  if (&a == &b) return true;
  const Slots x = slots_of(a), y = slots_of(b);
  return x.count == 1 && y.count == 1 && root_of(x.first) == root_of(y.first);
}

bool MemoryAnalysis::may_be_external(const Node& value) const {
  return slots_of(value).count == 0 ||
         any_slot(value, [&](uint32_t slot) { return facts_[slot].outside; });
}

bool MemoryAnalysis::is_returned(const Node& value) const {
  return slots_of(value).count == 0 ||
         any_slot(value, [&](uint32_t slot) { return facts_[slot].returned; });
}

bool MemoryAnalysis::is_written(const Node& value) const {
  if (writes_.empty()) return false;
  return everything_written_ || slots_of(value).count == 0 || any_slot(value, [&](uint32_t slot) {
           return facts_[slot].written || (facts_[slot].outside && outside_written_);
         });
}

bool MemoryAnalysis::writes_to(const Write& write, uint32_t representative) const {
  if (write.everything) return true;
  const bool outside = facts_[representative].outside;
  if (outside && write.outside) return true;
  return std::ranges::any_of(write.members, [&](uint32_t slot) {
    const uint32_t written = find(slot);
    return written == representative || (outside && facts_[written].outside);
  });
}

bool MemoryAnalysis::is_written_between(const Node& value, const Node& first, const Node& last,
                                        absl::Span<const Node* const> except) const {
  if (!is_written(value)) return false;
  auto write = std::ranges::partition_point(
      writes_, [&](const Write& earlier) { return !first.comes_before(*earlier.call); });
  for (; write != writes_.end() && write->call->comes_before(last); ++write) {
    if (std::ranges::find(except, write->call) != except.end()) continue;
    if (slots_of(value).count == 0 ||
        any_slot(value, [&](uint32_t slot) { return writes_to(*write, slot); }))
      return true;
  }
  return false;
}

bool MemoryAnalysis::is_metadata_written(const Node& value) const {
  if (options_.changed_outside && (may_be_external(value) || is_returned(value))) return true;
  if (writes_.empty()) return false;
  return everything_written_ || slots_of(value).count == 0 || any_slot(value, [&](uint32_t slot) {
           return facts_[slot].metadata_written ||
                  (facts_[slot].outside && outside_metadata_written_);
         });
}

bool MemoryAnalysis::may_replace(const Node& node, const Node& value, bool shares_storage) const {
  if (shares_storage || must_share(node, value)) {
    // Some operators (`index_put_`) reject a write to a tensor that is also a different operand,
    // but accept a view of it. Takes time linear in the number of writes.
    const auto has_several = [&](const Write& write) {
      const Node* first = nullptr;  // of the operands in the class
      bool several = false;
      write.call->for_each_input([&](const Node* input) {
        const bool is_in = any_slot(
            *input, [&](uint32_t x) { return any_slot(node, [&](uint32_t y) { return x == y; }); });
        several = several || (is_in && first != nullptr && first != input);
        if (is_in) first = input;
      });
      return several;
    };
    return !is_metadata_written(node) && !is_metadata_written(value) &&
           !(is_written(node) && std::ranges::any_of(writes_, has_several));
  }
  if (is_written(node) || is_written(value)) return false;
  return !is_returned(node) || (!is_returned(value) && !may_be_external(value));
}

void MemoryAnalysis::record_replacement(const Node& node, const Node& value) {
  const Slots x = slots_of(node), y = slots_of(value);
  for (uint32_t i = 0; i < std::max(x.count, y.count) && x.count > 0 && y.count > 0; ++i) {
    const uint32_t from = x.first + std::min(i, x.count - 1);
    const uint32_t to = y.first + std::min(i, y.count - 1);
    roots_[root_of(from)] = root_of(to);
    join(from, to);
  }
}

// ---------------------------------------------------------------- WriteClock

WriteClock::WriteClock(const MemoryAnalysis& memory)
    : memory_(memory), last_(memory.classes_.size(), 0) {}

void WriteClock::advance(const Node& node) {
  if (next_ == memory_.writes_.size() || memory_.writes_[next_].call != &node) return;
  const MemoryAnalysis::Write& write = memory_.writes_[next_++];
  ++now_;
  if (write.everything) last_to_all_ = now_;
  if (write.outside) last_to_outside_ = now_;
  for (const uint32_t slot : write.members) {
    const uint32_t written = memory_.find(slot);
    last_[written] = now_;
    if (memory_.facts_[written].outside) last_to_outside_ = now_;
  }
}

uint32_t WriteClock::last_write_time(const Node& node) const {
  uint32_t last = last_to_all_;
  node.for_each_input([&](const Node* input) {
    memory_.any_slot(*input, [&](uint32_t slot) {
      last = std::max(last, last_[slot]);
      if (memory_.facts_[slot].outside) last = std::max(last, last_to_outside_);
      return false;
    });
  });
  // A layer reads its parameters.
  if (node.op() == Opcode::kCallModule || effects(node).has(ops::Effect::kReadsState))
    last = std::max(last, last_to_outside_);
  return last;
}

}  // namespace fx
