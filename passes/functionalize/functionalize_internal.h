// The parts of functionalize:
//   functionalize_ops.cpp      the effects of each operator on memory, and its functional form;
//   functionalize_values.cpp   types of values, and records of their memory;
//   functionalize_aliases.cpp  which memory each value of a graph uses;
//   regions.cpp                which elements of a storage a tensor type covers;
//   functionalize_writes.cpp   whether each write has an equivalent without a write;
//   functionalize_checks.cpp   whether eager mode accepts the write;
//   functionalize_done.cpp     whether a graph needs no change;
//   functionalize_views.cpp    creates views of values, and inverts views (views_internal.h);
//   moved_values.cpp           types of values whose offset in memory changes;
//   histories.cpp              derivatives of values that are written through detached views;
//   functionalize.cpp          the rewrite.
#pragma once

#include "fx/interp/shared_attributes.h"
#include "fx/ir/calls/bind.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/ops/view_ops.h"
#include "fx/ir/types/type.h"
#include "fx/passes/analysis/storage_offsets.h"
#include "fx/passes/functionalize/regions_internal.h"
#include "fx/passes/shape/shape_prop.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fx::functional {

using ops::ViewKind;

/// The meaning of one result of a functional form.
struct FunctionalOutput {
  int argument = -1;  ///< the argument of the original call whose new value this is, or -1
  int result = -1;    ///< the result of the original call that this is, or -1
};

/// The effect on memory of an operator's calls.
struct OpPlan {
  enum class Role : uint8_t {
    kFresh,      ///< results have separate memory
    kGetItem,    ///< operator.getitem
    kView,       ///< the result, or each item of it, shares memory with argument `source`
    kMaybeView,  ///< it may share memory, depending on the types
    kMetadata,   ///< changes its argument to a view of its old value: `t_`
    kWrite,      ///< writes to arguments
    kUnknown,    ///< has unknown effects
  };
  Role role = Role::kFresh;
  ViewKind kind = ViewKind::kOther;
  uint8_t source = 0;
  const ops::OpInfo* op = nullptr;
  Target function = {};          ///< kMetadata: the view; kWrite: the functional form
  std::string name = {};         ///< the base of the names of nodes that call `function`
  bool takes_dtype = false;      ///< kWrite: `function` requires the dtype and device of `out`
  bool result_list = false;      ///< the only result is a list
  bool several = false;          ///< there are multiple results
  bool is_foreach = false;       ///< kWrite: writes to the items of lists, in order
  bool is_out = false;           ///< kWrite: writes to `out` arguments, which it may resize
  bool is_reordered = false;     ///< kWrite: `function` has the arguments in another order
  bool is_fill = false;          ///< kWrite: writes the same number to every element
  bool accepts_overlap = false;  ///< kWrite: eager mode accepts memory that overlaps itself
  std::vector<FunctionalOutput> outputs = {};  ///< kWrite: the results of `function`
};

/// The plan of each operator, created on first use.
class OpPlans {
 public:
  explicit OpPlans(Context& context) : context_(&context) {}
  /// Returns the plan of the target of a call_function.
  const OpPlan& find(Target function);

 private:
  Context* context_;
  absl::flat_hash_map<const TargetData*, std::unique_ptr<OpPlan>> plans_;
};

OpPlan make_plan(Context& context, const ops::OpInfo& op);

/// The arguments of a call to a functional form.
struct FormCall {
  std::vector<Argument> args;
  std::vector<Kwarg> kwargs;
};
/// Returns the arguments of `plan.function` for a call that writes. `written` is the type of the
/// first tensor to which the call writes.
FormCall form_call(const Node& node, const OpPlan& plan, Type written);

// ---------------------------------------------------------------- memory

/// A tensor: an entire block of memory (a root), or part of another view.
struct View {
  uint32_t memory = 0;
  int32_t parent = -1;   ///< index of a View; -1 for a root
  Node* call = nullptr;  ///< an input, or the call whose result it is
  int32_t item = -1;     ///< index in the list that `call` returns
  ViewKind kind = ViewKind::kSame;
  bool overlaps = false;    ///< multiple elements may share a memory location
  bool by_strides = false;  ///< it, or a view that contains it, depends on unknown strides
  bool conjugated = false;  ///< libtorch may conjugate or negate its elements when it reads them
  bool writable = false;    ///< writes to it are known to be possible
  uint32_t elements = 0;    ///< the nearest View toward the root with a different element type
  int32_t strided = -1;     ///< the nearest as_strided toward the root, which may be this View
  Type recorded = {};       ///< the type in the graph, or the inferred type
  Type list = {};           ///< for an item: the type of the list
  // State of a walk:
  Type type = {};
  Node* current = nullptr;  ///< a node with the value as of `generation`
  uint32_t generation = 0;  ///< generation of the memory
};

/// The state of a memory at one point in time.
struct MemoryState {
  uint32_t memory = 0;
  uint32_t generation = 0;
};

struct Memory {
  uint32_t root = 0;
  uint32_t num_views = 0;
  Node* owner = nullptr;       ///< the input or attribute, for memory that the graph does not own
  uint32_t generation = 0;     ///< number of writes so far
  Node* maybe_same = nullptr;  ///< a call that may return a tensor with this memory, or a view
  bool returned = false;       ///< a result of the graph is its final value (metadata `outputs`)
  /// The memories with which it may share elements, because it is the result of a call that may
  /// return its operand. Calls must not write to it, nor read it after a write to one of them.
  std::vector<MemoryState> may_share = {};
};

/// A tensor object. Changes to its metadata (`t_`) change its view. Multiple nodes may be the same
/// object.
struct Identity {
  uint32_t view;
  uint32_t first_view;
};

/// The value of a node: an identity, a list or tuple of values, or anything else.
class Value {
 public:
  Value() = default;
  static Value identity(uint32_t index) { return Value(static_cast<int32_t>(index)); }
  static Value aggregate(uint32_t index) { return Value(-2 - static_cast<int32_t>(index)); }
  bool is_identity() const { return code_ >= 0; }
  bool is_aggregate() const { return code_ <= -2; }
  uint32_t index() const { return static_cast<uint32_t>(is_identity() ? code_ : -2 - code_); }

 private:
  explicit Value(int32_t code) : code_(code) {}
  int32_t code_ = -1;
};

/// A list or tuple. Its items are added on first use.
struct Aggregate {
  Node* node = nullptr;
  const OpPlan* plan = nullptr;
  int32_t source = -1;      ///< the View that all items are views of; -1 for separate memory
  uint32_t generation = 0;  ///< generation of the source's memory, during a walk
  std::vector<MemoryState> may_share = {};  ///< as in Memory, for the items
  /// Whether each item may share memory, if this is known; may_share does not apply to other items.
  std::vector<bool> shared = {};
  std::vector<Value> items = {};
};

/// A tensor argument that a call writes to.
struct WriteTarget {
  uint32_t output;  ///< the result of the functional form that contains the new value
  int32_t item;     ///< the item of this result; -1 if the result is not a list
  uint32_t identity;
};

/// A tensor among the arguments of a call.
struct TensorOperand {
  int argument;  ///< index in the schema
  int item;      ///< index in a list; -1 if the argument is the tensor
  uint32_t identity;
};

/// Returns the type of the result, or of its item, that is the new value of a target, or null.
Type result_of(const OpPlan& plan, Type results, const WriteTarget& target);

/// Determines the memory of each value, and whether all writes have equivalents without writes.
class Aliases {
 public:
  /// `in_dtype_mode`: whether graphs_in_autocast has the graph.
  Aliases(Graph& graph, OpPlans& plans, bool in_dtype_mode);

  /// True if a call may write.
  bool has_writes();
  bool is_nested() const { return nested_; }
  absl::Status run();
  /// Fails if a caller of the graph addresses a result by position (`addressed`: the ranges, by
  /// result) that may be a new value at a different position. Call this after run().
  absl::Status check_results(absl::Span<const StorageRange> addressed) const;
  /// Prepares for the second walk.
  void rewind();

  Graph& graph;
  OpPlans& plans;
  NodeMap<Value> values;
  NodeMap<uint32_t> metadata_view;  ///< for a kMetadata call: the new view of its argument
  NodeMap<Type> inferred;           ///< types of nodes whose recorded type is incomplete
  /// The types of the results of the functional forms of writes, if they are known. A result may
  /// have a different dtype than the tensor to which the call writes.
  NodeMap<Type> functional;
  std::vector<View> views;
  std::vector<Memory> memories;
  std::vector<Identity> identities;
  std::vector<Aggregate> aggregates;

  /// Returns the plan of a call_function, or null for other nodes.
  const OpPlan* plan_of(const Node& node);
  View& view_of(uint32_t identity) { return views[identities[identity].view]; }
  /// True if a call to an operator that writes does so with these arguments.
  bool writes(const Node& node, const OpPlan& plan) const;
  /// Returns the tensors to which a call writes with its current arguments.
  absl::Status targets_of(const Node& node, const OpPlan& plan, std::vector<WriteTarget>& targets);
  /// True if each item needs its own call: items of a written list share memory with operands.
  absl::StatusOr<bool> goes_item_by_item(const Node& node, const OpPlan& plan,
                                         const std::vector<WriteTarget>& targets);
  /// Returns item `index` of a list or tuple for the user `node`.
  Value item(uint32_t aggregate, uint32_t index, Node& node);
  /// Returns the number of items of a list or tuple in the original graph, if it is known.
  std::optional<size_t> num_items(const Aggregate& list);
  /// Returns the index of the item that a getitem returns; nullopt for other calls and indices.
  std::optional<uint32_t> item_number(const Node& node);
  /// True if users of a list must use a list of its current items: items may have new values, or
  /// a functional form with more results has replaced the call.
  bool is_stale(const Aggregate& list) const;
  /// True if a call with this result type has resized its `out`.
  bool resizes(const View& view, Type written) const;
  /// Returns the type of the result that is an `out` argument, or an item of it, after a call; null
  /// if its sizes are unknown, and for other targets.
  Type written_type(const Node& node, const OpPlan& plan, const WriteTarget& target) const;
  /// Returns the index of the view that receives a value written to a view that is not a root: its
  /// parent, or, if elements of the parent overlap, the nearest view without overlap. -1 if there
  /// is none.
  int32_t written_view(const View& view) const;

 private:
  absl::Status visit(Node& node);
  absl::Status visit_call(Node& node, const OpPlan& plan);
  void visit_getitem(Node& node);
  std::optional<Value> slice_of(Node& node, uint32_t list);
  absl::Status visit_view(Node& node, const OpPlan& plan);
  absl::Status visit_write(Node& node, const OpPlan& plan);
  absl::Status visit_metadata(Node& node, const OpPlan& plan);
  absl::Status visit_non_aten(Node& node);
  absl::Status visit_subgraphs(Node& node);
  bool reads_tensors(const Node& node) const;
  absl::Status check_reads(Node& node);
  bool may_have_moved(const Node& node) const;
  bool keeps_range(const Node& value, const StorageRange& range) const;
  absl::Status check_addressed(const Node& node);
  absl::Status check_stale(const Node& reader, const View& view) const;
  absl::Status check_attributes(const Node& node, const Graph& nested);
  absl::Status check_unwritten(const Node& node, std::string_view path, bool is_module);
  absl::Status check_lazy_copy(const Node& node) const;
  absl::Status check_call(Node& node, const OpPlan& plan, const FormCall& form,
                          const std::vector<WriteTarget>& targets);
  absl::Status check_copies(const Node& node, const FormCall& typed) const;
  bool reads_memory(const Node& node, const OpPlan& plan, const WriteTarget& target) const;
  std::vector<TensorOperand> tensor_operands(const Node& node, const OpPlan& plan,
                                             std::vector<MemoryState>& in_lists) const;
  bool may_share_elements(uint32_t a, uint32_t b) const;
  absl::Status check_operand(const Node& node, const OpPlan& plan,
                             const std::vector<WriteTarget>& targets, const WriteTarget& target,
                             const TensorOperand& operand, Overlap overlap);
  absl::Status check_target(Node& node, const OpPlan& plan, const WriteTarget& target);
  void set_written_results(Node& node, const OpPlan& plan, const std::vector<WriteTarget>& targets);
  absl::Status check_overlap(const Node& writer, const OpPlan& plan, const View& view);
  absl::Status check_certain(const Node& writer, const View& view) const;
  absl::Status check_writable(const Node& writer, uint32_t view);
  absl::Status check_inverse(const Node& writer, const View& view) const;
  bool are_apart(uint32_t a, uint32_t b) const;
  Overlap compare(uint32_t identity_a, uint32_t identity_b);
  void note_returned(Node& output);
  uint32_t add_root(Node& node, Type type, Node* owner);
  uint32_t add_view(Node& node, uint32_t parent, ViewKind kind, Type type, int32_t item);
  uint32_t add_identity(uint32_t view);
  uint32_t add_aggregate(Node& node, const OpPlan* plan, int32_t source);
  Value fresh(Node& node, const OpPlan* plan);
  /// Returns the result of a call that may share memory with any of its operands.
  Value uncertain(Node& node, const OpPlan* plan);
  void add_states(const Node& operand, std::vector<MemoryState>& states) const;
  void mark_unused_items(Aggregate& list);
  void mark_maybe_same(Node& result, Value operand);
  /// Returns the type of a node at its current use.
  Type type_of(const Node& node);
  Argument with_types(const Argument& argument);
  absl::StatusOr<InferredCall> infer(const Node& node);
  bool reads_lazy_gaps(const Node& node);
  /// True if the operands have their recorded types: no write has resized them.
  bool reads_as_recorded(const Node& node);
  /// Returns the recorded type, or the inferred type if the recorded type is incomplete or stale.
  Type complete_type(Node& node, bool is_view);
  const View& memories_root(const View& view) const { return views[memories[view.memory].root]; }

  bool nested_, in_dtype_mode_;
  absl::flat_hash_map<Symbol, Value> attributes_;      // by path
  std::optional<AddressedRanges> addressed_;           // created when needed
  std::optional<SharedAttributes> shared_attributes_;  // created when needed
};

/// Calls Aliases::check_results for the graphs in `written` that are nested, deeply too, in `graph`.
absl::Status check_results(const Graph& graph, absl::Span<const std::unique_ptr<Aliases>> written);

/// True if a result of the graphs that a call runs may share memory with an operand, an attribute
/// or a different result, or if one of the graphs is not available.
bool may_share_results_of(const Node& call);

/// True if all writes of the graph copy values to inputs and attributes with which the values share
/// no memory, and the graph does not read the inputs and attributes afterward. With copy_back,
/// this pass creates such graphs.
bool only_copies_back(const Graph& graph);

// ---------------------------------------------------------------- views

/// True if the type is complete.
bool is_complete(Type type);
/// Returns the type of a value whose layout is unknown: without the strides and offsets of tensors.
Type without_place(TypeTable& types, Type type);
inline bool may_be_tensor(Type type) { return !type || type.is_tensor(); }
/// Returns FailedPrecondition: the type of the node is missing, but is needed to determine `what`.
absl::Status missing_type(const Node& node, std::string_view what);
/// Fails if a call to as_strided cannot be applied to a new value of a tensor of type `whole`,
/// which may be a view of a tensor of type `root`: if elements of its result, of type `part`, are
/// not elements of the tensor.
absl::Status check_spans(const Node& call, Type whole, Type part, Type root);
/// True if the sizes, and the strides of dimensions with more than one element, are equal, or if a
/// layout is unknown.
bool same_layout(Type a, Type b);
/// True if the sizes and the strides of all dimensions are equal, or if a layout is unknown.
bool same_strides(Type a, Type b);
/// True if the type is known to be that of a dense copy: without gaps, overlap or an offset.
bool is_dense(Type type);
/// True if the sizes are equal; false if they are unknown.
bool same_sizes(Type a, Type b);

}  // namespace fx::functional
