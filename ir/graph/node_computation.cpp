// Node::same_computation and Node::computation_hash: see node.h.
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node.h"
#include "fx/ir/support/hash_mix.h"

#include <cstdint>

namespace fx {

using detail::Cell;

namespace {

/// The hash of `count` cells, continued from `hash`. Strings, types and functions are interned, so
/// that their addresses identify them. Depth is bounded.
uint64_t hash_cells(const GraphStorage& graph, const Cell* cells, uint64_t count, uint64_t hash) {
  for (const Cell* cell = cells; cell != cells + count; ++cell) {
    hash = internal::hash_mix(hash, cell->head);
    if (cell->is_use()) continue;
    const ArgumentKind kind = cell->kind();
    if (!is_aggregate(kind) && kind != ArgumentKind::kComplex) {
      hash = internal::hash_mix(hash, static_cast<uint64_t>(cell->i));
      continue;
    }
    hash = internal::hash_mix(hash, (uint64_t{cell->aux} << 32 | cell->items.type_name));
    const uint64_t items = kind == ArgumentKind::kDict ? 2ull * cell->aux : cell->aux;
    if (items) hash = hash_cells(graph, graph.cell_at(cell->items.begin), items, hash);
  }
  return hash;
}

bool same_cells(const GraphStorage& graph, const Cell* a, const Cell* b, uint64_t count) {
  for (uint64_t i = 0; i < count; ++i) {
    if (a[i].head != b[i].head) return false;
    if (a[i].is_use()) continue;
    const ArgumentKind kind = a[i].kind();
    if (!is_aggregate(kind) && kind != ArgumentKind::kComplex) {
      if (a[i].i != b[i].i) return false;
      continue;
    }
    if (a[i].aux != b[i].aux || a[i].items.type_name != b[i].items.type_name) return false;
    const uint64_t items = kind == ArgumentKind::kDict ? 2ull * a[i].aux : a[i].aux;
    if (items &&
        !same_cells(graph, graph.cell_at(a[i].items.begin), graph.cell_at(b[i].items.begin), items))
      return false;
  }
  return true;
}

}  // namespace

bool Node::same_computation(const Node& other) const {
  if (op_ != other.op_ || target_data() != other.target_data() || num_args_ != other.num_args_ ||
      num_kwargs_ != other.num_kwargs_)
    return false;
  const uint64_t count = num_args_ + 2ull * num_kwargs_;
  if (count == 0) return true;  // the graph may have no cells at all
  const GraphStorage& g = graph().storage();
  return same_cells(g, g.cell_at(cells_), g.cell_at(other.cells_), count);
}

uint64_t Node::computation_hash() const {
  const uint64_t form =
      uint64_t{num_args_} << 32 | uint64_t{num_kwargs_} << 8 | static_cast<uint64_t>(op_);
  const uint64_t start = internal::hash_mix(reinterpret_cast<uintptr_t>(target_data()), form);
  const uint64_t count = num_args_ + 2ull * num_kwargs_;
  if (count == 0) return start;
  const GraphStorage& g = graph().storage();
  return hash_cells(g, g.cell_at(cells_), count, start);
}

}  // namespace fx
