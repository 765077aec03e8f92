// Node: one step of a Graph.
//
// A Node has one of torch.fx's six opcodes, a target (the called or named object), positional and
// keyword arguments, a unique name, and a Type when one is known. Its Graph owns it: a `Node*` is
// valid until the node is erased.
//
//   %relu : f32[8, 64] = aten.relu.default(%linear)
//
// Layout (measured in docs/benchmarks.md): a node is one 64-byte cache line in a page of its graph;
// its arguments are separate 16-byte cells. The cell of an operand is also its record in the use
// list of the value, so that replacing a value takes time linear in its uses, without a scan of the
// graph. Links are 32-bit indexes.
#pragma once

#include "fx/ir/graph/argument.h"
#include "fx/ir/graph/node_views.h"
#include "fx/ir/graph/target.h"
#include "fx/ir/support/name.h"
#include "fx/ir/types/type.h"

#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/types/span.h"

#include <cstdint>
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
  kCallFunction,  ///< a free function or operator; target: the function
  kCallMethod,    ///< a method of args[0]; target: its name
  kCallModule,    ///< a module's forward; target: its dotted path; args without self
  kOutput,        ///< the result: args[0]
};

inline constexpr size_t kNumOpcodes = static_cast<size_t>(Opcode::kOutput) + 1;

/// "placeholder", "get_attr", "call_function", "call_method", "call_module", "output".
std::string_view opcode_name(Opcode op);
std::optional<Opcode> opcode_from_name(std::string_view name);

namespace detail {

/// The header at the position of every 64th node, at a multiple of 4 KiB. It refers to the graph of
/// each KiB after it: the first page of a graph has 1 KiB, and four such pages share a header.
inline constexpr size_t kHeaderStride = 4096;
inline constexpr size_t kSmallestPage = 1024;
struct PageHeader {
  Graph* graphs[kHeaderStride / kSmallestPage];

  /// The header of a node, and the number of the node's page under that header.
  static PageHeader& of(const void* node) {
    return *reinterpret_cast<PageHeader*>(reinterpret_cast<uintptr_t>(node) &
                                          ~uintptr_t{kHeaderStride - 1});
  }
  static size_t page_of(const void* node) {
    return reinterpret_cast<uintptr_t>(node) / kSmallestPage % (kHeaderStride / kSmallestPage);
  }
};

}  // namespace detail

/// See the top of this file.
class alignas(64) Node {
 public:
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  Graph& graph() const {
    return *detail::PageHeader::of(this).graphs[detail::PageHeader::page_of(this)];
  }
  Context& context() const;

  Opcode op() const { return op_; }
  /// Identifies the node: ids count up from 0 in a graph and are not reused. Tables of nodes are
  /// indexed by id (ir/graph/node_map.h).
  uint32_t id() const { return id_; }

  Name name_parts() const;
  std::string name() const { return name_parts().str(); }

  /// The target's text, for every opcode: `aten.add.Tensor`, `layer1.conv`, `size`, `x`, `output`.
  std::string_view target() const { return target_symbol().str(); }
  Symbol target_symbol() const;
  /// The function that a call_function calls; the null Target for other opcodes.
  Target function() const {
    return op_ == Opcode::kCallFunction ? Target(static_cast<const TargetData*>(target_))
                                        : Target();
  }
  /// True for a call to exactly this function.
  bool is(Target function) const {
    return op_ == Opcode::kCallFunction && target_ == function.data();
  }
  bool is_placeholder() const { return op_ == Opcode::kPlaceholder; }
  /// True for a call to a function, method or module.
  bool is_call() const {
    return op_ == Opcode::kCallFunction || op_ == Opcode::kCallMethod || op_ == Opcode::kCallModule;
  }
  bool is_output() const { return op_ == Opcode::kOutput; }

  /// The type of the value; the null Type if it is unknown.
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
  /// The value of a schema argument, by its name: the positional or keyword argument, else the
  /// schema's default. nullopt when the operator is unknown, has no such argument, or the argument
  /// is missing and has no default.
  std::optional<Argument> argument(std::string_view name) const;
  std::vector<Argument> args() const;
  std::vector<Kwarg> kwargs() const;

  // Every change to the arguments maintains the use lists. Errors: InvalidArgument for a node of
  // another graph or an erased one, OutOfRange for an index that is out of range.
  absl::Status set_args(absl::Span<const Argument> args);
  absl::Status set_kwargs(absl::Span<const Kwarg> kwargs);
  absl::Status update_arg(size_t i, const Argument& value);
  /// Inserts before position `i`; `i` may be num_args().
  absl::Status insert_arg(size_t i, const Argument& value);
  /// Replaces the keyword argument, or appends it if it is missing.
  absl::Status update_kwarg(std::string_view name, const Argument& value);

  /// True if opcode, target and arguments equal those of `other`, a node of the same graph:
  /// literals are compared by kind and bits, operands by identity. Names, types, metadata and
  /// effects are ignored.
  bool same_computation(const Node& other) const;
  /// Equal for nodes with the same computation. Differs from run to run.
  uint64_t computation_hash() const;

  // ---- Uses
  /// All occurrences of this node among arguments, in the order in which they were created.
  Range<UseIterator> uses() const;
  size_t num_uses() const { return num_uses_; }
  bool has_uses() const { return num_uses_ != 0; }
  /// The nodes that use this one, each once, in the order of their first use.
  std::vector<Node*> users() const;
  size_t num_users() const;
  bool has_one_user() const;
  /// The operands, each once, in the order of first occurrence: args, then kwargs.
  std::vector<Node*> all_input_nodes() const;
  /// Calls `f` for every operand, including repeated ones, depth first over args, then kwargs.
  template <class F>
  void for_each_input(F&& f) const;

  /// Makes every user of this node use `other` instead, except `other` itself. (torch.fx also
  /// rewrites the use in `other`, which creates a cycle.) Returns the number of uses changed.
  /// `other` must belong to the same graph.
  size_t replace_all_uses_with(Node* other);
  /// Does the same for the users for which `rewrite(user)` returns true.
  size_t replace_uses_if(Node* other, absl::FunctionRef<bool(const Node& user)> rewrite);
  /// Does the same with any argument as the replacement.
  absl::Status replace_all_uses_with(const Argument& value);
  /// Replaces every use of `old_input` by this node with `new_input`; returns the number of uses
  /// changed.
  size_t replace_input_with(Node* old_input, Node* new_input);

  // ---- Order
  /// The neighbors in program order; null at the ends.
  Node* next() const;
  Node* prev() const;
  /// True when this node comes earlier in the same graph. O(1).
  bool comes_before(const Node& other) const { return order_ < other.order_; }
  /// Moves this node directly before or after `anchor`, a node of the same graph. Does not check
  /// that operands still come before their users; verify() does.
  absl::Status move_before(Node& anchor);
  absl::Status move_after(Node& anchor);
  /// torch.fx's spelling: moves `node` directly before (after) this one.
  absl::Status prepend(Node& node) { return node.move_before(*this); }
  absl::Status append(Node& node) { return node.move_after(*this); }

  // ---- Other changes
  /// Renames the node to a free name created from `candidate` by torch.fx's rules. The old name
  /// stays taken.
  void rename(std::string_view candidate);
  /// Changes the function that a call_function calls.
  void set_function(Target function);
  /// Changes a string target (path, method, parameter name). The opcode must not be call_function.
  void set_target(std::string_view target);
  /// Changes opcode and target.
  void set_op_and_target(Opcode op, std::string_view target);

  /// Metadata, by typed keys (ir/graph/meta.h).
  NodeMeta meta() const;

  /// True after erase_node, until the graph reuses the memory for another node.
  bool is_erased() const { return (flags_ & kErased) != 0; }

 private:
  friend class Graph;
  friend class GraphNames;
  friend class GraphStorage;
  friend class CopyTable;
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
  size_t replace_checked(Node& other);
  const void* target_data() const {
    if (flags_ & kTargetIsName) [[unlikely]]
      return target_from_name();
    return target_;
  }
  const void* target_from_name() const;
  /// Sets the target to the text of the node's current name. The opcode must not be call_function.
  /// The text is not interned, because that would cost more than the rest of the node;
  /// target_data() interns it each time.
  void set_target_to_name() {
    target_ = nullptr;
    flags_ |= kTargetIsName;
  }
  /// Interns a target that set_target_to_name set. Called before the name changes.
  void keep_target() {
    if (!(flags_ & kTargetIsName)) return;
    target_ = target_from_name();
    flags_ &= static_cast<uint8_t>(~kTargetIsName);
  }
  /// The number of cells of the node's arguments, not counting the items of lists.
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
  const void* target_;  // TargetData of a call_function, else Symbol::Data; see kTargetIsName
  uint32_t name_base_;  // Symbol id
  uint32_t name_number_plus_one_;
  uint32_t num_args_;
  uint16_t num_kwargs_;
  Opcode op_;
  uint8_t flags_;
};
static_assert(sizeof(Node) == 64);

}  // namespace fx
