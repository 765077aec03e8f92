// The parts of functionalize: what operators do to memory (functionalize_ops.cpp), which memory
// each value of a graph is (functionalize_aliases.cpp), how a write goes through a view
// (functionalize_views.cpp) and the rewriting (functionalize.cpp).
#pragma once

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/types/type.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fx::functional {

// ---------------------------------------------------------------- operators

/// How a view's elements lie in its source; says how a write goes back.
enum class ViewKind : uint8_t {
  kSame,  ///< alias, detach: the same elements in the same places
  kReshape,
  kUnsqueeze,
  kSqueezeDim,
  kTransposeMatrix,  ///< t
  kTranspose,
  kMatrixTranspose,  ///< mT
  kReverse,          ///< numpy_T
  kPermute,
  kMoveDim,
  kSlice,
  kNarrow,
  kSelect,
  kDiagonal,
  kAsStrided,
  kExpand,
  kSplit,   ///< the items of a list: slices one behind the other
  kUnbind,  ///< the items of a list: one select each
  kViewAsReal,
  kViewAsComplex,
  kViewDType,
  kConj,
  kNegative,
  kReal,
  kImaginary,
  kOther,  ///< written by its strides
};

/// What one result of a functional form is.
struct FunctionalOutput {
  int argument = -1;  ///< the new value of this argument of the original; -1: of none
  int result = -1;    ///< result number of the original; -1: of none
};

/// What calls of one operator do.
struct OpPlan {
  enum class Role : uint8_t {
    kFresh,      ///< results have memory of their own
    kGetItem,    ///< operator.getitem
    kView,       ///< the result, or each item of it, shares memory with argument `source`
    kMaybeView,  ///< it may: types tell
    kMetadata,   ///< turns its argument into a view of what it was: `t_`
    kWrite,      ///< writes to arguments
    kUnknown,    ///< may do anything
  };
  Role role = Role::kFresh;
  ViewKind kind = ViewKind::kOther;
  uint8_t source = 0;
  const ops::OpInfo* op = nullptr;
  Target function = {};      ///< kMetadata: the view; kWrite: the functional form
  std::string name = {};     ///< what nodes of `function` are named after
  bool takes_dtype = false;  ///< kWrite: `function` makes the tensor that `out` was
  bool result_list = false;  ///< the one result is a list
  bool several = false;      ///< there are several results
  std::vector<FunctionalOutput> outputs = {};  ///< kWrite: the results of `function`
};

/// Plans by operator, made when first asked for.
class OpPlans {
 public:
  explicit OpPlans(Context& context) : context_(&context) {}
  /// Of a call_function.
  const OpPlan& find(Target function);

 private:
  Context* context_;
  absl::flat_hash_map<const TargetData*, std::unique_ptr<OpPlan>> plans_;
};

OpPlan make_plan(Context& context, const ops::OpInfo& op);

/// Argument `index` of the schema as the call gives it; nothing when it was left out.
std::optional<ArgumentRef> given_argument(const Node& node, const ops::OpInfo& op, int index);

// ---------------------------------------------------------------- memory

/// A tensor as a way to see a piece of memory: all of it (a root) or a part of another view.
struct View {
  uint32_t memory = 0;
  int32_t parent = -1;   ///< index of a View; -1 for a root
  Node* call = nullptr;  ///< what made it: an input, or the call whose result it is
  int32_t item = -1;     ///< number within the list that `call` returns
  ViewKind kind = ViewKind::kSame;
  bool uncertain = false;  ///< it, or a view that it is a part of, may not be a view
  bool writable = false;   ///< found to be so
  uint32_t elements = 0;   ///< the nearest View on the way to the root with other element types
  Type recorded = {};      ///< as the graph has it
  // While walking:
  Type type = {};
  Node* current = nullptr;  ///< a node with the value as of `generation`
  uint32_t generation = 0;  ///< of the memory
};

struct Memory {
  uint32_t root = 0;
  uint32_t num_views = 0;
  Node* owner = nullptr;    ///< the input or attribute, for memory of others
  uint32_t generation = 0;  ///< number of writes so far
  bool returned = false;    ///< the graph returns its final value as such
};

/// A tensor that keeps its identity when its metadata are changed (`t_`): several nodes may be it.
struct Identity {
  uint32_t view;
  uint32_t first_view;
};

/// What a node's value is: no tensor, an identity, or a list or tuple of values.
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

/// A list or tuple. Its items become known as they are asked for.
struct Aggregate {
  Node* node = nullptr;
  const OpPlan* plan = nullptr;
  int32_t source = -1;  ///< View that all items are views of; -1: items are of their own
  bool uncertain = false;
  bool nested = false;      ///< an item of a tuple of lists
  uint32_t generation = 0;  ///< of the source's memory, while walking
  std::vector<Value> items = {};
};

/// A tensor argument that a call writes to.
struct WriteTarget {
  uint32_t output;  ///< which result of the functional form has the new value...
  int32_t item;     ///< ...and which item of it, -1 when that is no list
  uint32_t identity;
};

/// Which memory each value of a graph is, and whether all writes can be done without. Says so
/// without changing anything.
class Aliases {
 public:
  Aliases(Graph& graph, OpPlans& plans, bool nested);

  /// True when some call may write.
  bool has_writes() const;
  absl::Status run();
  /// Forgets what walking has changed, for the second walk.
  void rewind();

  Graph& graph;
  OpPlans& plans;
  NodeMap<Value> values;
  NodeMap<uint32_t> metadata_view;  // of a kMetadata call: what its argument becomes
  std::vector<View> views;
  std::vector<Memory> memories;
  std::vector<Identity> identities;
  std::vector<Aggregate> aggregates;

  const OpPlan* plan_of(const Node& node);
  View& view_of(uint32_t identity) { return views[identities[identity].view]; }
  /// Whether the call writes, given its arguments.
  bool writes(const Node& node, const OpPlan& plan) const;
  /// The tensors that a call writes to, as its arguments are now.
  absl::Status targets_of(const Node& node, const OpPlan& plan, std::vector<WriteTarget>& targets);
  /// Item `index` of a list or tuple, which `node` reads.
  Value item(uint32_t aggregate, uint32_t index, Node& node);
  /// Whether a call that says that it gave this type has resized its `out`.
  bool resizes(const View& view, Type written) const;
  Type written_type(const Node& node, const OpPlan& plan, const WriteTarget& target) const;

 private:
  absl::Status visit(Node& node);
  absl::Status visit_call(Node& node, const OpPlan& plan);
  void visit_getitem(Node& node);
  absl::Status visit_view(Node& node, const OpPlan& plan);
  absl::Status visit_write(Node& node, const OpPlan& plan);
  absl::Status visit_metadata(Node& node, const OpPlan& plan);
  absl::Status visit_foreign(Node& node);
  bool reads_tensors(const Node& node) const;
  absl::Status check_reads(Node& node);
  absl::Status check_stale(const Node& reader, const View& view) const;
  absl::Status check_writable(const Node& writer, uint32_t view);
  absl::Status check_inverse(const Node& writer, const View& view) const;
  void note_returned(Node& output);
  uint32_t add_root(Node& node, Type type, Node* owner);
  uint32_t add_view(Node& node, uint32_t parent, ViewKind kind, Type type, int32_t item,
                    bool uncertain);
  uint32_t add_identity(uint32_t view);
  uint32_t add_aggregate(Node& node, const OpPlan* plan, int32_t source, bool uncertain);
  Value fresh(Node& node, const OpPlan* plan);

  bool nested_;
  absl::flat_hash_map<Symbol, Value> attributes_;  // by path
};

// ---------------------------------------------------------------- views

/// Equal sizes, and equal strides of dimensions of more than one element; true when unknown.
bool same_layout(Type a, Type b);
bool same_sizes(Type a, Type b);

/// Makes the nodes of a rewrite, at the graph's insert point.
class Maker {
 public:
  Maker(Graph& graph, NodeMap<char>& touched) : graph_(graph), touched_(touched) {}

  /// A call, typed, with the meta data of `origin`, but in the region of `place`.
  Node* call(std::string_view function, absl::Span<const Argument> args, const Node& origin,
             absl::Span<const Kwarg> kwargs = {});
  Node* getitem(Node& list, int64_t index, Type type, const Node& origin);
  /// The call again, on another source.
  Node* repeat(const Node& call, Node* source, Node* by);
  /// Where new nodes are: what they are made for.
  void set_place(const Node& node) { place_ = &node; }
  Graph& graph() const { return graph_; }

 private:
  void label(Node& node, const Node& origin);
  void infer(Node& node, Type recorded);
  Graph& graph_;
  NodeMap<char>& touched_;
  const Node* place_ = nullptr;
  absl::flat_hash_map<std::string_view, std::pair<Target, std::string>> functions_;
};

/// True when the strides of a value that is written through it do not matter.
bool is_scattered(ViewKind kind);
/// The view of another value of its parent. `parent` is the parent's View.
Node* take_view(Maker& make, const View& view, const View& parent, Node* source);
/// The source with `value` in the place of the view. `source`: its value before.
Node* write_view(Maker& make, const View& view, const View& parent, Node* source, Node* value);
/// First index of a list's item along its dimension, and the one behind its last; nothing when
/// that is not known.
std::optional<std::pair<int64_t, int64_t>> split_range(const View& view);

}  // namespace fx::functional
