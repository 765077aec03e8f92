// The functions of GraphStorage on the path of every edit: inline, because creating a node takes
// only a few tens of nanoseconds. Included by the sources that edit.
#pragma once

#include "fx/ir/graph/graph_storage.h"
#include "fx/ir/support/check.h"

#include "absl/container/flat_hash_map.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <utility>

namespace fx {

inline constexpr uint32_t kOrderStride = 64;

// Pages of nodes and of cells grow with the graph; a graph of a few nodes needs 1 KiB, and four
// such graphs share 4 KiB (this saves a third of the time of split_module and partition, which
// create many small graphs: docs/benchmarks.md). The first page holds nodes and cells: nodes at
// positions 1 to kFirstSlots - 1, cells after them; position 0 is reserved for the page header,
// though only one 1 KiB page in four has one. The slots and cells that small pages lack are never
// used.
inline constexpr size_t kFullPageBytes = 65536;
inline constexpr size_t kSmallPageBytes[] = {
    detail::kSmallestPage, 4096, 8192, 16384, 16384, 32768, 32768};
inline constexpr size_t kNumSmallPages = std::size(kSmallPageBytes);
inline constexpr uint32_t kSlotsPerPage = kFullPageBytes / sizeof(Node);
inline constexpr uint32_t kCellSlotsPerPage = kFullPageBytes / sizeof(detail::Cell);
inline constexpr uint32_t kFirstSlots = 11;
inline constexpr uint32_t kFirstCell = kFirstSlots * sizeof(Node) / sizeof(detail::Cell);

constexpr size_t page_bytes(size_t page) {
  return page < kNumSmallPages ? kSmallPageBytes[page] : kFullPageBytes;
}
/// The number of 64-byte positions in a page of nodes, including those of headers.
constexpr uint32_t num_slots(size_t page) {
  return page == 0 ? kFirstSlots : static_cast<uint32_t>(page_bytes(page) / sizeof(Node));
}
/// The end of the cells in a page of cells.
constexpr uint32_t num_cells(size_t page) {
  return static_cast<uint32_t>(page_bytes(page) / sizeof(detail::Cell));
}

/// For each small page, and for the first full page, the number of slots that the smaller pages
/// before it lack.
inline constexpr std::array<uint32_t, kNumSmallPages + 1> kMissingSlots = [] {
  std::array<uint32_t, kNumSmallPages + 1> missing = {};
  for (size_t i = 0; i < kNumSmallPages; ++i)
    missing[i + 1] = missing[i] + kSlotsPerPage - num_slots(i);
  return missing;
}();
/// The index of the slot if the slots that small pages lack are not counted.
constexpr uint32_t dense_index(uint32_t slot) {
  return slot - kMissingSlots[std::min<size_t>(slot / kSlotsPerPage, kNumSmallPages)];
}

/// The end of the cells that may be in the same run as this one.
constexpr uint64_t cells_end_of_page(uint32_t cell) {
  const uint32_t page = cell / kCellSlotsPerPage;
  // Runs span multiple full pages.
  return page < kNumSmallPages ? page * kCellSlotsPerPage + num_cells(page) : UINT64_MAX;
}

/// Runs of cells that may be reused.
struct GraphStorage::FreeRuns {
  static constexpr uint32_t kSmallRun = 17;
  uint32_t cells[kSmallRun] = {};                // heads of lists of free runs, by size
  absl::flat_hash_map<uint32_t, uint32_t> runs;  // the same for longer ones
};

inline GraphStorage::FreeRuns& GraphStorage::own_free_runs() {
  if (free_runs_ == nullptr) [[unlikely]]
    free_runs_ = std::make_unique<FreeRuns>();
  return *free_runs_;
}

inline uint32_t GraphStorage::new_slot() {
  // Slots of erased nodes, and ends of pages, are rare.
  if (state_.next_slot == state_.slots_end || (state_.free_slots | state_.erased_slots) != 0)
    return grow_slots();
  return state_.next_slot++;
}

inline uint32_t GraphStorage::new_cells(uint32_t count) {
  if (count == 0) return 0;
  if (count < FreeRuns::kSmallRun) {
    if (free_runs_ != nullptr) {
      if (const uint32_t head = free_runs_->cells[count]) {
        free_runs_->cells[count] = cell_at(head)->aux;
        return head;
      }
    }
    const uint32_t begin = state_.next_cell;
    if (size_t{begin} + count <= state_.cells_end) {
      state_.next_cell = begin + count;
      return begin;
    }
  }
  return grow_cells(count);
}

inline void GraphStorage::free_cells(uint32_t begin, uint32_t count) {
  if (count == 0) return;
  detail::Cell& cell = *cell_at(begin);
  cell.head = detail::Cell::kConstant;
  FreeRuns& free = own_free_runs();
  uint32_t& head = count < FreeRuns::kSmallRun ? free.cells[count] : free.runs[count];
  cell.aux = head;
  head = begin;
}

inline void GraphStorage::add_use(uint32_t index, uint32_t value, uint32_t user) {
  detail::Cell& cell = *cell_at(index);
  cell.head = value;
  cell.aux = user;
  Node& node = *node_at(value);
  ++node.num_uses_;
  if (node.first_use_ == 0) {
    node.first_use_ = index;
    cell.use = {index, index};
    return;
  }
  detail::Cell& first = *cell_at(node.first_use_);
  const uint32_t last = first.use.prev;
  cell.use = {node.first_use_, last};
  cell_at(last)->use.next = index;
  first.use.prev = index;
}

inline void GraphStorage::remove_use(uint32_t index) {
  const detail::Cell& cell = *cell_at(index);
  Node& node = *node_at(cell.head);
  --node.num_uses_;
  if (node.is_erased()) return;  // erased together with its users (Graph::Editor::erase_block)
  if (cell.use.next == index) {
    node.first_use_ = 0;
    return;
  }
  if (node.first_use_ == index) node.first_use_ = cell.use.next;
  cell_at(cell.use.prev)->use.next = cell.use.next;
  cell_at(cell.use.next)->use.prev = cell.use.prev;
}

inline void GraphStorage::store(const Argument& value, uint32_t index, uint32_t user) {
  if (value.kind() == ArgumentKind::kNode) {
    add_use(index, value.payload_.node->slot_, user);
    return;
  }
  if (value.owned_) return store_owned(value, index, user);
  detail::Cell& cell = *cell_at(index);
  cell.head = detail::Cell::kConstant | static_cast<uint32_t>(value.kind());
  cell.aux = 0;
  cell.i = value.payload_.i;
}

inline void GraphStorage::release(uint32_t index) {
  const detail::Cell& cell = *cell_at(index);
  if (cell.is_use())
    remove_use(index);
  else if (is_aggregate(cell.kind()) || cell.kind() == ArgumentKind::kComplex)
    release_items(index);
}

inline void GraphStorage::release_arguments(Node& node) {
  const uint32_t count = node.num_cells();
  for (uint32_t i = 0; i < count; ++i) release(node.cells_ + i);
  free_cells(node.cells_, count);
  node.cells_ = 0;
  node.num_args_ = 0;
  node.num_kwargs_ = 0;
}

inline void GraphStorage::link_before(Node& node, uint32_t before) {
  Node& next = *node_at(before);
  Node& prev = *node_at(next.prev_);
  node.prev_ = prev.slot_;
  node.next_ = before;
  prev.next_ = node.slot_;
  next.prev_ = node.slot_;
  if (before == kRoot) {
    if (prev.order_ <= UINT32_MAX - kOrderStride) {
      node.order_ = prev.order_ + kOrderStride;
      return;
    }
  } else if (next.order_ - prev.order_ >= 2) {
    node.order_ = prev.order_ + (next.order_ - prev.order_) / 2;
    return;
  }
  node.order_ = prev.order_;
  renumber_around(node);
}

inline void GraphStorage::unlink(Node& node) {
  // The node keeps its links, for iterators at it.
  node_at(node.prev_)->next_ = node.next_;
  node_at(node.next_)->prev_ = node.prev_;
}

inline Node& GraphStorage::new_node(Opcode op, const void* target, Name name, size_t num_args,
                                    size_t num_kwargs, const TypeData* type) {
  const uint32_t slot = new_slot();
  Node& node = *node_at(slot);
  node.slot_ = slot;
  node.id_ = state_.next_id++;
  FX_CHECK(state_.next_id != 0, "a graph must create at most 2^32 nodes");
  node.first_use_ = 0;
  node.num_uses_ = 0;
  node.type_ = type;
  node.target_ = target;
  node.name_base_ = name.base.id();
  node.name_number_plus_one_ = name.number_plus_one;
  node.num_args_ = static_cast<uint32_t>(num_args);
  node.num_kwargs_ = static_cast<uint16_t>(num_kwargs);
  node.op_ = op;
  node.flags_ = 0;
  node.cells_ = new_cells(node.num_cells());
  return node;
}

inline void GraphStorage::add_to(uint32_t& slots, Node& node) {
  node.flags_ = Node::kErased;
  node.cells_ = slots;
  slots = node.slot_;
}

inline void GraphStorage::insert(Node& node, uint32_t before) {
  ++state_.num_by_op[static_cast<size_t>(node.op_)];
  link_before(node, before);
  ++state_.size;
}

inline void GraphStorage::remove(Node& node) {
  unlink(node);
  --state_.num_by_op[static_cast<size_t>(node.op_)];
  add_to(state_.erased_slots, node);
  --state_.size;
}

inline void GraphStorage::move(Node& node, uint32_t before) {
  unlink(node);
  link_before(node, before);
}

inline void GraphStorage::discard_node(Node& node) {
  release_arguments(node);
  add_to(state_.free_slots, node);
  --state_.next_id;
}

// Moves all uses: sets their value, then joins the two circular lists.
[[gnu::always_inline]] inline size_t GraphStorage::move_uses(Node& node, Node& other) {
  const uint32_t first = node.first_use_, count = node.num_uses_;
  detail::Cell* const* const pages = cell_pages_;
  const auto cell_at = [pages](uint32_t cell) {
    return pages[cell >> kCellPageBits] + (cell & (kCellsPerPage - 1));
  };
  node.first_use_ = 0;
  node.num_uses_ = 0;
  other.num_uses_ += count;
  detail::Cell* const first_cell = cell_at(first);
  uint32_t last = first;
  detail::Cell* last_cell = first_cell;
  while (true) {
    last_cell->head = other.slot_;
    const uint32_t next = last_cell->use.next;
    if (next == first) break;
    last = next;
    last_cell = cell_at(next);
  }
  const uint32_t other_first = other.first_use_;
  if (other_first == 0) {
    other.first_use_ = first;
    return count;
  }
  detail::Cell* const other_cell = cell_at(other_first);
  const uint32_t other_last = std::exchange(other_cell->use.prev, last);
  cell_at(other_last)->use.next = first;
  first_cell->use.prev = other_last;
  last_cell->use.next = other_first;
  return count;
}

}  // namespace fx
