// Graph::Editor: unchecked access to a graph, for code in which the checks of Graph's public
// interface are too slow: readers and writers of files, shape propagation, outlining, rewriting.
//
// Three groups of functions:
//   - static readers of the stored fields of a node;
//   - static functions that create, replace and erase nodes of an existing graph, at its insert
//     point;
//   - an Editor object, which fills a new graph node by node, cell by cell.
//
// The caller must ensure the conditions that Graph::create_node checks: operands are live nodes of
// the graph, the keys of keyword arguments differ, and there is at most one output. verify() finds
// violations.
#pragma once

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/graph_inline.h"
#include "fx/ir/graph/graph_storage_inline.h"
#include "fx/ir/support/check.h"

#include "absl/types/span.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace fx {

/// See the top of this file.
class Graph::Editor {
 public:
  using Cell = detail::Cell;

  // ---- Reading nodes
  static uint32_t name_base(const Node& node) { return node.name_base_; }
  static uint32_t name_number(const Node& node) { return node.name_number_plus_one_; }
  static const TypeData* type(const Node& node) { return node.type_; }
  /// TargetData of a call_function, else symbol_data of the target's text.
  static const void* target(const Node& node) { return node.target_data(); }
  static bool has_meta(const Node& node) { return (node.flags_ & Node::kHasMeta) != 0; }
  /// The arguments: the positional arguments, then key and value of each keyword argument. Null for
  /// a node without arguments.
  static const Cell* cells(const Node& node) {
    return node.cells_ == 0 ? nullptr : node.graph().storage_.cell_at(node.cells_);
  }
  /// The id of a Symbol (the text of a string or object argument, or of a target), given its data.
  static uint32_t symbol_id(const void* data) { return static_cast<const Symbol::Data*>(data)->id; }
  static const void* symbol_data(Symbol symbol) { return symbol.data_; }

  // ---- Editing a graph, at its insert point
  /// Node::set_type, inline.
  static void set_type(Node& node, Type type) {
    node.type_ = type.data();
    node.graph().changed();
  }

  /// Graph::create_node for a call_function or call_method, with a hint for the name; the keys of
  /// `kwargs` must differ. Returns null, with nothing changed, for an argument that create_node
  /// rejects.
  static Node* make_node(Graph& graph, Opcode op, const void* target, const NameHint& hint,
                         absl::Span<const Argument> args, absl::Span<const Kwarg> kwargs,
                         Type type) {
    for (const Argument& argument : args)
      if (!graph.is_valid_argument(argument)) return nullptr;
    for (const Kwarg& kwarg : kwargs)
      if (!graph.is_valid_argument(kwarg.value)) return nullptr;
    return graph.make_named(op, target, graph.create_name(hint), args, kwargs, type);
  }
  /// Graph::call_module with nodes as arguments. `path` must exist. It has the form of a node's
  /// name with a number, such as `fused_12`, so that its text need not be interned.
  static Node* call_module(Graph& graph, const Name& path, absl::Span<Node* const> operands,
                           Type type) {
    const Name name = graph.create_name_like(path);
    const Symbol target = name == path ? Symbol() : graph.context_->symbol(path.str());
    Node& node = graph.storage_.new_node(Opcode::kCallModule, target.data_, name, operands.size(),
                                         0, type.data());
    if (!target) node.set_target_to_name();
    set_operands(graph, node.cells_, operands, node);
    graph.insert(node);
    return &node;
  }
  /// Creates a call to operator.getitem. `getitem` must be the Target of that function.
  static Node* get_item(Graph& graph, Target getitem, Node& tuple, int64_t index, Type type) {
    GraphStorage& storage = graph.storage_;
    Node& node = storage.new_node(Opcode::kCallFunction, getitem.data(),
                                  graph.create_name(getitem.data()->hint), 2, 0, type.data());
    storage.add_use(node.cells_, tuple.slot_, node.slot_);
    *storage.cell_at(node.cells_ + 1) = constant(ArgumentKind::kInt, index);
    graph.insert(node);
    return &node;
  }
  /// Graph::output of the single value, or of a tuple of all values. The graph must not have an
  /// output.
  static Node* output(Graph& graph, absl::Span<Node* const> values, bool as_tuple) {
    GraphStorage& storage = graph.storage_;
    const Symbol target = graph.context_->output_target();
    Node& node = storage.new_node(Opcode::kOutput, target.data_,
                                  graph.create_name(graph.context_->output_hint()), 1, 0, nullptr);
    uint32_t cells = node.cells_;
    if (as_tuple) {
      const auto count = static_cast<uint32_t>(values.size());
      cells = storage.new_cells(count);
      Cell& tuple = *storage.cell_at(node.cells_);
      tuple = constant(ArgumentKind::kTuple, 0);
      tuple.aux = count;
      tuple.items = {cells, 0};
    }
    set_operands(graph, cells, values, node);
    graph.insert(node);
    return &node;
  }
  /// node.replace_all_uses_with(&other) for another node of the graph that does not use `node`.
  static void replace_uses_unchecked(Node& node, Node& other) {
    Graph& graph = node.graph();
    if (node.num_uses_ == 0) return;
    if (!graph.observers_.empty()) {
      node.replace_all_uses_with(&other);
      return;
    }
    graph.changed();
    graph.storage_.move_uses(node, other);
  }
  /// Graph::erase_node for nodes in program order, operands first. All users of the nodes must be
  /// among the nodes.
  static void erase_block(Graph& graph, absl::Span<Node* const> nodes) {
    if (!graph.observers_.empty()) {  // observers must see a consistent graph at each call
      for (size_t i = nodes.size(); i-- > 0;) FX_CHECK(graph.erase_node(nodes[i]).ok());
      return;
    }
    // Operands first: the uses of an erased value do not have to be unlinked.
    for (Node* node : nodes) {
      graph.storage_.release_arguments(*node);
      graph.remove(*node);
    }
    for ([[maybe_unused]] const Node* node : nodes)
      FX_DCHECK(!node->has_uses(), "nodes outside the block must not use nodes in it");
  }

  // ---- Filling a new graph
  explicit Editor(Graph& graph) : graph_(graph), storage_(graph.storage_) {}

  /// A node at the end, whose argument cells contain None; null when the name is taken.
  Node* add_node(Opcode op, const void* target, const Name& name, const TypeData* type,
                 uint32_t num_args, uint32_t num_kwargs) {
    if (!graph_.names().take(name)) return nullptr;
    Node& node = storage_.new_node(op, target, name, num_args, num_kwargs, type);
    if (const uint32_t count = node.num_cells())
      std::fill_n(storage_.cell_at(node.cells_), count, Cell());
    storage_.insert(node, kRoot);
    ++graph_.version_;
    return &node;
  }
  /// The key must be new, and the value must not contain nodes.
  void append_meta(Symbol key, Argument value) {
    graph_.graph_meta_.emplace_back(key, std::move(value));
  }
  uint32_t cells_of(const Node& node) const { return node.cells_; }
  /// A run of cells that contain None.
  uint32_t new_items(uint32_t count) {
    const uint32_t begin = storage_.new_cells(count);
    if (count > 0) std::fill_n(storage_.cell_at(begin), count, Cell());
    return begin;
  }
  void set_constant(uint32_t cell, ArgumentKind kind, int64_t bits) {
    Cell& c = *storage_.cell_at(cell);
    c.head = Cell::kConstant | static_cast<uint32_t>(kind);
    c.i = bits;
  }
  void set_pointer(uint32_t cell, ArgumentKind kind, const void* pointer) {
    Cell& c = *storage_.cell_at(cell);
    c.head = Cell::kConstant | static_cast<uint32_t>(kind);
    c.pointer = pointer;
  }
  /// An aggregate whose items are the `count` cells that start at `begin`; `name` is the class of a
  /// named tuple.
  void set_items(uint32_t cell, ArgumentKind kind, uint32_t begin, uint32_t count, Symbol name) {
    Cell& c = *storage_.cell_at(cell);
    c.head = Cell::kConstant | static_cast<uint32_t>(kind);
    c.aux = count;
    c.items = {begin, name.id()};
  }
  void set_operand(uint32_t cell, const Node& value, const Node& user) {
    storage_.add_use(cell, value.slot_, user.slot_);
  }

 private:
  static Cell constant(ArgumentKind kind, int64_t bits) {
    Cell cell;
    cell.head = Cell::kConstant | static_cast<uint32_t>(kind);
    cell.i = bits;
    return cell;
  }
  static void set_operands(Graph& graph, uint32_t cell, absl::Span<Node* const> values,
                           const Node& user) {
    for (const Node* value : values) graph.storage_.add_use(cell++, value->slot_, user.slot_);
  }

  Graph& graph_;
  GraphStorage& storage_;
};

}  // namespace fx
