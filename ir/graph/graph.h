// Graph: an ordered list of Nodes in single-assignment form, as in torch.fx.
//
//   fx::Context context;
//   fx::Graph graph(context);
//   fx::Node* x = graph.placeholder("x");
//   fx::Node* y = graph.call_function(context.function("aten.relu.default"), {x});
//   graph.output(y);
//
// The order of the list is the order of execution. New nodes are inserted at the insert point,
// initially the end. A graph owns its nodes and the nested graphs that they use (branches of a
// cond, bodies of a loop). Its parts: GraphStorage stores nodes, arguments and uses; GraphNames,
// the names; and MetaTable, the metadata.
//
// placeholder, call_function and similar functions require valid arguments: passing a node of
// another graph fails a check. create_node creates the same nodes but returns a Status, for readers
// and importers.
//
// Multiple threads may read a Graph concurrently, through const functions of the Graph and of its
// nodes, while no thread changes it. Threads may change different Graphs of one Context.
#pragma once

#include "fx/ir/graph/argument.h"
#include "fx/ir/graph/graph_names.h"
#include "fx/ir/graph/graph_storage.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/graph/node.h"
#include "fx/ir/graph/node_range.h"
#include "fx/ir/support/lazy.h"
#include "fx/ir/support/name.h"

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {

class Context;
class GraphObserver;
class Module;

/// The interface through which Graph checks the paths of get_attr and call_module nodes. Module
/// implements it, so that Graph does not depend on Module.
class MemberPaths {
 public:
  virtual bool has_attribute(std::string_view path) const = 0;
  virtual bool has_module(std::string_view path) const = 0;
  virtual const Module* as_module() const = 0;

 protected:
  ~MemberPaths() = default;
};

/// Optional properties of a new node.
struct NodeOptions {
  std::string_view name = {};  ///< candidate for the name; empty: derived from the target
  Type type = {};
  /// The exact name, from split_name, for readers of formats with names. It is not made legal or
  /// unique: create_node returns AlreadyExists when it is taken.
  Name exact_name = {};
};

/// Options for copying a node.
struct NodeCopyOptions {
  bool keep_name = true;  ///< the node's name, made unique; else a name derived from the target
};

/// Restores the insert point when it goes out of scope.
class [[nodiscard]] InsertPointGuard {
 public:
  InsertPointGuard(InsertPointGuard&& other) noexcept;
  InsertPointGuard& operator=(InsertPointGuard&&) = delete;
  ~InsertPointGuard();

 private:
  friend class Graph;
  InsertPointGuard(Graph* graph, uint32_t before, bool reverse)
      : graph_(graph), before_(before), reverse_(reverse) {}
  Graph* graph_;
  uint32_t before_;
  bool reverse_;
};

/// Maps nodes of a source graph to arguments in the graph that they are copied to.
using NodeMapping = absl::flat_hash_map<const Node*, Argument>;

class Graph {
 public:
  explicit Graph(Context& context);
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  Context& context() const { return *context_; }

  // ---- Creating nodes, at the insert point
  /// An input. `default_value` makes it optional. An input whose target has a leading `*` or `**`
  /// receives the remaining positional or keyword inputs.
  Node* placeholder(std::string_view name, NodeOptions options = {});
  Node* placeholder(std::string_view name, const Argument& default_value, NodeOptions options = {});
  /// An input with the name, type and metadata of a node of any graph of the Context.
  Node* placeholder_like(const Node& value);
  /// A parameter, buffer, constant or nested graph, by its dotted path.
  Node* get_attr(std::string_view path, NodeOptions options = {});
  Node* call_function(Target function, absl::Span<const Argument> args = {},
                      absl::Span<const Kwarg> kwargs = {}, NodeOptions options = {});
  /// `args[0]` is the object whose method is called.
  Node* call_method(std::string_view method, absl::Span<const Argument> args,
                    absl::Span<const Kwarg> kwargs = {}, NodeOptions options = {});
  Node* call_module(std::string_view path, absl::Span<const Argument> args = {},
                    absl::Span<const Kwarg> kwargs = {}, NodeOptions options = {});
  /// The graph's result.
  Node* output(const Argument& result, NodeOptions options = {});
  /// Creates a node of any opcode. On error, nothing changes and no name is taken. Errors:
  /// InvalidArgument if an argument contains an erased node or a node of another graph, `kwargs`
  /// has a duplicate key, an output does not have exactly one argument, or a placeholder has
  /// arguments other than a default; FailedPrecondition for a second output; AlreadyExists if
  /// `options.exact_name` is taken; NotFound if the owning module does not have the path of a
  /// get_attr or call_module.
  absl::StatusOr<Node*> create_node(Opcode op, std::string_view target,
                                    absl::Span<const Argument> args = {},
                                    absl::Span<const Kwarg> kwargs = {}, NodeOptions options = {});
  absl::StatusOr<Node*> create_node(Opcode op, Target function,
                                    absl::Span<const Argument> args = {},
                                    absl::Span<const Kwarg> kwargs = {}, NodeOptions options = {});
  /// torch.fx accepts multiple outputs; the first one ends the run. By default, create_node returns
  /// FailedPrecondition for a second output. Readers turn this option on, so that verify can report
  /// the second output.
  void set_allow_several_outputs(bool on) { allow_several_outputs_ = on; }

  // ---- Erasing
  /// Erases a node without users. Returns FailedPrecondition, with the names of the users, if the
  /// node has users; InvalidArgument for an erased node or a node of another graph. The name stays
  /// taken.
  absl::Status erase_node(Node* node);
  /// Erases everything, including names.
  void clear();
  /// Replaces all nodes and nested graphs with those of `from`, a graph of the same Context, with
  /// their names, order, types and metadata, in time O(size of `from`). The nodes get new ids. The
  /// metadata of the graph itself does not change. No iterator over either graph and no observer of
  /// `from` may exist.
  void replace_nodes(std::unique_ptr<Graph> from);

  // ---- Insert point
  // New nodes go before a fixed node, so they are in the order of their creation, even with
  // inserting_after. torch.fx reverses the order in that case; see
  // set_torch_insert_order.
  [[nodiscard]] InsertPointGuard inserting_before(Node* anchor);  ///< null: start of the graph
  [[nodiscard]] InsertPointGuard inserting_after(Node* anchor);   ///< null: end of the graph
  void set_insert_point_before(Node* anchor);                     ///< null: start of the graph
  void set_insert_point_after(Node* anchor);                      ///< null: end of the graph
  /// The node before which new nodes are inserted; null at the end.
  Node* insert_point() const;
  /// If on, inserting_after and inserting_before(nullptr) insert each new node directly after the
  /// anchor, as in torch.fx.
  void set_torch_insert_order(bool on) { torch_insert_order_ = on; }

  // ---- Reading
  /// All nodes in order: `for (Node& n : graph.nodes())`.
  NodeRange nodes() const { return NodeRange(&storage_, false); }
  size_t size() const { return storage_.size(); }
  bool empty() const { return size() == 0; }
  /// The number of nodes of this opcode.
  size_t num_nodes(Opcode op) const { return storage_.num_by_op()[static_cast<size_t>(op)]; }
  /// The number of calls: of functions, methods and modules.
  size_t num_calls() const {
    return num_nodes(Opcode::kCallFunction) + num_nodes(Opcode::kCallMethod) +
           num_nodes(Opcode::kCallModule);
  }
  Node* front() const;  ///< null when the graph is empty
  Node* back() const;   ///< null when the graph is empty
  /// The first output node; null if none exists. verify reports additional outputs.
  Node* output_node() const;
  /// The nodes of this opcode and, if `target` is not empty, this target, in order. The first call
  /// builds an index, which is maintained; later calls take time linear in the number of nodes
  /// found.
  std::vector<Node*> find_nodes(Opcode op, std::string_view target) const;
  std::vector<Node*> find_nodes(Opcode op) const;
  std::vector<Node*> find_nodes(Target function) const;
  /// The node with this name, or null. The first call after a change builds an index of all names.
  Node* find_node(std::string_view name) const;
  /// All node ids are less than this.
  uint32_t id_bound() const { return storage_.id_bound(); }
  /// Increases with every change to nodes, arguments, order, types and names.
  uint64_t version() const { return version_; }

  // ---- Copying (copy_table.h copies parts of a graph)
  /// Copies all nodes of `source`, except its output and those in `map`, to the insert point, and
  /// adds them to `map`. Returns the result of `source`, mapped; nullopt if it has no output.
  /// InvalidArgument if a node of `source` uses a node that neither comes before it nor is in
  /// `map`. Names are made unique; types, metadata, guards and ranges of symbols (docs/guards.md)
  /// are copied.
  absl::StatusOr<std::optional<Argument>> graph_copy(const Graph& source, NodeMapping& map);
  /// Copies one node: opcode, target, name (made unique), type and metadata. Replaces its operands
  /// with the results of `map_node`. Returns InvalidArgument if a result is a node of another
  /// graph.
  absl::StatusOr<Node*> node_copy(const Node& node, absl::FunctionRef<Argument(Node*)> map_node,
                                  NodeCopyOptions options = {});
  /// Copies a node of this graph, with the same operands.
  absl::StatusOr<Node*> node_copy(const Node& node);
  /// A copy that shares only the Context: same names, order, ids, types and metadata. `map`, if
  /// not null, receives the copy of each node.
  std::unique_ptr<Graph> clone(absl::flat_hash_map<const Node*, Node*>* map = nullptr) const;

  // ---- Nested graphs
  /// Adds a nested graph of the same Context; returns its index. A get_attr of `name` and a graph
  /// argument with that index both refer to it. InvalidArgument when the name is taken.
  absl::StatusOr<uint32_t> add_subgraph(std::string_view name, std::unique_ptr<Graph> graph);
  size_t num_subgraphs() const { return subgraphs_.size(); }
  Graph& subgraph(size_t i) const { return *subgraphs_[i].graph; }
  std::string_view subgraph_name(size_t i) const { return subgraphs_[i].name.str(); }
  Graph* find_subgraph(std::string_view name) const;
  /// True for a graph that add_subgraph() added to another graph.
  bool is_nested() const { return is_nested_; }

  // ---- Metadata of the graph itself: a dict of arguments without nodes
  const std::vector<std::pair<Symbol, Argument>>& meta() const { return graph_meta_; }
  std::optional<Argument> meta(std::string_view key) const;
  /// Sets an entry; None removes it.
  void set_meta(std::string_view key, Argument value);

  // ---- Environment
  /// The module that get_attr and call_module paths refer to; null when the graph has none.
  const Module* owning_module() const { return owner_ == nullptr ? nullptr : owner_->as_module(); }
  void set_owning_module(const MemberPaths* owner) { owner_ = owner; }
  void add_observer(GraphObserver* observer) { observers_.push_back(observer); }
  void remove_observer(GraphObserver* observer);
  /// The names of all nodes that are or were in the graph.
  NameSpace& names() { return names_.all(); }

  // ---- Memory
  /// The number of bytes that the graph owns, without nested graphs and the Context.
  size_t memory_bytes() const;
  /// Reserves memory for `nodes` more nodes with a total of `arguments` arguments.
  void reserve(size_t nodes, size_t arguments) { storage_.reserve(nodes, arguments); }

  /// The memory of the nodes, for unchecked reading: the verifier, hashing, writers.
  const GraphStorage& storage() const { return storage_; }
  /// Edits without checks (graph_editor.h).
  class Editor;

 private:
  friend class CopyTable;
  friend class Node;
  friend class InsertPointGuard;
  friend class NodeMeta;
  friend class Verifier;       // reads corrupted graphs
  friend class GraphTestPeer;  // tests that deliberately break graphs

  static constexpr uint32_t kRoot = GraphStorage::kRoot;

  class Copier;       // graph_copy.cpp
  class TargetIndex;  // graph_index_internal.h
  class NameIndex;
  struct Subgraph {
    Symbol name;
    std::unique_ptr<Graph> graph;
  };

  Name create_name(const NameHint& hint) { return names_.create(hint, insert_before_); }
  Name create_name_like(const Name& name) { return names_.create_like(name, insert_before_); }
  absl::StatusOr<Node*> make(Opcode op, const void* target, const NameHint& hint,
                             absl::Span<const Argument> args, absl::Span<const Kwarg> kwargs,
                             const NodeOptions& options);
  /// A null target means the text of the name (Node::set_target_to_name).
  Node* make_named(Opcode op, const void* target, Name name, absl::Span<const Argument> args,
                   absl::Span<const Kwarg> kwargs, Type type);
  Node* input_like(const Node& value, Name name);
  /// Inserts a node, which the storage has created, at the insert point. Notifies the observers.
  void insert(Node& node);
  /// Removes a node without arguments from the graph.
  void remove(Node& node);
  /// Moves a node of this graph before the node in a slot.
  void move(Node& node, uint32_t before);
  void changed() { ++version_; }
  /// Called for a new node and for a node with a new target.
  void note_target(Node& node) {
    if (target_index_.peek() != nullptr) [[unlikely]]
      note_new_target(node);
  }
  void note_new_target(Node& node);

  // Checks of arguments of public functions.
  /// True for a live node of this graph.
  bool owns(const Node* node) const { return node && !node->is_erased() && &node->graph() == this; }
  /// True if the value may be an argument of a node; otherwise, check_argument returns the error.
  bool is_valid_argument(const Argument& value) const;
  absl::Status not_owned(const Node* node) const;
  absl::Status check_own(const Node* node) const {
    return owns(node) ? absl::OkStatus() : not_owned(node);
  }
  absl::Status check_argument(const Argument& value) const;
  absl::Status check_arguments(absl::Span<const Argument> args,
                               absl::Span<const Kwarg> kwargs) const;
  absl::Status check_form(Opcode op, std::string_view target, size_t num_args,
                          size_t num_kwargs) const;

  Context* context_;
  GraphStorage storage_;
  uint64_t version_ = 0;
  uint32_t insert_before_ = kRoot;
  bool insert_reverse_ = false;  // torch.fx's order: the anchor moves before each new node
  bool torch_insert_order_ = false;
  bool allow_several_outputs_ = false;
  bool is_nested_ = false;
  GraphNames names_;
  MetaTable meta_;
  std::vector<Subgraph> subgraphs_;
  std::vector<std::pair<Symbol, Argument>> graph_meta_;
  const MemberPaths* owner_ = nullptr;
  std::vector<GraphObserver*> observers_;
  internal::LazyPtr<TargetIndex> target_index_;
  internal::LazyPtr<NameIndex> name_index_;
};

/// Receives a notification of every change to nodes. The graph is consistent at each call.
class GraphObserver {
 public:
  virtual ~GraphObserver() = default;
  virtual void node_created(Node&) {}
  /// Called just before the node is erased.
  virtual void node_erased(Node&) {}
  /// `user` now uses `new_value` instead of `old_value`.
  virtual void use_replaced(Node& old_value, Node& new_value, Node& user);
};

}  // namespace fx

#include "fx/ir/graph/node_inline.h"
