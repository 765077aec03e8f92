// Graph::Copier: copies nodes, cell by cell. Shared by graph_copy.cpp and copy_table.cpp.
#pragma once

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/graph_storage_inline.h"

#include <cstdint>

namespace fx {

/// The number of items of an aggregate's cell.
inline uint32_t num_items(const detail::Cell& cell) {
  return cell.kind() == ArgumentKind::kDict ? 2 * cell.aux : cell.aux;
}
inline bool has_items(const detail::Cell& cell) {
  return is_aggregate(cell.kind()) || cell.kind() == ArgumentKind::kComplex;
}

class SubgraphCopier;  // graph_copy.cpp

/// Copies nodes of any graph of a Context into one graph of the Context.
class Graph::Copier {
 public:
  explicit Copier(Graph& to) : to_(to) {}

  /// Returns a free name for a copy of the node and takes it.
  Name name_of_copy(const Node& node, const NodeCopyOptions& how) {
    SymbolTable& symbols = to_.context_->symbols();
    if (how.keep_name)
      return to_.create_name_like({symbols.get(node.name_base_), node.name_number_plus_one_});
    if (node.op_ == Opcode::kCallFunction) return to_.create_name(node.function().data()->hint);
    return to_.create_name(make_target_hint(symbols, node.target_symbol()));
  }

  /// Sets the target of a copy that already has its name to the target of the node.
  static void set_target(const Node& node, Node& copy) {
    if ((node.flags_ & Node::kTargetIsName) == 0) [[likely]] {
      copy.target_ = node.target_;
    } else if (copy.name_base_ == node.name_base_ &&
               copy.name_number_plus_one_ == node.name_number_plus_one_) {
      copy.set_target_to_name();
    } else {
      copy.target_ = node.target_data();
    }
  }

  /// Copies `count` cells to the cells that start at `to`. `slot_of(cell)` returns the slot in this
  /// graph of each operand, in order; if it returns 0, the copy contains None. Depth is bounded.
  template <class SlotOf>
  void copy_cells(const GraphStorage& source, const detail::Cell* from, uint32_t count, uint32_t to,
                  uint32_t user, SlotOf& slot_of) {
    GraphStorage& storage = to_.storage_;
    for (uint32_t i = 0; i < count; ++i) {
      detail::Cell& cell = *storage.cell_at(to + i);
      if (from[i].is_use()) {
        if (const uint32_t slot = slot_of(from[i]))
          storage.add_use(to + i, slot, user);
        else
          cell = detail::Cell();
        continue;
      }
      cell = from[i];  // refers only to objects of the Context
      if (!has_items(cell)) continue;
      const uint32_t items = num_items(cell);
      cell.items.begin = storage.new_cells(items);
      if (items) {
        copy_cells(source, source.cell_at(from[i].items.begin), items, cell.items.begin, user,
                   slot_of);
      }
    }
  }

  /// Copies a node that refers to no nested graph and whose operands are all mapped to nodes.
  template <class SlotOf>
  Node& copy_plain(const Node& node, const NodeCopyOptions& how, SlotOf&& slot_of) {
    Node& copy = to_.storage_.new_node(node.op_, nullptr, name_of_copy(node, how), node.num_args_,
                                       node.num_kwargs_, node.type_);
    set_target(node, copy);
    const GraphStorage& source = node.graph().storage_;
    if (const uint32_t count = node.num_cells())
      copy_cells(source, source.cell_at(node.cells_), count, copy.cells_, copy.slot_, slot_of);
    to_.insert(copy);
    return copy;
  }

  /// Graph::check_form for a copy of the node.
  absl::Status check_form(const Node& node) const {
    if (node.op_ == Opcode::kCallFunction) return absl::OkStatus();
    return to_.check_form(node.op_, node.target(), node.num_args_, node.num_kwargs_);
  }

  /// Copies any node; `map_node` maps its operands.
  absl::StatusOr<Node*> copy_node(const Node& node, SubgraphCopier& subgraphs,
                                  absl::FunctionRef<Argument(Node*)> map_node,
                                  const NodeCopyOptions& how);

  static const void* symbol_data(Symbol symbol) { return symbol.data_; }

 private:
  absl::StatusOr<Node*> copy_tree(const Node& node, SubgraphCopier& subgraphs,
                                  absl::FunctionRef<Argument(Node*)> map_node,
                                  const NodeCopyOptions& how);

  Graph& to_;
};

}  // namespace fx
