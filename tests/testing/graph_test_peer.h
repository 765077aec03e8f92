// Accesses internals of graphs to make them invalid, for tests of the verifier and of malicious
// input.
#pragma once

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/graph_storage_inline.h"

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

namespace fx {

class GraphTestPeer {
 public:
  static constexpr uint32_t kRoot = GraphStorage::kRoot;

  static uint32_t& slot(Node& node) { return node.slot_; }
  static uint32_t& id(Node& node) { return node.id_; }
  static uint32_t& prev(Node& node) { return node.prev_; }
  static uint32_t& next(Node& node) { return node.next_; }
  static uint32_t& order(Node& node) { return node.order_; }
  static uint32_t& first_use(Node& node) { return node.first_use_; }
  static uint32_t& num_uses(Node& node) { return node.num_uses_; }
  static uint32_t& cells(Node& node) { return node.cells_; }
  static uint32_t& num_args(Node& node) { return node.num_args_; }
  static uint16_t& num_kwargs(Node& node) { return node.num_kwargs_; }
  static Opcode& op(Node& node) { return node.op_; }
  static uint32_t& num_nodes(Graph& graph, Opcode op) {
    return graph.storage_.state_.num_by_op[static_cast<size_t>(op)];
  }
  static const void*& target(Node& node) { return node.target_; }
  static void set_erased(Node& node) { node.flags_ |= Node::kErased; }
  static void set_type(Node& node, const TypeData* type) { node.type_ = type; }
  static void set_name(Node& node, std::string_view name) {
    const Name parts = split_name(node.context().symbols(), name);
    node.name_base_ = parts.base.id();
    node.name_number_plus_one_ = parts.number_plus_one;
  }
  /// Returns cell `i` of the node's arguments. The cells of keyword arguments follow, key and value
  /// for each.
  static detail::Cell& cell(Node& node, uint32_t i) {
    return *node.graph().storage().cell_at(node.cells_ + i);
  }
  /// Stores an argument without checks and without releasing the previous one.
  static void store(Node& node, uint32_t i, const Argument& value) {
    node.graph().storage_.store(value, node.cells_ + i, node.slot_);
  }
  static void set_meta(Node& node, std::string_view key, Argument value) {
    node.graph().meta_.set(node.context().symbol(key), node.slot_, std::move(value));
    node.flags_ |= Node::kHasMeta;
  }
  static uint32_t& size(Graph& graph) { return graph.storage_.state_.size; }
  static uint32_t cell_bound(const Graph& graph) { return graph.storage().cell_bound(); }
  /// Returns whether the index refers to a cell; small pages have fewer cells than indices.
  static bool is_cell(const Graph& graph, uint32_t cell) {
    return cell >= kFirstCell && cell < graph.storage().cell_bound() &&
           cell < cells_end_of_page(cell);
  }
  static uint32_t slot_bound(const Graph& graph) { return graph.storage().slot_bound(); }
  static Node& root(Graph& graph) { return graph.storage().root(); }
  static void add_subgraph(Graph& graph, std::string_view name, std::unique_ptr<Graph> nested) {
    graph.subgraphs_.push_back({graph.context().symbol(name), std::move(nested)});
  }
};

}  // namespace fx
