// The functions of node.h and node_views.h that read a graph's storage, inline. The end of graph.h
// includes this header; include graph.h instead.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fx {

inline Node* ArgumentRef::node() const {
  return cell_->is_use() ? graph_->storage().node_at(cell_->head) : nullptr;
}
inline Node* Use::user() const {
  return graph_->storage().node_at(graph_->storage().cell_at(cell_)->aux);
}
inline Node* Use::value() const {
  return graph_->storage().node_at(graph_->storage().cell_at(cell_)->head);
}
inline UseIterator& UseIterator::operator++() {
  uint32_t next = graph_->storage().cell_at(cell_)->use.next;
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
  const GraphStorage& g = graph().storage();
  const detail::Cell* cell = g.cell_at(cells_);
  for (const detail::Cell* end = cell + count; cell != end; ++cell) {
    if (cell->is_use()) {
      f(g.node_at(cell->head));
    } else if (is_aggregate(cell->kind())) {
      // The items are collected first, so that `f` and its captures are only passed to inlined
      // functions, and a caller's counters stay in registers.
      for (Node* input : item_inputs(*cell)) f(input);
    }
  }
}
inline ArgumentRef Node::arg(size_t i) const {
  if (i >= num_args_) bad_arg_index(i);
  return ArgumentRef(&graph(), graph().storage().cell_at(cells_) + i);
}

}  // namespace fx
