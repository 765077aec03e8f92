// Graph::Editor: unchecked access to a graph's storage, for code where the checks of Graph's public
// interface cost too much: readers and writers of file formats, shape propagation, outlining.
#pragma once

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/graph_storage.h"

#include "absl/types/span.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace fx {

/// Edits and reads a graph without the checks of the public interface. The caller must ensure what
/// Graph::create_node checks: operands belong to the graph, keys of `kwargs` differ, and there is at
/// most one output.
class Graph::Editor {
 public:
  using Cell = detail::Cell;

  // ---- Reading
  static uint32_t name_base(const Node& node) { return node.name_base_; }
  static uint32_t name_number(const Node& node) { return node.name_number_plus_one_; }
  static const TypeData* type(const Node& node) { return node.type_; }
  static const void* target(const Node& node) { return node.target_data(); }
  static bool has_meta(const Node& node) { return (node.flags_ & Node::kHasMeta) != 0; }
  static const Cell* cells(const Node& node) {
    return node.cells_ == 0 ? nullptr : node.graph().cell_at(node.cells_);
  }
  /// The id of the Symbol behind a string or object, or behind a target.
  static uint32_t symbol_id(const void* data) { return static_cast<const Symbol::Data*>(data)->id; }
  static const void* symbol_data(Symbol symbol) { return symbol.data_; }

  // ---- Changing
  /// Node::set_type, inline.
  static void set_type(Node& node, Type type) {
    node.type_ = type.data();
    node.graph().changed();
  }

  /// Graph::create_node for a call_function or call_method, at the insert point, with a hint in
  /// the place of a text for the name; keys of `kwargs` are different. Null, with nothing changed,
  /// for arguments that create_node would refuse.
  static Node* make_node(Graph& graph, Opcode op, const void* target, const NameHint& hint,
                         absl::Span<const Argument> args, absl::Span<const Kwarg> kwargs,
                         Type type) {
    for (const Argument& argument : args)
      if (!graph.may_hold(argument)) return nullptr;
    for (const Kwarg& kwarg : kwargs)
      if (!graph.may_hold(kwarg.value)) return nullptr;
    return graph.make_named(op, target, graph.create_name(hint), args, kwargs, type);
  }

  // ---- Making what reads nodes alone, at the insert point: what moves calls into modules makes a
  // handful of these for each. The operands are nodes of the graph.
  /// Graph::call_module. `path` is the module's path where that has the form of a node's name with
  /// a number, as `fused_12` has: its text is not interned. The caller knows that it is there.
  static Node* call_module(Graph& graph, const Name& path, absl::Span<Node* const> operands,
                           Type type) {
    const Name name = graph.create_name_like(path);
    const Symbol target = name == path ? Symbol() : graph.context_->symbol(path.str());
    Node& node =
        graph.new_node(Opcode::kCallModule, target.data_, name, operands.size(), 0, type.data());
    if (!target) node.set_target_to_name();
    set_operands(graph, node.cells_, operands, node);
    graph.insert(node);
    return &node;
  }
  /// A call of operator.getitem, whose target `getitem` is.
  static Node* get_item(Graph& graph, Target getitem, Node& tuple, int64_t index, Type type) {
    Node& node = graph.new_node(Opcode::kCallFunction, getitem.data(),
                                graph.create_name(getitem.data()->hint), 2, 0, type.data());
    graph.add_use(node.cells_, tuple.slot_, node.slot_);
    *graph.cell_at(node.cells_ + 1) = constant(ArgumentKind::kInt, index);
    graph.insert(node);
    return &node;
  }
  /// Graph::output of the one value, or of a tuple of all; the graph has none yet.
  static Node* output(Graph& graph, absl::Span<Node* const> values, bool as_tuple) {
    const Symbol target = graph.context_->output_target();
    Node& node = graph.new_node(Opcode::kOutput, target.data_,
                                graph.create_name(graph.context_->output_hint()), 1, 0, nullptr);
    uint32_t cells = node.cells_;
    if (as_tuple) {
      const auto count = static_cast<uint32_t>(values.size());
      cells = graph.new_cells(count);
      Cell& tuple = *graph.cell_at(node.cells_);
      tuple = constant(ArgumentKind::kTuple, 0);
      tuple.aux = count;
      tuple.items = {cells, 0};
    }
    set_operands(graph, cells, values, node);
    graph.insert(node);
    return &node;
  }

  /// node.replace_all_uses_with(&other) for another node of the graph that does not read this one.
  static void replace_unread(Node& node, Node& other) { node.graph().replace_unread(node, other); }
  /// Graph::erase_node for nodes in program order, operands first, of which nobody else reads any.
  static void erase_block(Graph& graph, absl::Span<Node* const> nodes) { graph.erase_block(nodes); }

  // ---- Filling a new graph
  explicit Editor(Graph& graph) : graph_(graph) {}

  /// A node at the end, with cells for its arguments that hold None; null when the name is taken.
  Node* add_node(Opcode op, const void* target, Name name, const TypeData* type, uint32_t num_args,
                 uint32_t num_kwargs) {
    if (!graph_.names().take(name)) return nullptr;
    const uint32_t slot = graph_.new_slot();
    Node& node = *graph_.node_at(slot);
    node.slot_ = slot;
    node.id_ = graph_.next_id_++;
    node.first_use_ = 0;
    node.num_uses_ = 0;
    node.type_ = type;
    node.target_ = target;
    node.name_base_ = name.base.id();
    node.name_number_plus_one_ = name.number_plus_one;
    node.num_args_ = num_args;
    node.num_kwargs_ = static_cast<uint16_t>(num_kwargs);
    node.op_ = op;
    node.flags_ = 0;
    node.cells_ = new_items(num_args + 2 * num_kwargs);
    ++graph_.num_by_op_[static_cast<size_t>(op)];
    graph_.link_before(node, kRoot);
    ++graph_.size_;
    ++graph_.version_;
    return &node;
  }
  /// The key must be new, the value without nodes.
  void append_meta(Symbol key, Argument value) {
    graph_.graph_meta_.emplace_back(key, std::move(value));
  }
  uint32_t cells_of(const Node& node) const { return node.cells_; }
  /// A run of cells that hold None.
  uint32_t new_items(uint32_t count) {
    const uint32_t begin = graph_.new_cells(count);
    if (count > 0) std::fill_n(graph_.cell_at(begin), count, Cell());
    return begin;
  }
  void set_constant(uint32_t cell, ArgumentKind kind, int64_t bits) {
    Cell& c = *graph_.cell_at(cell);
    c.head = Cell::kConstant | static_cast<uint32_t>(kind);
    c.i = bits;
  }
  void set_pointer(uint32_t cell, ArgumentKind kind, const void* pointer) {
    Cell& c = *graph_.cell_at(cell);
    c.head = Cell::kConstant | static_cast<uint32_t>(kind);
    c.pointer = pointer;
  }
  /// An aggregate whose items stand from `begin` on.
  void set_items(uint32_t cell, ArgumentKind kind, uint32_t begin, uint32_t count, Symbol name) {
    Cell& c = *graph_.cell_at(cell);
    c.head = Cell::kConstant | static_cast<uint32_t>(kind);
    c.aux = count;
    c.items = {begin, name.id()};
  }
  void set_operand(uint32_t cell, const Node& value, const Node& user) {
    graph_.add_use(cell, value.slot_, user.slot_);
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
    for (const Node* value : values) graph.add_use(cell++, value->slot_, user.slot_);
  }

  Graph& graph_;
};

}  // namespace fx
