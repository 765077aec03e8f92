// Graph: an ordered list of Nodes in single-assignment form, torch.fx's way.
//
//   fx::Context context;
//   fx::Graph graph(context);
//   fx::Node* x = graph.placeholder("x");
//   fx::Node* y = graph.call_function(context.function("aten.relu.default"), {x});
//   graph.output(y);
//
// The list order is the order of execution. New nodes go to the insert point, at first the end.
// Nested graphs (branches of a cond, bodies of a loop) are owned by the graph that uses them.
//
// The verbs (placeholder, call_function, ...) are for code that builds what it knows to be right: a
// node of another graph among the arguments is a checked bug. create_node is the same with a
// Status, for readers and importers. Neither looks names up: hints keep naming free of text.
//
// One thread may use a Graph at a time; threads with different Graphs may share a Context.
#pragma once

#include "fx/ir/graph/argument.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/graph/node.h"
#include "fx/ir/support/name.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

class Context;
class CopyTable;
class GraphObserver;
class Module;

/// Answers which dotted paths name a member. Module implements it; Graph asks it about the paths of
/// get_attr and call_module nodes, and so does not depend on Module.
class MemberPaths {
 public:
  virtual bool has_attribute(std::string_view path) const = 0;
  virtual bool has_module(std::string_view path) const = 0;
  virtual const Module* as_module() const = 0;

 protected:
  ~MemberPaths() = default;
};

/// What may be said of a new node beyond opcode, target and arguments.
struct NodeOptions {
  std::string_view name = {};  ///< candidate for the name; empty: from the target
  Type type = {};
  /// For readers, whose input has names: exactly this one, not made legal or unique. From
  /// split_name; create_node answers AlreadyExists when it is taken.
  Name exact_name = {};
};

/// How a node is copied.
struct NodeCopyOptions {
  bool keep_name = true;  ///< made unique; else a name from the target
};

/// Steps through the nodes in order. Stable under change: erasing the node it stands on, or any
/// other, and inserting ahead are all fine; what was inserted ahead is visited, what was erased is
/// not.
class NodeIterator {
 public:
  using iterator_category = std::bidirectional_iterator_tag;
  using value_type = Node;
  using difference_type = std::ptrdiff_t;
  using pointer = Node*;
  using reference = Node&;

  NodeIterator(const Graph* graph, Node* node, bool reversed);
  NodeIterator(const NodeIterator& other);
  NodeIterator& operator=(const NodeIterator& other);
  ~NodeIterator();

  Node& operator*() const { return *node_; }
  Node* operator->() const { return node_; }
  NodeIterator& operator++();
  NodeIterator& operator--();
  friend bool operator==(const NodeIterator& a, const NodeIterator& b) {
    return a.node_ == b.node_;
  }

 private:
  void step(bool back);
  const Graph* graph_;
  Node* node_;
  bool reversed_;
};

/// The nodes of a graph as a range; reversed() walks it backwards.
class NodeRange {
 public:
  NodeRange(const Graph* graph, bool reversed) : graph_(graph), reversed_(reversed) {}
  NodeIterator begin() const;
  NodeIterator end() const;
  NodeRange reversed() const { return NodeRange(graph_, !reversed_); }
  size_t size() const;
  bool empty() const { return size() == 0; }

 private:
  const Graph* graph_;
  bool reversed_;
};

/// Puts the insert point back when it goes out of scope.
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

/// Where nodes of one graph went in another: source node -> argument in the destination.
using NodeMapping = absl::flat_hash_map<const Node*, Argument>;

class Graph {
 public:
  explicit Graph(Context& context);
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  Context& context() const { return *context_; }

  // ---- Making nodes, at the insert point
  /// An input. `default_value` makes it optional. A target with a leading `*` or `**` takes the
  /// rest of the positional or keyword inputs.
  Node* placeholder(std::string_view name, NodeOptions options = {});
  Node* placeholder(std::string_view name, const Argument& default_value, NodeOptions options = {});
  /// An input that stands for a node of any graph of the Context: with its name, type and meta
  /// data.
  Node* placeholder_like(const Node& value);
  /// The same for a graph that is copied out of another by way of a table: the copy that the table
  /// has of the value, or a new input, which it notes there.
  Node* placeholder_like(const Node& value, CopyTable& copies);
  /// The same for many values of one graph, at less than the price of each. On return `values`
  /// holds only those that got a new input, in order: none that had a copy before, and none twice.
  void placeholders_like(std::vector<const Node*>& values, CopyTable& copies);
  /// Reads a parameter, buffer, constant or nested graph by its dotted path.
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
  /// Any of these. InvalidArgument, with nothing changed and no name taken, when an argument holds
  /// a node of another graph or an erased one, when a key of `kwargs` occurs twice, or when the
  /// opcode's form is broken (an output without its one argument, a placeholder with more than a
  /// default); FailedPrecondition for a second output; AlreadyExists when `options.exact_name` is
  /// taken; NotFound when the owning module lacks the path of a get_attr or call_module.
  absl::StatusOr<Node*> create_node(Opcode op, std::string_view target,
                                    absl::Span<const Argument> args = {},
                                    absl::Span<const Kwarg> kwargs = {}, NodeOptions options = {});
  absl::StatusOr<Node*> create_node(Opcode op, Target function,
                                    absl::Span<const Argument> args = {},
                                    absl::Span<const Kwarg> kwargs = {}, NodeOptions options = {});

  /// torch.fx accepts several outputs, of which the first ends the run; here a second one is a
  /// FailedPrecondition unless this is on (readers turn it on and leave the verdict to verify).
  void set_allow_several_outputs(bool on) { allow_several_outputs_ = on; }

  // ---- Erasing
  /// Removes a node that nobody reads. FailedPrecondition, naming the users, when somebody does;
  /// InvalidArgument for a node of another graph or an erased one. The name stays taken.
  absl::Status erase_node(Node* node);
  /// Removes everything, names too.
  void clear();
  /// Removes all nodes and nested graphs, and takes over those of another graph of the Context,
  /// with their names, order, types and meta data; costs what that one has. Ids are new. The
  /// graph's own meta data stay. Nobody may iterate over either graph.
  void replace_nodes(std::unique_ptr<Graph> from);

  // ---- Insert point
  // New nodes go before a fixed node, so that several come out in the order of their creation,
  // under inserting_after too; torch.fx reverses them there (set_torch_insert_order gives that
  // back).
  [[nodiscard]] InsertPointGuard inserting_before(Node* anchor);  ///< null: start of the graph
  [[nodiscard]] InsertPointGuard inserting_after(Node* anchor);   ///< null: end of the graph
  void set_insert_point_before(Node* anchor);                     ///< null: start of the graph
  void set_insert_point_after(Node* anchor);                      ///< null: end of the graph
  /// The node before which the next one goes; null at the end.
  Node* insert_point() const;
  /// True: under inserting_after, and inserting_before(nullptr), every new node goes directly
  /// behind the anchor, as in torch.fx.
  void set_torch_insert_order(bool on) { torch_insert_order_ = on; }

  // ---- Reading
  /// All nodes in order: `for (Node& n : graph.nodes())`.
  NodeRange nodes() const { return NodeRange(this, false); }
  size_t size() const { return size_; }
  /// How many of them are of this opcode.
  size_t num_nodes(Opcode op) const { return num_by_op_[static_cast<size_t>(op)]; }
  /// How many of them are calls: of functions, methods and modules.
  size_t num_calls() const {
    return num_nodes(Opcode::kCallFunction) + num_nodes(Opcode::kCallMethod) +
           num_nodes(Opcode::kCallModule);
  }
  bool empty() const { return size_ == 0; }
  Node* front() const;  ///< null when empty
  Node* back() const;
  /// The output node, wherever it stands: the first when there are several (which verify reports),
  /// null when there is none.
  Node* output_node() const;
  /// The nodes of this opcode and, when given, target, in order. Costs the number found (a table is
  /// made at the first call and kept).
  std::vector<Node*> find_nodes(Opcode op, std::string_view target) const;
  std::vector<Node*> find_nodes(Opcode op) const;
  std::vector<Node*> find_nodes(Target function) const;
  /// The node with this name, or null. Costs a table of all names, made anew after changes.
  Node* find_node(std::string_view name) const;
  /// Node ids are below this.
  uint32_t id_bound() const { return next_id_; }
  /// Grows with every change, of nodes, arguments, order, types and names.
  uint64_t version() const { return version_; }

  // ---- Copying
  /// Copies all nodes of `source`, except its output and those already in `map`, to the insert
  /// point; `map` is completed. Returns what the source returned, mapped; nothing when it has no
  /// output. Names are made unique here; types and meta are copied.
  absl::StatusOr<std::optional<Argument>> graph_copy(const Graph& source, NodeMapping& map);
  /// Copies one node: opcode, target, name (made unique), type, meta; its operands through
  /// `map_node`, which must give nodes of this graph. InvalidArgument otherwise.
  absl::StatusOr<Node*> node_copy(const Node& node, absl::FunctionRef<Argument(Node*)> map_node,
                                  NodeCopyOptions options = {});
  /// The same where a table has the copies of the operands. InvalidArgument, naming it, when it has
  /// none of an operand. The caller notes the new copy there.
  absl::StatusOr<Node*> node_copy(const Node& node, const CopyTable& copies,
                                  NodeCopyOptions options = {});
  /// The same for many nodes of one graph, in order, at less than the price of each: operands may
  /// be among them. The table notes the copies. On an error the nodes before that one are copied.
  absl::Status copy_nodes(absl::Span<const Node* const> nodes, CopyTable& copies,
                          NodeCopyOptions options = {});
  /// The same for a node of this graph, with its own operands.
  absl::StatusOr<Node*> node_copy(const Node& node);
  /// Makes of `call`, a call_function of this graph, what `pattern`, one of any graph of the
  /// Context, is: its function and arguments, operands from the table. Name, place, type, meta data
  /// and users stay. InvalidArgument, with nothing changed, when an operand has no copy, or reads
  /// `call` itself.
  absl::Status copy_call(Node& call, const Node& pattern, const CopyTable& copies);
  /// A copy that shares nothing but the Context: same names, order, ids, types and meta. `map`,
  /// when given, takes old node -> new node.
  std::unique_ptr<Graph> clone(absl::flat_hash_map<const Node*, Node*>* map = nullptr) const;

  // ---- Nested graphs
  /// Takes a nested graph, of the same Context; returns its number. A get_attr of `name` and a
  /// graph argument of that number both mean it. InvalidArgument when the name is taken.
  absl::StatusOr<uint32_t> add_subgraph(std::string_view name, std::unique_ptr<Graph> graph);
  size_t num_subgraphs() const { return subgraphs_.size(); }
  Graph& subgraph(size_t i) const { return *subgraphs_[i].graph; }
  std::string_view subgraph_name(size_t i) const { return subgraphs_[i].name.str(); }
  Graph* find_subgraph(std::string_view name) const;

  // ---- Meta data of the graph itself: a dict of arguments without nodes
  const std::vector<std::pair<Symbol, Argument>>& meta() const { return graph_meta_; }
  std::optional<Argument> meta(std::string_view key) const;
  void set_meta(std::string_view key, Argument value);

  // ---- Surroundings
  /// The module that get_attr and call_module paths refer to; null when the graph has none.
  const Module* owning_module() const { return owner_ == nullptr ? nullptr : owner_->as_module(); }
  void set_owning_module(const MemberPaths* owner) { owner_ = owner; }
  void add_observer(GraphObserver* observer) { observers_.push_back(observer); }
  void remove_observer(GraphObserver* observer);
  /// The names that are taken: of nodes that are or were here.
  NameSpace& names() {
    if (names_in_nodes_) [[unlikely]]
      enter_names();
    return names_;
  }

  /// Unchecked access to the storage (ir/graph/graph_editor.h).
  class Editor;

  // ---- Memory
  /// Bytes that the graph holds, without its nested graphs and what the Context shares.
  size_t memory_bytes() const;
  /// Prepares for `nodes` more nodes with `arguments` arguments in all.
  void reserve(size_t nodes, size_t arguments);

  /// The node in a slot; for the views of node.h.
  Node* node_at(uint32_t slot) const {
    return node_pages_[slot >> kNodePageBits] + (slot & (kNodesPerPage - 1));
  }
  /// The node in `slot`, most likely behind the same header as `node`: then only its address is
  /// needed, and a walk over the graph waits for one load a node instead of two.
  Node* node_near(const Node& node, uint32_t slot) const {
    if ((slot ^ node.slot_) >= kSlotsPerHeader) [[unlikely]]
      return node_at(slot);
    return const_cast<Node*>(&node) + static_cast<int32_t>(slot - node.slot_);
  }
  detail::Cell* cell_at(uint32_t index) const {
    return cell_pages_[index >> kCellPageBits] + (index & (kCellsPerPage - 1));
  }

 private:
  friend class Node;
  friend class NodeIterator;
  friend class NodeRange;
  friend class InsertPointGuard;
  friend class NodeMeta;
  friend class Verifier;          // ir/verify/verifier.cpp
  friend class StructuralHasher;  // ir/verify/hash.cpp
  friend class GraphTestPeer;     // tests that break graphs on purpose

  static constexpr uint32_t kSlotsPerHeader = detail::kHeaderStride / sizeof(Node);
  static constexpr uint32_t kNodePageBits = 10;
  static constexpr uint32_t kNodesPerPage = 1u << kNodePageBits;
  static constexpr uint32_t kCellPageBits = 12;
  static constexpr uint32_t kCellsPerPage = 1u << kCellPageBits;
  static constexpr uint32_t kRoot = 1;  // slot of the hidden node that closes the list

  struct Subgraph {
    Symbol name;
    std::unique_ptr<Graph> graph;
  };
  struct FindIndex;
  struct NameIndex;
  struct FreeStorage;  // graph_storage_internal.h

  // Storage (graph_storage_internal.h, graph_storage.cpp)
  void* new_pages(size_t count);
  void* new_single_page(size_t page);
  /// So many full pages behind each other; fewer that were spare are left unused.
  void ensure_spare_pages(size_t count);
  void add_slots();
  void add_node_page();
  void set_headers(size_t page);
  void free_blocks();
  uint32_t new_slot();
  uint32_t grow_slots();
  uint32_t new_cells(uint32_t count);
  uint32_t grow_cells(uint32_t count);
  FreeStorage& own_free_storage();
  void free_cells(uint32_t begin, uint32_t count);
  void add_use(uint32_t cell, uint32_t value, uint32_t user);
  void remove_use(uint32_t cell);
  void move_cell(uint32_t from, uint32_t to);
  void store(const Argument& value, uint32_t cell, uint32_t user);
  void store_owned(const Argument& value, uint32_t cell, uint32_t user);
  void store_kwargs(absl::Span<const Kwarg> kwargs, uint32_t cell, uint32_t user);
  void release(uint32_t cell);
  void release_items(uint32_t cell);
  void release_arguments(Node& node);
  /// Takes a node without arguments out of the graph.
  void drop(Node& node);
  void erase_block(absl::Span<Node* const> nodes);
  /// node.replace_all_uses_with(&other), where that does not read the node.
  void replace_unread(Node& node, Node& other);
  /// Puts an erased node without arguments into a list of slots.
  void add_to(uint32_t& slots, Node& node);
  /// Forgets the last node that new_node has made, which was not inserted.
  void take_back(Node& node);
  void link_before(Node& node, uint32_t before);
  void unlink(Node& node);
  void renumber_around(Node& node);
  Node& new_node(Opcode op, const void* target, Name name, size_t num_args, size_t num_kwargs,
                 const TypeData* type);
  void insert(Node& node);

  // Names (graph.cpp). Those of a new graph lie in its nodes alone, which stand in the order in
  // which the names were taken: until a node goes, moves or is made elsewhere than at the end, or
  // somebody asks for what a short look at the nodes does not tell.
  void enter_names();
  /// A name for the node that is made next, at the insert point.
  Name create_name(const NameHint& hint) {
    return names_in_nodes_ ? create_name_in_nodes(hint) : names_.create(hint);
  }
  /// NameSpace::create_like in the same way.
  Name create_name_like(const Name& name);
  Name create_name_in_nodes(const NameHint& hint);
  /// Names lie in the nodes, the next node goes to their end, and surely none has this base; false
  /// also where a short look cannot tell.
  bool is_new_in_nodes(Symbol base) const;
  /// Before the next node gets a name of this base while names lie in the nodes.
  void note_base(Symbol base);

  // Making and changing nodes (graph.cpp)
  class SubgraphCopier;  // graph_copy.cpp, as these
  template <class SlotOf>
  void copy_cells(const Graph& source, const detail::Cell* from, uint32_t count, uint32_t to,
                  uint32_t user, SlotOf& slot_of);
  Name name_of_copy(const Node& node, const NodeCopyOptions& how);
  bool is_named_by_target(const Node& node, const Name& name) const;
  /// The node without its arguments.
  Node& copy_head(const Node& node, const NodeCopyOptions& how);
  template <class SlotOf>
  Node& copy_plain(const Node& node, const NodeCopyOptions& how, SlotOf&& slot_of);
  /// The copy by a table of a node of a graph without nested graphs, but for its meta data; null
  /// when the table has none of an operand.
  Node* copy_bare(const Node& node, const CopyTable& copies, const NodeCopyOptions& how,
                  bool& keeps_name);
  class MetaCopies;
  /// Whether copies here of nodes that have none yet may take their names without a look at others:
  /// all names here are those of other nodes of the source, and so are different. Notes the version
  /// of the source in the table when this is the first one.
  bool names_stay_free(const Graph& source, CopyTable& copies) const;
  /// An input for the value, without meta data, by such a name; null where that cannot be.
  Node* input_of_same_name(const Node& value, CopyTable& copies);
  absl::StatusOr<Node*> copy_node(const Node& node, SubgraphCopier& subgraphs,
                                  absl::FunctionRef<Argument(Node*)> map_node,
                                  const NodeCopyOptions& how);
  absl::StatusOr<Node*> copy_tree(const Node& node, SubgraphCopier& subgraphs,
                                  absl::FunctionRef<Argument(Node*)> map_node,
                                  const NodeCopyOptions& how);
  absl::StatusOr<Node*> make(Opcode op, const void* target, const NameHint& hint,
                             absl::Span<const Argument> args, absl::Span<const Kwarg> kwargs,
                             const NodeOptions& options);
  /// A null target is the text of the name (Node::set_target_to_name).
  Node* make_named(Opcode op, const void* target, Name name, absl::Span<const Argument> args,
                   absl::Span<const Kwarg> kwargs, Type type);
  Node* input_like(const Node& value, Name name);
  /// The node is live and of this graph.
  bool owns(const Node* node) const { return node && !node->is_erased() && &node->graph() == this; }
  /// The value is one that a node may hold; for what is not, check_argument has the message.
  bool may_hold(const Argument& value) const;
  absl::Status not_owned(const Node* node) const;
  absl::Status check_arguments(absl::Span<const Argument> args,
                               absl::Span<const Kwarg> kwargs) const;
  absl::Status check_argument(const Argument& value) const;
  absl::Status check_form(Opcode op, std::string_view target, size_t num_args,
                          size_t num_kwargs) const;
  absl::Status check_own(const Node* node) const {
    return owns(node) ? absl::OkStatus() : not_owned(node);
  }
  void changed(const Node* node = nullptr) {
    ++version_;
    (void)node;
  }
  void note_target(Node& node);
  void make_find_index() const;
  std::vector<Node*> find_in_index(Opcode op, const void* target) const;

  Context* context_;
  Node** node_pages_ = nullptr;          // data of node_page_list_
  detail::Cell** cell_pages_ = nullptr;  // data of cell_page_list_
  uint32_t size_ = 0;
  // Slots of erased nodes, as lists through their cells_: those that nothing looks at, and those
  // that iterators may stand on while any is alive. 0: none.
  uint32_t free_slots_ = 0;
  uint32_t erased_slots_ = 0;
  uint32_t next_slot_ = 0;
  uint32_t slots_end_ = 0;  // behind those of next_slot_'s header
  uint32_t next_id_ = 0;
  uint32_t next_cell_ = 1;
  uint32_t cells_end_ = 0;  // behind the last cell page
  uint32_t insert_before_ = kRoot;
  bool insert_reverse_ = false;  // torch.fx's order: the anchor moves before each new node
  bool torch_insert_order_ = false;
  bool allow_several_outputs_ = false;
  bool names_in_nodes_ = true;    // names_ is empty: those of the nodes are taken, in their order
  bool may_name_output_ = false;  // one of them may have the base that output nodes have
  std::array<uint32_t, kNumOpcodes> num_by_op_ = {};
  mutable uint32_t live_iterators_ = 0;
  uint64_t version_ = 0;
  NameSpace names_;
  absl::InlinedVector<Node*, 2> node_page_list_;
  absl::InlinedVector<detail::Cell*, 2> cell_page_list_;
  absl::InlinedVector<std::pair<void*, size_t>, 1> blocks_;  // memory to free: address, bytes
  char* spare_pages_ = nullptr;
  size_t num_spare_pages_ = 0;
  bool has_long_runs_ = false;         // of cells: they go over several pages
  std::unique_ptr<FreeStorage> free_;  // made when the first node or argument goes
  std::vector<Subgraph> subgraphs_;
  std::vector<std::pair<Symbol, Argument>> graph_meta_;
  MetaTable meta_;
  const MemberPaths* owner_ = nullptr;
  std::vector<GraphObserver*> observers_;
  mutable std::unique_ptr<FindIndex> find_index_;
  mutable std::unique_ptr<NameIndex> name_index_;
};

/// Told of every change of nodes, once the graph is consistent again (erase: just before).
class GraphObserver {
 public:
  virtual ~GraphObserver() = default;
  virtual void node_created(Node&) {}
  virtual void node_erased(Node&) {}
  /// `user` reads `new_value` where it read `old_value`.
  virtual void use_replaced(Node& old_value, Node& new_value, Node& user);
};

/// Copies an argument tree with every node replaced by what `f` gives; subtrees without nodes are
/// shared. Order: depth first, left to right.
Argument map_nodes(const Argument& argument, absl::FunctionRef<Argument(Node*)> f);
/// The same for every leaf.
Argument map_leaves(const Argument& argument, absl::FunctionRef<Argument(const Argument&)> f);

// ---------------------------------------------------------------- inline parts

inline NodeIterator::NodeIterator(const Graph* graph, Node* node, bool reversed)
    : graph_(graph), node_(node), reversed_(reversed) {
  ++graph_->live_iterators_;
}
inline NodeIterator::NodeIterator(const NodeIterator& other)
    : NodeIterator(other.graph_, other.node_, other.reversed_) {}
inline NodeIterator& NodeIterator::operator=(const NodeIterator& other) {
  ++other.graph_->live_iterators_;
  --graph_->live_iterators_;
  graph_ = other.graph_;
  node_ = other.node_;
  reversed_ = other.reversed_;
  return *this;
}
inline NodeIterator::~NodeIterator() { --graph_->live_iterators_; }
[[gnu::always_inline]] inline void NodeIterator::step(bool back) {
  do {
    node_ = graph_->node_near(*node_, back ? node_->prev_ : node_->next_);
  } while (node_->is_erased());
}
[[gnu::always_inline]] inline NodeIterator& NodeIterator::operator++() {
  step(reversed_);
  return *this;
}
inline NodeIterator& NodeIterator::operator--() {
  step(!reversed_);
  return *this;
}

inline NodeIterator NodeRange::begin() const {
  const Node* root = graph_->node_at(Graph::kRoot);
  return NodeIterator(graph_, graph_->node_at(reversed_ ? root->prev_ : root->next_), reversed_);
}
inline NodeIterator NodeRange::end() const {
  return NodeIterator(graph_, graph_->node_at(Graph::kRoot), reversed_);
}
inline size_t NodeRange::size() const { return graph_->size(); }

inline Node* ArgumentRef::node() const {
  return cell_->is_use() ? graph_->node_at(cell_->head) : nullptr;
}
inline Node* Use::user() const { return graph_->node_at(graph_->cell_at(cell_)->aux); }
inline Node* Use::value() const { return graph_->node_at(graph_->cell_at(cell_)->head); }
inline UseIterator& UseIterator::operator++() {
  uint32_t next = graph_->cell_at(cell_)->use.next;
  cell_ = next == first_ ? 0 : next;
  return *this;
}
inline Range<UseIterator> Node::uses() const {
  return {UseIterator(&graph(), first_use_, first_use_), UseIterator()};
}
template <class F>
inline void Node::for_each_input(F&& f) const {
  const uint32_t count = num_cells();
  if (count == 0) return;
  const Graph& g = graph();
  const detail::Cell* cell = g.cell_at(cells_);  // they lie behind each other
  for (const detail::Cell* end = cell + count; cell != end; ++cell) {
    if (cell->is_use()) {
      f(g.node_at(cell->head));
    } else if (is_aggregate(cell->kind())) {
      // A list of its own, so that `f`, and what it captures, goes to no function that is not
      // inlined: a caller's counters stay in registers.
      for (Node* input : item_inputs(*cell)) f(input);
    }
  }
}
inline ArgumentRef Node::arg(size_t i) const {
  if (i >= num_args_) bad_arg_index(i);
  return ArgumentRef(&graph(), graph().cell_at(cells_) + i);
}

}  // namespace fx
