// Determines which values of a graph share memory, and which calls write to it.
//
// MemoryAnalysis uses the schemas of the operators (OpInfo::output_aliases, written_arguments,
// effects) and, where a result may or may not share memory (reshape, contiguous, to), the types
// of the operands. Without types it is conservative. docs/aliasing.md states which relations a
// pass must keep.
//
//   MemoryAnalysis memory(graph);
//   if (memory.may_replace(node, value)) {
//     node.replace_all_uses_with(&value);
//     memory.record_replacement(node, value);
//   }
//
// Every value belongs to one class of values that may share memory; each result of a call with
// multiple results belongs to one class. External memory is the memory of inputs and attributes,
// and memory that an unknown function has accessed or returned. Two inputs may share memory, so
// external values may share memory with each other.
#pragma once

#include "fx/interp/shared_attributes.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/ops/effects.h"
#include "fx/passes/analysis/disjoint_sets.h"

#include "absl/types/span.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

namespace ops {
class OpInfo;
}

/// What the caller of a graph guarantees about the memory of its inputs and attributes.
struct MemoryOptions {
  /// Inputs share memory only with the inputs that are recorded as sharing it
  /// (interp/shared_inputs.h), and are external only if the graph passes them to an unknown
  /// function.
  bool distinct_inputs = false;
  /// Attributes share memory only with attributes that have the same path or whose tensors overlap
  /// in the owning module (interp/shared_attributes.h), and are external only if the graph passes
  /// them to an unknown function.
  bool distinct_attributes = false;
  /// The graph is nested in another graph, which may distinguish tensors in the same memory
  /// (distinguishes_aliases) that both use: inputs, attributes and results.
  bool changed_outside = false;
  /// Unknown functions, methods and modules write to no memory and return new memory.
  bool pure_unknown_calls = false;
};

/// True if a call in the graph, or in a graph that it runs, may change the sizes, strides or
/// storage of a tensor (`t_`, `resize_`, out=).
bool changes_metadata(const Graph& graph);
/// True if the call, or a call in a graph that it runs, may change any of these.
bool changes_metadata(const Node& call);

/// True if a call in the graph or its nested graphs may distinguish a tensor from another tensor in
/// the same memory: a call that changes sizes, strides or storage, or that writes to an operand and
/// has other operands. Some operators (`index_put_`) reject a write to a tensor that is also a
/// different operand, but accept a view of it.
bool distinguishes_aliases(const Graph& graph);

/// True if values of the type have no memory that a call could write to: numbers, strings, None.
bool has_no_memory(Type type);

/// True if the effects of a call are unknown: a call to an unknown function or method, or to a module
/// that is unknown or not available.
bool is_unknown_call(const Node& node);

/// Returns the inputs whose memory each result of the graph may share, as indices in ascending
/// order.
std::vector<std::vector<uint32_t>> inputs_of_results(const Graph& graph);
/// Returns, for each result of the graph, whether it may share memory with an input, an attribute
/// or a different result.
std::vector<bool> shared_results(const Graph& graph);

/// The memory of the result of a call to aten.dropout, alpha_dropout, feature_dropout or
/// feature_alpha_dropout. The in-place form writes to its operand only if the functional form would
/// return new memory.
enum class DropoutResult : uint8_t {
  kOther,    ///< a call to a different operator
  kOperand,  ///< no element can be dropped: the operand itself
  kNew,      ///< new memory; or the operand itself, if it has no elements
  kUnknown,  ///< the arguments are not constants
};
/// Classifies the result of a call. `operand` is the type of the operand, which may be incomplete.
DropoutResult dropout_result(const Node& call, Type operand);

/// The memory of a graph's values; see the top of this file. Construction is linear. The analysis
/// describes the graph at construction: nodes that are added later count as values that may share
/// any memory.
class MemoryAnalysis {
 public:
  explicit MemoryAnalysis(const Graph& graph, const MemoryOptions& options = {});

  /// True if a call in the graph, or in a graph that it runs, may write to memory.
  bool has_writes() const { return !writes_.empty(); }

  /// True if the values may share memory. Symmetric and reflexive.
  bool may_share(const Node& a, const Node& b) const;
  /// True if the values share one storage in every run, unless a call changes the storage of one
  /// of them (`set_`).
  bool must_share(const Node& a, const Node& b) const;
  /// True if every result of the node is memory that existed before the node ran (views, get_attr,
  /// items of a list), or has no memory (numbers): equal nodes return the same memory.
  static bool allocates_nothing(const Node& node);
  /// True if the properties of the node's operator guarantee that no result shares memory with an
  /// operand; false if this is not certain. Considers only this node, not the graph.
  static bool returns_only_new_memory(const Node& node);
  /// True if the value may share memory with an input, an attribute, or memory that an unknown
  /// function can reach.
  bool may_be_external(const Node& value) const;
  /// True if the value may share memory with a result of the graph.
  bool is_returned(const Node& value) const;
  /// True if a call may write to memory of the value, before or after the value is created.
  bool is_written(const Node& value) const;
  /// True if a call after `first` and before `last`, other than those in `except`, may write to
  /// memory of the value. No call that writes may have been erased or moved. Takes time linear in
  /// the number of writes between the nodes.
  bool is_written_between(const Node& value, const Node& first, const Node& last,
                          absl::Span<const Node* const> except = {}) const;
  /// True if a call may change the sizes, strides or storage of the value itself (`t_`,
  /// `resize_`), including calls in enclosing graphs.
  bool is_metadata_written(const Node& value) const;

  /// Calls `f` with the class of each result of a value: a number less than num_classes(). Values
  /// of different classes share memory only if both may be external. A value without memory, or a
  /// value that was added after construction, has no class. record_replacement() joins classes.
  template <class F>
  void for_each_class(const Node& value, F&& f) const;
  size_t num_classes() const { return classes_.size(); }

  /// True if all users of `node` may use `value` instead, which is equal to it: the storage
  /// relation among inputs, attributes and results does not change, and users observe the same
  /// writes. This holds if
  ///   - both share one storage in every run, or `shares_storage` is true, which asserts this; no
  ///     call changes the sizes, strides or storage of either; and no call that writes to memory
  ///     has two operands with this storage; or
  ///   - no call writes to either, and either `node` is not in a result, or `value` is neither in a
  ///     result nor external.
  bool may_replace(const Node& node, const Node& value, bool shares_storage = false) const;
  /// Records that the users of `node` now use `value`.
  void record_replacement(const Node& node, const Node& value);

 private:
  friend class WriteClock;

  /// Facts about a class of values. Only the entry of the class's representative is valid.
  struct Facts {
    bool outside = false;
    bool returned = false;
    bool written = false;
    bool metadata_written = false;
  };
  struct Write {
    const Node* call;
    bool everything;                // the call may write to any memory
    bool outside;                   // the call may write to external memory
    std::vector<uint32_t> members;  // the values whose memory the call may write to
  };
  static constexpr uint32_t kNone = 0;  // the slot of values without memory: numbers

  uint32_t add_slots(const Node& node, const ops::OpInfo* op);
  uint32_t find(uint32_t slot) const { return classes_.find(slot); }
  uint32_t root_of(uint32_t slot) const;
  void join(uint32_t a, uint32_t b);
  void join_all(uint32_t slot, const Node& value);
  void join_inputs(const Node& node, uint32_t slot);
  /// True if the operands of the call may share memory afterward: `x.data = y`, and a list, dict or
  /// object that stores an operand (`l[0] = y`, `l += [y]`). Considers only this node.
  static bool may_store_operands(const Node& node);
  void join_operands(const Node& node);
  /// The slots of a node: `count` slots from `first`.
  struct Slots {
    uint32_t first;
    uint32_t count;
  };
  std::optional<std::vector<uint32_t>> slots_of_slice(const Node& node,
                                                      const ops::OpInfo* op) const;
  Slots slots_of(const Node& node) const { return {first_slot_[node], num_slots_[node]}; }
  template <class F>
  bool any_slot(const Node& node, F&& f) const;

  void visit(const Node& node);
  void visit_input(const Node& node, uint32_t slot);
  uint32_t slot_of_attribute(std::string_view path, uint32_t slot);
  void join_shared_inputs();
  void mark_inputs_external(const Node& node);
  void visit_operator(const Node& node, const ops::OpInfo& op, ops::Effects what);
  void visit_getitem(const Node& node);
  void visit_unknown(const Node& node, bool from_outside);
  void visit_module(const Node& node, ops::Effects what);
  void visit_graph_call(const Node& node, ops::Effects what);
  void join_argument(const Node& node, const ops::OpInfo& op, int argument, uint32_t slot,
                     bool is_view);
  bool join_by_types(const Node& node, const ops::OpInfo& op, uint32_t slot);
  void note_writes(const Node& node, ops::Effects what);
  void note_attribute_writes(Write& write);
  void apply_writes();
  bool writes_to(const Write& write, uint32_t representative) const;

  const Graph& graph_;
  MemoryOptions options_;
  std::map<std::string, uint32_t, std::less<>> attributes_;  // by path, if they are distinct
  std::optional<SharedAttributes> shared_attributes_;        // set for the first of them
  NodeMap<uint32_t> first_slot_;
  NodeMap<uint32_t> num_slots_;
  internal::DisjointSets classes_;  // of slots
  // For each slot, a slot with the same storage in every run; a root refers to itself. Use
  // root_of().
  std::vector<uint32_t> roots_;
  std::vector<Facts> facts_;
  std::vector<Write> writes_;  // in program order
  bool everything_written_ = false;
  bool outside_written_ = false;
  bool outside_metadata_written_ = false;
};

template <class F>
void MemoryAnalysis::for_each_class(const Node& value, F&& f) const {
  any_slot(value, [&](uint32_t slot) {
    f(slot);
    return false;
  });
}

template <class F>
bool MemoryAnalysis::any_slot(const Node& node, F&& f) const {
  const Slots slots = slots_of(node);
  if (slots.first == kNone && slots.count > 0) return false;
  for (uint32_t slot = slots.first; slot < slots.first + slots.count; ++slot)
    if (f(find(slot))) return true;
  return false;
}

/// Determines the time of the last write to a value during a walk in program order. Calls that read
/// the same values at the same time read the same contents.
class WriteClock {
 public:
  explicit WriteClock(const MemoryAnalysis& memory);

  /// Advances past a node. The caller must pass every node, in program order.
  void advance(const Node& node);
  /// Returns the time of the last write to memory that the node reads; 0 if there was no write.
  uint32_t last_write_time(const Node& node) const;

 private:
  const MemoryAnalysis& memory_;
  size_t next_ = 0;  // in memory_.writes_
  uint32_t now_ = 0, last_to_all_ = 0, last_to_outside_ = 0;
  std::vector<uint32_t> last_;  // by slot
};

}  // namespace fx
