// Node: one step of a Graph, and the views of what it holds.
//
// A Node has one of torch.fx's six opcodes, a target (what is called or named), positional and
// keyword arguments, a unique name, and a Type when one is known. Its Graph owns it: a `Node*` is
// valid until the node is erased.
//
//   %relu : f32[8, 64] = aten.relu.default(%linear)
//
// Layout (measured in docs/benchmarks.md): a node is one 64-byte cache line in a page of its graph;
// arguments are 16-byte cells beside it. The cell of an operand is also its record in the use list
// of the value, so that replacing a value costs its uses and nothing scans the graph. Links are
// 32-bit indexes.
#pragma once

#include "fx/ir/graph/argument.h"
#include "fx/ir/graph/target.h"
#include "fx/ir/support/name.h"
#include "fx/ir/types/type.h"

#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/types/span.h"

#include <complex>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

class Context;
class Graph;
class NodeMeta;

/// torch.fx's opcodes.
enum class Opcode : uint8_t {
  kPlaceholder,   ///< an input; target: its parameter name; args: none, or its default
  kGetAttr,       ///< a parameter, buffer, constant or nested graph; target: its dotted path
  kCallFunction,  ///< a free function or operator; target: which
  kCallMethod,    ///< a method of args[0]; target: its name
  kCallModule,    ///< a module's forward; target: its dotted path; args without self
  kOutput,        ///< the result: args[0]
};

inline constexpr size_t kNumOpcodes = static_cast<size_t>(Opcode::kOutput) + 1;

/// "placeholder", "get_attr", "call_function", "call_method", "call_module", "output".
std::string_view opcode_name(Opcode op);
std::optional<Opcode> opcode_from_name(std::string_view name);

namespace detail {

// One argument, 16 bytes: an operand (then also a link of the operand's use list) or a constant.
struct Cell {
  static constexpr uint32_t kConstant = 0x80000000u;
  struct Use {
    uint32_t next, prev;  // cells of the use list: circular through the value's first use
  };
  struct Items {
    uint32_t begin;      // first item's cell
    uint32_t type_name;  // named tuple: Symbol id
  };
  uint32_t head = kConstant;  // operand: slot of the value; else kConstant | ArgumentKind
  uint32_t aux = 0;           // operand: slot of the user; aggregate: number of items
  union {
    int64_t i = 0;
    double f;
    const void* pointer;
    Use use;
    Items items;
  };
  bool is_use() const { return !(head & kConstant); }
  ArgumentKind kind() const {
    return is_use() ? ArgumentKind::kNode : static_cast<ArgumentKind>(head & 0xff);
  }
};
static_assert(sizeof(Cell) == 16);

/// Memory of nodes has a header in the place of each 64th node, at a multiple of 4 KiB. It tells
/// whose each KiB behind it is: small graphs have a first page of one KiB, four under a header.
inline constexpr size_t kHeaderStride = 4096;
inline constexpr size_t kSmallestPage = 1024;
struct PageHeader {
  Graph* graphs[kHeaderStride / kSmallestPage];

  /// The header of a node, and which of its pages the node is in.
  static PageHeader& of(const void* node) {
    return *reinterpret_cast<PageHeader*>(reinterpret_cast<uintptr_t>(node) &
                                          ~uintptr_t{kHeaderStride - 1});
  }
  static size_t page_of(const void* node) {
    return reinterpret_cast<uintptr_t>(node) / kSmallestPage % (kHeaderStride / kSmallestPage);
  }
};

}  // namespace detail

/// Read-only view of an argument that a node holds, with the accessors of Argument. Valid until
/// that node's arguments change; copy it into an Argument to keep it.
class ArgumentRef {
 public:
  ArgumentRef(const Graph* graph, const detail::Cell* cell) : graph_(graph), cell_(cell) {}

  ArgumentKind kind() const { return cell_->kind(); }
  bool is_none() const { return kind() == ArgumentKind::kNone; }
  bool is_bool() const { return kind() == ArgumentKind::kBool; }
  bool is_int() const { return kind() == ArgumentKind::kInt; }
  bool is_float() const { return kind() == ArgumentKind::kFloat; }
  bool is_string() const { return kind() == ArgumentKind::kString; }
  bool is_node() const { return cell_->is_use(); }
  bool is_list() const { return kind() == ArgumentKind::kList; }
  bool is_tuple() const { return kind() == ArgumentKind::kTuple; }
  bool is_dict() const { return kind() == ArgumentKind::kDict; }

  bool as_bool() const;
  int64_t as_int() const;
  double as_float() const;
  std::complex<double> as_complex() const;
  std::string_view as_string() const;
  DType as_dtype() const;
  Device as_device() const;
  Layout as_layout() const;
  MemoryFormat as_memory_format() const;
  SymExpr as_symbolic() const;
  Type as_type() const;
  Target as_function() const;
  uint32_t as_graph() const;
  Node* as_node() const;
  /// The node, or null when this is something else.
  Node* node() const;

  size_t size() const { return is_aggregate(kind()) ? cell_->aux : 0; }
  ArgumentRef operator[](size_t i) const;
  ArgumentRef key(size_t i) const;
  std::string_view type_name() const;

  const Graph* graph() const { return graph_; }

  friend bool operator==(const ArgumentRef& a, const Argument& b) { return Argument(a) == b; }

 private:
  friend class Argument;
  const Graph* graph_;
  const detail::Cell* cell_;
};

/// One occurrence of a value among the arguments of a node.
class Use {
 public:
  /// The node that reads the value.
  Node* user() const;
  /// The value that is read.
  Node* value() const;
  /// Which of the user's operands it is, counted depth first over args, then kwargs, from 0.
  size_t operand_number() const;

 private:
  friend class UseIterator;
  Use(const Graph* graph, uint32_t cell) : graph_(graph), cell_(cell) {}
  const Graph* graph_;
  uint32_t cell_;
};

/// Walks a use list. Uses must not change meanwhile.
class UseIterator {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = Use;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  using reference = Use;
  UseIterator() = default;
  UseIterator(const Graph* graph, uint32_t cell, uint32_t first)
      : graph_(graph), cell_(cell), first_(first) {}
  Use operator*() const { return Use(graph_, cell_); }
  UseIterator& operator++();
  UseIterator operator++(int) {
    UseIterator old = *this;
    ++*this;
    return old;
  }
  friend bool operator==(const UseIterator& a, const UseIterator& b) { return a.cell_ == b.cell_; }

 private:
  const Graph* graph_ = nullptr;
  uint32_t cell_ = 0;
  uint32_t first_ = 0;
};

template <class Iterator>
struct Range {
  Iterator first, last;
  Iterator begin() const { return first; }
  Iterator end() const { return last; }
  bool empty() const { return first == last; }
};

/// See the head of this file.
class alignas(64) Node {
 public:
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  Graph& graph() const {
    return *detail::PageHeader::of(this).graphs[detail::PageHeader::page_of(this)];
  }
  Context& context() const;

  Opcode op() const { return op_; }
  /// Identifies the node for good: counts up from 0 in the graph, never used again. The key of side
  /// tables (ir/graph/node_map.h).
  uint32_t id() const { return id_; }

  Name name_parts() const;
  std::string name() const { return name_parts().str(); }

  /// The target's text, for every opcode: `aten.add.Tensor`, `layer1.conv`, `size`, `x`, `output`.
  std::string_view target() const { return target_symbol().str(); }
  Symbol target_symbol() const;
  /// What a call_function calls; the null Target for other opcodes.
  Target function() const {
    return op_ == Opcode::kCallFunction ? Target(static_cast<const TargetData*>(target_))
                                        : Target();
  }
  /// True for a call of exactly this function.
  bool is(Target function) const {
    return op_ == Opcode::kCallFunction && target_ == function.data();
  }
  bool is_placeholder() const { return op_ == Opcode::kPlaceholder; }
  /// Calls a function, a method or a module.
  bool is_call() const {
    return op_ == Opcode::kCallFunction || op_ == Opcode::kCallMethod || op_ == Opcode::kCallModule;
  }
  bool is_output() const { return op_ == Opcode::kOutput; }

  /// What is known of the value; the null Type when nothing is.
  Type type() const { return Type(type_); }
  void set_type(Type type);

  // ---- Arguments
  size_t num_args() const { return num_args_; }
  size_t num_kwargs() const { return num_kwargs_; }
  /// Positional argument `i`; checked.
  ArgumentRef arg(size_t i) const;
  Symbol kwarg_name(size_t i) const;
  ArgumentRef kwarg_value(size_t i) const;
  std::optional<ArgumentRef> kwarg(std::string_view name) const;
  /// The value of a schema argument, by its name: as given (positional or keyword), else the
  /// schema's default. Nothing when the operator is unknown, has no such argument, or it was left
  /// out and has no default.
  std::optional<Argument> argument(std::string_view name) const;
  std::vector<Argument> args() const;
  std::vector<Kwarg> kwargs() const;

  // Every change of arguments keeps the use lists right. A node of another graph, or an erased one,
  // is InvalidArgument; a bad index OutOfRange.
  absl::Status set_args(absl::Span<const Argument> args);
  absl::Status set_kwargs(absl::Span<const Kwarg> kwargs);
  absl::Status update_arg(size_t i, const Argument& value);
  /// Inserts before position `i`; `i` may be num_args().
  absl::Status insert_arg(size_t i, const Argument& value);
  /// Replaces the keyword argument, or appends it.
  absl::Status update_kwarg(std::string_view name, const Argument& value);

  /// True when opcode, target and arguments are those of `other`, a node of the same graph:
  /// literals by kind and bits, operands by identity. Names, types and meta data do not count, nor
  /// does whether the call has effects.
  bool same_computation(const Node& other) const;
  /// Equal for nodes that are the same computation. Changes from run to run.
  uint64_t computation_hash() const;

  // ---- Uses
  /// Every occurrence among arguments, in the order in which they were made.
  Range<UseIterator> uses() const;
  size_t num_uses() const { return num_uses_; }
  bool has_uses() const { return num_uses_ != 0; }
  /// The nodes that read this one, each once, in the order of their first use.
  std::vector<Node*> users() const;
  size_t num_users() const;
  bool has_one_user() const;
  /// The nodes that this one reads, each once, in the order of first occurrence: args, then kwargs.
  std::vector<Node*> all_input_nodes() const;
  /// Calls `f` for every operand, repeated ones too, depth first over args, then kwargs.
  template <class F>
  void for_each_input(F&& f) const;

  /// Lets every user of this node read `other` instead, except `other` itself: torch.fx also
  /// rewrites that, into a cycle. Returns the number of uses changed. `other` must be of the same
  /// graph.
  size_t replace_all_uses_with(Node* other);
  /// The same where `rewrite(user)` says so.
  size_t replace_uses_if(Node* other, absl::FunctionRef<bool(const Node& user)> rewrite);
  /// The same with any argument in place of a node.
  absl::Status replace_all_uses_with(const Argument& value);
  /// Lets this node read `new_input` wherever it reads `old_input`; returns the number of uses
  /// changed.
  size_t replace_input_with(Node* old_input, Node* new_input);

  // ---- Order
  /// The neighbours in program order; null at the ends.
  Node* next() const;
  Node* prev() const;
  /// True when this node stands earlier in the same graph. O(1).
  bool comes_before(const Node& other) const { return order_ < other.order_; }
  /// Moves this node directly before or after `anchor`, of the same graph. Nothing checks that
  /// operands still come first; verify() does.
  absl::Status move_before(Node& anchor);
  absl::Status move_after(Node& anchor);
  /// torch.fx's spelling: moves `node` directly before (after) this one.
  absl::Status prepend(Node& node) { return node.move_before(*this); }
  absl::Status append(Node& node) { return node.move_after(*this); }

  // ---- Other changes
  /// Gives the node a free name made from `candidate` by torch.fx's rules. The old one stays taken.
  void rename(std::string_view candidate);
  /// Changes what a call_function calls.
  void set_function(Target function);
  /// Changes a string target (path, method, parameter name). The opcode must not be call_function.
  void set_target(std::string_view target);
  /// Turns the node into another kind of node.
  void set_op_and_target(Opcode op, std::string_view target);

  /// Meta data, by typed keys (ir/graph/meta.h).
  NodeMeta meta() const;

  /// True after erase, until the graph uses the memory for another node.
  bool is_erased() const { return (flags_ & kErased) != 0; }

 private:
  friend class Graph;
  friend class CopyTable;
  friend class ArgumentRef;
  friend class Use;
  friend class NodeIterator;
  friend class NodeRange;
  friend class InsertPointGuard;
  friend class NodeMeta;
  friend class Verifier;
  friend class StructuralHasher;
  friend class GraphTestPeer;
  static constexpr uint8_t kErased = 1;
  static constexpr uint8_t kHasMeta = 2;
  static constexpr uint8_t kTargetIsName = 4;  // see set_target_to_name
  Node() = default;
  size_t move_uses(Graph& g, Node& other);
  size_t replace_checked(Node& other);
  /// What target_ says, made when it is first asked for.
  const void* target_data() const {
    if (flags_ & kTargetIsName) [[unlikely]]
      return make_target();
    return target_;
  }
  const void* make_target() const;
  /// The target, no call_function's, is the text of the name that the node has now. Made when it is
  /// asked for: to intern a text costs more than all else of a node.
  void set_target_to_name() {
    target_ = nullptr;
    flags_ |= kTargetIsName;
  }
  /// Before the name changes.
  void keep_target() {
    if (!(flags_ & kTargetIsName)) return;
    target_ = make_target();
    flags_ &= static_cast<uint8_t>(~kTargetIsName);
  }
  /// Of its arguments, without items of lists.
  uint32_t num_cells() const { return num_args_ + 2u * num_kwargs_; }
  [[noreturn, gnu::cold]] void bad_arg_index(size_t i) const;
  /// The operands in a list, tuple or dict of the arguments.
  absl::InlinedVector<Node*, 6> item_inputs(const detail::Cell& aggregate) const;

  uint32_t slot_;
  uint32_t id_;
  uint32_t prev_;
  uint32_t next_;
  uint32_t order_;
  uint32_t first_use_;  // cell; 0: none
  uint32_t num_uses_;
  uint32_t cells_;  // first argument's cell; args, then (key, value) of each kwarg
  const TypeData* type_;
  // TargetData of a call_function, else Symbol::Data; with kTargetIsName null until it is asked
  // for.
  mutable const void* target_;
  uint32_t name_base_;  // Symbol id
  uint32_t name_number_plus_one_;
  uint32_t num_args_;
  uint16_t num_kwargs_;
  Opcode op_;
  uint8_t flags_;
};
static_assert(sizeof(Node) == 64);

}  // namespace fx
