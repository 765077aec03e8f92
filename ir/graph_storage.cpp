// Storage of a Graph: pages of nodes and argument cells, use lists, program order.
//
// Nodes and cells are addressed by 32-bit indexes into pages of 64 KiB that never move; the first
// page is smaller, and of both. The first place of each node page holds the way back to the graph.
// Freed cell runs are kept by size and used again; slots of erased nodes too, but not while
// somebody iterates, so that an iterator on an erased node still finds its way.
#include "fx/ir/context.h"
#include "fx/ir/graph.h"
#include "fx/ir/graph_storage_internal.h"
#include "fx/ir/support/check.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <new>

namespace fx {

using detail::Cell;
using detail::kPageBytes;

namespace {
constexpr size_t kHugePage = size_t{2} << 20;

/// Memory at a multiple of kHugePage, on huge pages where the system has them; null without memory.
/// Mapped, not allocated: malloc would keep as much again for the alignment.
void* map_huge(size_t bytes) {
  const size_t room = bytes + kHugePage;
  void* mapped = mmap(nullptr, room, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  const auto start = reinterpret_cast<uintptr_t>(mapped);
  const uintptr_t aligned = (start + kHugePage - 1) / kHugePage * kHugePage;
  if (aligned > start) munmap(mapped, aligned - start);
  auto* block = reinterpret_cast<char*>(aligned);
  if (const size_t rest = start + room - (aligned + bytes); rest > 0) munmap(block + bytes, rest);
  madvise(block, bytes, MADV_HUGEPAGE);
  return block;
}

}  // namespace

void Graph::free_blocks() {
  for (auto [block, bytes] : blocks_) {
    if (bytes >= kHugePage)
      munmap(block, bytes);
    else if (bytes == kFirstPageBytes)
      internal::PagePool::instance().give_back(block);
    else
      std::free(block);
  }
  blocks_.clear();
}

void* Graph::new_pages(size_t count) {
  if (count > num_spare_pages_) {
    // Small graphs take page by page; big ones whole huge pages, which cost a third to touch.
    size_t owned = node_page_list_.size() + cell_page_list_.size();
    size_t pages = owned < 4 ? 1 : owned < 16 ? 4 : owned < 32 ? 16 : owned < 512 ? 32 : 128;
    pages = std::max(pages, count);
    size_t bytes = pages * kPageBytes;
    bool huge = bytes >= kHugePage;
    if (huge) bytes = (bytes + kHugePage - 1) / kHugePage * kHugePage;
    void* block = huge ? map_huge(bytes) : std::aligned_alloc(kPageBytes, bytes);
    FX_CHECK(block != nullptr, "out of memory for a graph");
    blocks_.emplace_back(block, bytes);
    spare_pages_ = static_cast<char*>(block);
    num_spare_pages_ = bytes / kPageBytes;
  }
  void* result = spare_pages_;
  spare_pages_ += count * kPageBytes;
  num_spare_pages_ -= count;
  return result;
}

uint32_t Graph::grow_slots() {
  if (free_slots_.empty() && !erased_slots_.empty() && live_iterators_ == 0)
    free_slots_.swap(erased_slots_);
  if (!free_slots_.empty()) {
    uint32_t slot = free_slots_.back();
    free_slots_.pop_back();
    return slot;
  }
  if (next_slot_ == 0) {
    void* page = internal::PagePool::instance().take();
    blocks_.emplace_back(page, kFirstPageBytes);
    static_cast<detail::PageHeader*>(page)->graph = this;
    node_page_list_.push_back(static_cast<Node*>(page));
    node_pages_ = node_page_list_.data();
    cell_page_list_.push_back(static_cast<Cell*>(page));
    cell_pages_ = cell_page_list_.data();
    next_slot_ = 1;  // behind the header
    next_cell_ = kFirstCell;
    return next_slot_++;
  }
  if (next_slot_ == kFirstSlots) next_slot_ = kNodesPerPage;  // the first page has no more
  if ((next_slot_ & (kNodesPerPage - 1)) == 0) {
    FX_CHECK(next_slot_ < Cell::kConstant - kNodesPerPage, "a graph holds at most 2^31 nodes");
    void* page = new_pages(1);
    static_cast<detail::PageHeader*>(page)->graph = this;
    node_page_list_.push_back(static_cast<Node*>(page));
    node_pages_ = node_page_list_.data();
    ++next_slot_;  // the header's place
  }
  return next_slot_++;
}

uint32_t Graph::grow_cells(uint32_t count) {
  if (count >= kSmallRun) {
    if (auto it = free_runs_.find(count); it != free_runs_.end()) {
      uint32_t head = it->second;
      if (uint32_t next = cell_at(head)->aux)
        it->second = next;
      else
        free_runs_.erase(it);
      return head;
    }
  }
  if (const size_t rest = cells_end(cell_page_list_.size()); next_cell_ + size_t{count} > rest) {
    if (next_cell_ < rest) free_cells(next_cell_, static_cast<uint32_t>(rest - next_cell_));
    const size_t end = cell_page_list_.size() << kCellPageBits;
    const auto first = static_cast<uint32_t>(end);
    const size_t pages = (size_t{count} + kCellsPerPage - 1) / kCellsPerPage;
    FX_CHECK(end + pages * kCellsPerPage <= UINT32_MAX, "a graph holds at most 2^32 arguments");
    auto* cells = static_cast<Cell*>(new_pages(pages));
    for (size_t i = 0; i < pages; ++i) cell_page_list_.push_back(cells + i * kCellsPerPage);
    cell_pages_ = cell_page_list_.data();
    next_cell_ = first;
  }
  uint32_t begin = next_cell_;
  next_cell_ += count;
  return begin;
}

void Graph::move_cell(uint32_t from, uint32_t to) {
  Cell& cell = *cell_at(to);
  cell = *cell_at(from);
  if (!cell.is_use()) return;
  Node& node = *node_at(cell.head);
  if (node.first_use_ == from) node.first_use_ = to;
  if (cell.use.next == from) {
    cell.use = {to, to};
    return;
  }
  cell_at(cell.use.prev)->use.next = to;
  cell_at(cell.use.next)->use.prev = to;
}

void Graph::store_owned(const Argument& value, uint32_t index, uint32_t user) {
  Cell& cell = *cell_at(index);
  ArgumentKind kind = value.kind();
  cell.head = Cell::kConstant | static_cast<uint32_t>(kind);
  cell.aux = 0;
  switch (kind) {
    case ArgumentKind::kString:
    case ArgumentKind::kObject:
      cell.pointer = context_->symbol(value.as_string()).data_;
      return;
    case ArgumentKind::kComplex: {
      std::complex<double> number = value.as_complex();
      uint32_t begin = new_cells(2);
      cell.aux = 2;
      cell.items = {begin, 0};
      store(Argument(number.real()), begin, user);
      store(Argument(number.imag()), begin + 1, user);
      return;
    }
    default:
      break;
  }
  // An aggregate: its items stand in a run of their own. Depth is bounded (kMaxArgumentDepth).
  auto count = static_cast<uint32_t>(value.size());
  bool dict = kind == ArgumentKind::kDict;
  uint32_t begin = new_cells(dict ? 2 * count : count);
  cell.aux = count;
  cell.items = {begin, 0};
  if (kind == ArgumentKind::kStruct)
    cell.items.type_name = context_->symbol(value.type_name()).id();
  for (uint32_t i = 0; i < count; ++i) {
    if (dict) store(value.key(i), begin + 2 * i, user);
    store(value[i], dict ? begin + 2 * i + 1 : begin + i, user);
  }
}

void Graph::store_kwargs(absl::Span<const Kwarg> kwargs, uint32_t index, uint32_t user) {
  for (const Kwarg& kwarg : kwargs) {
    store(Argument(kwarg.symbol ? kwarg.symbol : context_->symbol(kwarg.key)), index++, user);
    store(kwarg.value, index++, user);
  }
}

void Graph::release_items(uint32_t index) {
  const Cell& cell = *cell_at(index);
  uint32_t count = cell.kind() == ArgumentKind::kDict ? 2 * cell.aux : cell.aux;
  uint32_t begin = cell.items.begin;
  for (uint32_t i = 0; i < count; ++i) release(begin + i);
  free_cells(begin, count);
}

// ---------------------------------------------------------------- program order

// Spreads keys over the smallest aligned range around the node that is sparse enough: a range of
// 2^i keys may hold (2/1.5)^i nodes. Amortised O(log n) a crowded insertion (Bender et al., "Two
// simplified algorithms for maintaining order in a list", 2002).
void Graph::renumber_around(Node& node) {
  uint32_t first = node.slot_, last = node.slot_;
  size_t count = 1;
  double capacity = 1;
  for (int bits = 1; bits <= 32; ++bits) {
    capacity *= 2 / 1.5;
    uint64_t width = uint64_t{1} << bits;
    uint64_t low = node.order_ / width * width, high = low + width;  // keys in [low, high)
    while (node_at(first)->prev_ != kRoot && node_at(node_at(first)->prev_)->order_ >= low) {
      first = node_at(first)->prev_;
      ++count;
    }
    while (node_at(last)->next_ != kRoot && node_at(node_at(last)->next_)->order_ < high) {
      last = node_at(last)->next_;
      ++count;
    }
    if (static_cast<double>(count) > capacity && bits < 32) continue;
    // Key 0 is the root's.
    if (low == 0) low = 1;
    uint64_t step = (high - low) / count;
    if (step == 0) continue;
    // The whole range: leave room to append at the end.
    if (bits == 32) step = std::max<uint64_t>(1, std::min<uint64_t>(step / 2, kOrderStride * 64));
    for (uint64_t key = low;; key += step) {
      node_at(first)->order_ = static_cast<uint32_t>(key);
      if (first == last) return;
      first = node_at(first)->next_;
    }
  }
  FX_CHECK(false, "program order ran out of keys");
}

// ---------------------------------------------------------------- whole graphs

void Graph::reserve(size_t nodes, size_t arguments) {
  size_t pages = nodes / kNodesPerPage + arguments / kCellsPerPage;
  if (pages > num_spare_pages_ && pages >= 4) {
    // Leaves what was spare unused; asks once for all.
    spare_pages_ = static_cast<char*>(new_pages(pages + 2));
    num_spare_pages_ += pages + 2;
  }
}

size_t Graph::memory_bytes() const {
  const size_t pages = node_page_list_.size() + cell_page_list_.size() - 2;
  return sizeof(*this) + kFirstPageBytes + pages * kPageBytes + meta_.memory_bytes();
}

std::unique_ptr<Graph> Graph::clone(absl::flat_hash_map<const Node*, Node*>* map) const {
  auto copy = std::make_unique<Graph>(*context_);
  Graph& to = *copy;  // with its first page
  // Indexes stay what they are, so pages are copied as they stand; a run of cells that spans pages
  // spans them in the copy, since all lie behind each other.
  std::copy_n(reinterpret_cast<const char*>(node_pages_[0]), kFirstPageBytes,
              reinterpret_cast<char*>(to.node_pages_[0]));
  reinterpret_cast<detail::PageHeader*>(to.node_pages_[0])->graph = copy.get();
  const size_t pages = node_page_list_.size() + cell_page_list_.size() - 2;
  auto* memory = pages ? static_cast<char*>(to.new_pages(pages)) : nullptr;
  for (size_t i = 1; i < node_page_list_.size(); ++i) {
    const uint32_t last = next_slot_ & (kNodesPerPage - 1);
    const size_t used = i + 1 == node_page_list_.size() && last ? last : kNodesPerPage;
    std::copy_n(reinterpret_cast<const char*>(node_page_list_[i]), used * sizeof(Node), memory);
    reinterpret_cast<detail::PageHeader*>(memory)->graph = copy.get();
    to.node_page_list_.push_back(reinterpret_cast<Node*>(memory));
    memory += kPageBytes;
  }
  for (size_t i = 1; i < cell_page_list_.size(); ++i) {
    const size_t begin = i << kCellPageBits;
    const size_t used =
        std::min<size_t>(kCellsPerPage, next_cell_ > begin ? next_cell_ - begin : 0);
    std::copy_n(reinterpret_cast<const char*>(cell_page_list_[i]), used * sizeof(Cell), memory);
    to.cell_page_list_.push_back(reinterpret_cast<Cell*>(memory));
    memory += kPageBytes;
  }
  to.node_pages_ = to.node_page_list_.data();
  to.cell_pages_ = to.cell_page_list_.data();
  to.size_ = size_;
  to.num_outputs_ = num_outputs_;
  to.next_slot_ = next_slot_;
  to.next_id_ = next_id_;
  to.next_cell_ = next_cell_;
  to.insert_before_ = kRoot;
  to.torch_insert_order_ = torch_insert_order_;
  to.allow_several_outputs_ = allow_several_outputs_;
  to.names_ = names_;
  to.free_slots_ = free_slots_;
  to.free_slots_.insert(to.free_slots_.end(), erased_slots_.begin(), erased_slots_.end());
  std::copy(std::begin(free_cells_), std::end(free_cells_), std::begin(to.free_cells_));
  to.free_runs_ = free_runs_;
  to.graph_meta_ = graph_meta_;
  to.meta_ = meta_;
  for (const Subgraph& sub : subgraphs_) to.subgraphs_.push_back({sub.name, sub.graph->clone()});
  if (map)
    for (Node& node : nodes()) map->emplace(&node, to.node_at(node.slot_));
  return copy;
}

}  // namespace fx
