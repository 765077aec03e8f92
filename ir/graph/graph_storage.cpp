// Storage of a Graph: pages of nodes and argument cells, use lists, program order.
//
// Nodes and cells are addressed by 32-bit indexes into pages of 64 KiB that never move; the first
// ones are smaller, and the very first is of both. Each 64th place of a page of nodes holds the way
// back to the graph, so that pages may start at any multiple of 4 KiB; first pages, of one KiB,
// share the place in front of four of them. Freed cell runs are kept by
// size and used again; slots of erased nodes too, but not while somebody iterates, so that an
// iterator on an erased node still finds its way.
#include "fx/ir/graph/graph_storage.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/page_pool_internal.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/huge_pages.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <new>

namespace fx {

using detail::Cell;

using internal::kHugePage;

namespace {
/// A graph with fewer pages takes them one by one; then it takes whole huge pages.
constexpr size_t kSinglePages = 32;
}  // namespace

void Graph::free_blocks() {
  for (auto [block, bytes] : blocks_) {
    if (bytes >= kHugePage)
      internal::unmap_huge(block, bytes);
    else if (bytes > kFullPageBytes)
      std::free(block);
    else
      internal::page_pool(bytes).give_back(block);
  }
  blocks_.clear();
}

void* Graph::new_single_page(size_t page) {
  void* memory = internal::page_pool(page_bytes(page)).take();
  blocks_.emplace_back(memory, page_bytes(page));
  return memory;
}

/// Pages of 64 KiB, one behind the other.
void* Graph::new_pages(size_t count) {
  if (count > num_spare_pages_) {
    // Small graphs take page by page; big ones whole huge pages.
    const size_t owned = node_page_list_.size() + cell_page_list_.size();
    const size_t pages = std::max<size_t>(count, owned < kSinglePages ? 1 : owned < 512 ? 32 : 128);
    if (pages == 1) return new_single_page(kNumSmallPages);
    size_t bytes = pages * kFullPageBytes;
    const bool huge = bytes >= kHugePage;
    if (huge) bytes = (bytes + kHugePage - 1) / kHugePage * kHugePage;
    void* block = huge ? internal::map_huge(bytes) : std::aligned_alloc(kFullPageBytes, bytes);
    FX_CHECK(block != nullptr, "out of memory for a graph");
    blocks_.emplace_back(block, bytes);
    spare_pages_ = static_cast<char*>(block);
    num_spare_pages_ = bytes / kFullPageBytes;
  }
  void* result = spare_pages_;
  spare_pages_ += count * kFullPageBytes;
  num_spare_pages_ -= count;
  return result;
}

void Graph::add_slots() {
  const size_t pages = node_page_list_.size();
  if (pages == 0 || slots_end_ == (pages - 1) * kNodesPerPage + num_places(pages - 1)) {
    add_node_page();
  } else {
    next_slot_ = slots_end_ + 1;  // behind the header
    slots_end_ += kSlotsPerHeader;
  }
}

void Graph::add_node_page() {
  const size_t page = node_page_list_.size();
  FX_CHECK(page < Cell::kConstant / kNodesPerPage - 1, "a graph holds at most 2^31 nodes");
  void* memory = nullptr;
  if (page == 0) {
    memory = new_single_page(0);
    cell_page_list_.push_back(static_cast<Cell*>(memory));
    cell_pages_ = cell_page_list_.data();
    next_cell_ = kFirstCell;
    cells_end_ = num_cell_places(0);
  } else {
    memory = page < kNumSmallPages ? new_single_page(page) : new_pages(1);
  }
  node_page_list_.push_back(static_cast<Node*>(memory));
  node_pages_ = node_page_list_.data();
  set_headers(page);
  const auto begin = static_cast<uint32_t>(page * kNodesPerPage);
  next_slot_ = begin + 1;  // behind the header
  slots_end_ = begin + std::min(num_places(page), kSlotsPerHeader);
}

void Graph::set_headers(size_t page) {
  static_assert(kNodesPerPage == kPlacesPerPage && kCellsPerPage == kCellPlacesPerPage);
  Node* const first = node_page_list_[page];
  if (page == 0) {  // its header is that of other graphs too
    detail::PageHeader::of(first).graphs[detail::PageHeader::page_of(first)] = this;
    return;
  }
  for (uint32_t place = 0; place < num_places(page); place += kSlotsPerHeader)
    std::ranges::fill(detail::PageHeader::of(first + place).graphs, this);
}

uint32_t Graph::grow_slots() {
  if (free_slots_ == 0 && live_iterators_ == 0) std::swap(free_slots_, erased_slots_);
  if (const uint32_t slot = free_slots_) {
    free_slots_ = node_at(slot)->cells_;
    return slot;
  }
  if (next_slot_ == slots_end_) add_slots();
  return next_slot_++;
}

uint32_t Graph::grow_cells(uint32_t count) {
  if (count >= FreeStorage::kSmallRun && free_ != nullptr) {
    if (auto it = free_->runs.find(count); it != free_->runs.end()) {
      uint32_t head = it->second;
      if (uint32_t next = cell_at(head)->aux)
        it->second = next;
      else
        free_->runs.erase(it);
      return head;
    }
  }
  while (next_cell_ + size_t{count} > cells_end_) {
    if (next_cell_ < cells_end_) free_cells(next_cell_, cells_end_ - next_cell_);
    const size_t page = cell_page_list_.size();
    const bool is_small = page < kNumSmallPages;
    const size_t pages = is_small ? 1 : (size_t{count} + kCellsPerPage - 1) / kCellsPerPage;
    FX_CHECK((page + pages) * kCellsPerPage <= UINT32_MAX, "a graph holds at most 2^32 arguments");
    auto* cells = static_cast<Cell*>(is_small ? new_single_page(page) : new_pages(pages));
    for (size_t i = 0; i < pages; ++i) cell_page_list_.push_back(cells + i * kCellsPerPage);
    cell_pages_ = cell_page_list_.data();
    has_long_runs_ = has_long_runs_ || pages > 1;
    next_cell_ = static_cast<uint32_t>(page * kCellsPerPage);
    cells_end_ = next_cell_ +
                 (is_small ? num_cell_places(page) : static_cast<uint32_t>(pages) * kCellsPerPage);
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

void Graph::ensure_spare_pages(size_t count) {
  if (count <= num_spare_pages_) return;
  spare_pages_ = static_cast<char*>(new_pages(count));
  num_spare_pages_ += count;
}

void Graph::reserve(size_t nodes, size_t arguments) {
  constexpr uint32_t kNodesInPage = kNodesPerPage - kNodesPerPage / kSlotsPerHeader;
  const size_t pages = nodes / kNodesInPage + arguments / kCellsPerPage;
  if (pages > kSinglePages) ensure_spare_pages(pages + 2);
}

size_t Graph::memory_bytes() const {
  size_t bytes = sizeof(*this) + page_bytes(0) + meta_.memory_bytes();
  for (size_t i = 1; i < node_page_list_.size(); ++i) bytes += page_bytes(i);
  for (size_t i = 1; i < cell_page_list_.size(); ++i) bytes += page_bytes(i);
  return bytes;
}

std::unique_ptr<Graph> Graph::clone(absl::flat_hash_map<const Node*, Node*>* map) const {
  auto copy = std::make_unique<Graph>(*context_);
  Graph& to = *copy;  // with its first page
  // Indexes stay what they are, so pages are copied as they stand.
  const auto copy_page = [](const void* from, size_t bytes, void* memory) {
    std::copy_n(static_cast<const char*>(from), bytes, static_cast<char*>(memory));
  };
  // The place of the header is not the graph's own there.
  copy_page(node_pages_[0] + 1, page_bytes(0) - sizeof(Node), to.node_pages_[0] + 1);
  // Runs of cells that go over several pages do so in the copy, since all lie behind each other.
  const auto num_full = [](size_t pages) { return pages - std::min(pages, kNumSmallPages); };
  const size_t pages = num_full(node_page_list_.size()) + num_full(cell_page_list_.size());
  if (has_long_runs_ || pages > kSinglePages) to.ensure_spare_pages(pages);
  const auto new_page = [&](size_t i) {
    return i < kNumSmallPages ? to.new_single_page(i) : to.new_pages(1);
  };
  for (size_t i = 1; i < node_page_list_.size(); ++i) {
    const auto begin = static_cast<uint32_t>(i * kNodesPerPage);
    const size_t used = std::min(next_slot_ - begin, num_places(i));
    void* memory = new_page(i);
    copy_page(node_page_list_[i], used * sizeof(Node), memory);
    to.node_page_list_.push_back(static_cast<Node*>(memory));
    to.set_headers(i);
  }
  for (size_t i = 1; i < cell_page_list_.size(); ++i) {
    const size_t begin = i * kCellsPerPage, room = num_cell_places(i);
    const size_t used = std::min(room, next_cell_ > begin ? next_cell_ - begin : 0);
    void* memory = new_page(i);
    copy_page(cell_page_list_[i], used * sizeof(Cell), memory);
    to.cell_page_list_.push_back(static_cast<Cell*>(memory));
  }
  to.node_pages_ = to.node_page_list_.data();
  to.cell_pages_ = to.cell_page_list_.data();
  to.size_ = size_;
  to.num_by_op_ = num_by_op_;
  to.free_slots_ = free_slots_;
  to.erased_slots_ = erased_slots_;
  to.has_long_runs_ = has_long_runs_;
  to.next_slot_ = next_slot_;
  to.slots_end_ = slots_end_;
  to.next_id_ = next_id_;
  to.next_cell_ = next_cell_;
  to.cells_end_ = cells_end_;
  to.insert_before_ = kRoot;
  to.torch_insert_order_ = torch_insert_order_;
  to.allow_several_outputs_ = allow_several_outputs_;
  to.names_ = names_;
  to.names_in_nodes_ = names_in_nodes_;
  to.may_name_output_ = may_name_output_;
  if (free_ != nullptr) to.own_free_storage() = *free_;
  to.graph_meta_ = graph_meta_;
  to.meta_ = meta_;
  for (const Subgraph& sub : subgraphs_) to.subgraphs_.push_back({sub.name, sub.graph->clone()});
  if (map)
    for (Node& node : nodes()) map->emplace(&node, to.node_at(node.slot_));
  return copy;
}

}  // namespace fx
