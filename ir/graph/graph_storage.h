// The parts of a Graph's storage that every edit runs through, for the sources that edit: inline,
// since a node costs a few tens of nanoseconds in all. See graph_storage.cpp.
#pragma once

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/support/check.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace fx {

inline constexpr uint32_t kOrderStride = 64;

// Pages of nodes, and of cells, grow with the graph: one of a few nodes takes 1 KiB. The first page
// of nodes is the first of cells too: nodes have its places 1 to kFirstSlots - 1, cells those
// behind them, and place 0 is left to the header, though only one page in four has it there. The
// numbers of places that small pages lack are left out.
inline constexpr size_t kFullPageBytes = 65536;
inline constexpr size_t kSmallPageBytes[] = {
    detail::kSmallestPage, 4096, 8192, 16384, 16384, 32768, 32768};
inline constexpr size_t kNumSmallPages = std::size(kSmallPageBytes);
inline constexpr uint32_t kPlacesPerPage = kFullPageBytes / sizeof(Node);
inline constexpr uint32_t kCellPlacesPerPage = kFullPageBytes / sizeof(detail::Cell);
inline constexpr uint32_t kFirstSlots = 11;
inline constexpr uint32_t kFirstCell = kFirstSlots * sizeof(Node) / sizeof(detail::Cell);

constexpr size_t page_bytes(size_t page) {
  return page < kNumSmallPages ? kSmallPageBytes[page] : kFullPageBytes;
}
/// The places of a page for nodes, those of headers with them.
constexpr uint32_t num_places(size_t page) {
  return page == 0 ? kFirstSlots : static_cast<uint32_t>(page_bytes(page) / sizeof(Node));
}
/// Behind the last place of a page for cells.
constexpr uint32_t num_cell_places(size_t page) {
  return static_cast<uint32_t>(page_bytes(page) / sizeof(detail::Cell));
}

/// How many places the pages before each small page lack, and those before the first large one.
inline constexpr std::array<uint32_t, kNumSmallPages + 1> kMissingPlaces = [] {
  std::array<uint32_t, kNumSmallPages + 1> missing = {};
  for (size_t i = 0; i < kNumSmallPages; ++i)
    missing[i + 1] = missing[i] + kPlacesPerPage - num_places(i);
  return missing;
}();
/// The slot counted without them.
constexpr uint32_t dense_place(uint32_t slot) {
  return slot - kMissingPlaces[std::min<size_t>(slot / kPlacesPerPage, kNumSmallPages)];
}

/// Behind the cells that may lie in one run with this one.
constexpr uint64_t cells_end_of_page(uint32_t cell) {
  const uint32_t page = cell / kCellPlacesPerPage;
  // Runs go over several large pages.
  return page < kNumSmallPages ? page * kCellPlacesPerPage + num_cell_places(page) : UINT64_MAX;
}

/// What arguments have left.
struct Graph::FreeStorage {
  static constexpr uint32_t kSmallRun = 17;
  uint32_t cells[kSmallRun] = {};                // heads of lists of free runs, by size
  absl::flat_hash_map<uint32_t, uint32_t> runs;  // the same for longer ones
};

inline Graph::FreeStorage& Graph::own_free_storage() {
  if (free_ == nullptr) [[unlikely]]
    free_ = std::make_unique<FreeStorage>();
  return *free_;
}

inline uint32_t Graph::new_slot() {
  // Slots of erased nodes, and ends of pages, are rare.
  if (next_slot_ == slots_end_ || (free_slots_ | erased_slots_) != 0) return grow_slots();
  return next_slot_++;
}

inline uint32_t Graph::new_cells(uint32_t count) {
  if (count == 0) return 0;
  if (count < FreeStorage::kSmallRun) {
    if (free_ != nullptr) {
      if (const uint32_t head = free_->cells[count]) {
        free_->cells[count] = cell_at(head)->aux;
        return head;
      }
    }
    const uint32_t begin = next_cell_;
    if (size_t{begin} + count <= cells_end_) {
      next_cell_ = begin + count;
      return begin;
    }
  }
  return grow_cells(count);
}

inline void Graph::free_cells(uint32_t begin, uint32_t count) {
  if (count == 0) return;
  detail::Cell& cell = *cell_at(begin);
  cell.head = detail::Cell::kConstant;
  FreeStorage& free = own_free_storage();
  uint32_t& head = count < FreeStorage::kSmallRun ? free.cells[count] : free.runs[count];
  cell.aux = head;
  head = begin;
}

inline void Graph::add_use(uint32_t index, uint32_t value, uint32_t user) {
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

inline void Graph::remove_use(uint32_t index) {
  const detail::Cell& cell = *cell_at(index);
  Node& node = *node_at(cell.head);
  --node.num_uses_;
  if (node.is_erased()) return;  // it went together with what reads it (erase_block)
  if (cell.use.next == index) {
    node.first_use_ = 0;
    return;
  }
  if (node.first_use_ == index) node.first_use_ = cell.use.next;
  cell_at(cell.use.prev)->use.next = cell.use.next;
  cell_at(cell.use.next)->use.prev = cell.use.prev;
}

inline void Graph::store(const Argument& value, uint32_t index, uint32_t user) {
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

inline void Graph::release(uint32_t index) {
  const detail::Cell& cell = *cell_at(index);
  if (cell.is_use())
    remove_use(index);
  else if (is_aggregate(cell.kind()) || cell.kind() == ArgumentKind::kComplex)
    release_items(index);
}

inline void Graph::release_arguments(Node& node) {
  const uint32_t count = node.num_cells();
  for (uint32_t i = 0; i < count; ++i) release(node.cells_ + i);
  free_cells(node.cells_, count);
  node.cells_ = 0;
  node.num_args_ = 0;
  node.num_kwargs_ = 0;
}

inline void Graph::link_before(Node& node, uint32_t before) {
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

inline void Graph::unlink(Node& node) {
  // The node keeps its own links, for iterators that stand on it.
  node_at(node.prev_)->next_ = node.next_;
  node_at(node.next_)->prev_ = node.prev_;
}

inline Node& Graph::new_node(Opcode op, const void* target, Name name, size_t num_args,
                             size_t num_kwargs, const TypeData* type) {
  const uint32_t slot = new_slot();
  Node& node = *node_at(slot);
  node.slot_ = slot;
  node.id_ = next_id_++;
  FX_CHECK(next_id_ != 0, "a graph makes at most 2^32 nodes");
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

inline void Graph::add_to(uint32_t& slots, Node& node) {
  node.flags_ = Node::kErased;
  node.cells_ = slots;
  slots = node.slot_;
}

inline void Graph::drop(Node& node) {
  names();  // its own stays taken
  if (insert_before_ == node.slot_) insert_before_ = node.next_;
  unlink(node);
  if (node.flags_ & Node::kHasMeta) meta_.remove_all(node.slot_);
  --num_by_op_[static_cast<size_t>(node.op_)];
  add_to(erased_slots_, node);
  --size_;
  ++version_;
}

inline void Graph::take_back(Node& node) {
  release_arguments(node);
  add_to(free_slots_, node);
  --next_id_;
}

inline void Graph::insert(Node& node) {
  ++num_by_op_[static_cast<size_t>(node.op_)];
  link_before(node, insert_before_);
  if (insert_reverse_) insert_before_ = node.slot_;
  ++size_;
  ++version_;
  if (find_index_) note_target(node);
  for (GraphObserver* observer : observers_) observer->node_created(node);
}

inline void Graph::note_base(Symbol base) {
  may_name_output_ |= base == context_->output_hint().base;
}

inline bool Graph::may_hold(const Argument& value) const {
  if (value.kind() == ArgumentKind::kNode) return owns(value.payload_.node);
  if (value.kind() == ArgumentKind::kGraph) return value.as_graph() < subgraphs_.size();
  return !is_aggregate(value.kind()) || check_argument(value).ok();
}

}  // namespace fx
