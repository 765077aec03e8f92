// The storage of a graph: see graph_storage.h.
//
// A page is 64 KiB; the first pages are smaller, and the first one contains both nodes and cells.
// Every 64th position of a node page contains a header, which refers to the graph, so that pages
// may start at any multiple of 4 KiB. Up to four first pages, of 1 KiB each, share a header. Freed
// runs of cells are kept by size and reused. Slots of erased nodes are also reused, but not while
// an iterator exists: an iterator at an erased node still follows its links.
#include "fx/ir/graph/graph_storage.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/graph_storage_inline.h"
#include "fx/ir/graph/node_range.h"
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
/// A graph allocates up to this number of pages one by one, then blocks of whole huge pages.
constexpr size_t kSinglePages = 32;
}  // namespace

GraphStorage::GraphStorage(Graph& owner) : owner_(&owner) {
  // The root closes the circular list and is not visible to users.
  const uint32_t slot = new_slot();
  FX_CHECK(slot == kRoot);
  Node& root = *node_at(kRoot);
  root.slot_ = root.prev_ = root.next_ = kRoot;
  root.id_ = UINT32_MAX;
  root.order_ = 0;
  root.first_use_ = root.num_uses_ = root.cells_ = 0;
  root.type_ = nullptr;
  root.target_ = nullptr;
  root.name_base_ = root.name_number_plus_one_ = root.num_args_ = 0;
  root.num_kwargs_ = 0;
  root.op_ = Opcode::kOutput;
  root.flags_ = 0;
}

GraphStorage::~GraphStorage() {
  for (auto [block, bytes] : pages_.blocks) {
    if (bytes >= kHugePage)
      internal::unmap_huge(block, bytes);
    else if (bytes > kFullPageBytes)
      std::free(block);
    else
      internal::page_pool(bytes).free(block);
  }
}

// ---------------------------------------------------------------- pages

void GraphStorage::set_page_pointers() {
  node_pages_ = pages_.nodes.data();
  cell_pages_ = pages_.cells.data();
}

void* GraphStorage::new_single_page(size_t page) {
  void* memory = internal::page_pool(page_bytes(page)).allocate();
  pages_.blocks.emplace_back(memory, page_bytes(page));
  return memory;
}

/// `count` contiguous pages of 64 KiB.
void* GraphStorage::new_pages(size_t count) {
  if (count > pages_.num_spare) {
    // Small graphs allocate single pages, large ones whole huge pages.
    const size_t owned = pages_.nodes.size() + pages_.cells.size();
    const size_t pages = std::max<size_t>(count, owned < kSinglePages ? 1 : owned < 512 ? 32 : 128);
    if (pages == 1) return new_single_page(kNumSmallPages);
    size_t bytes = pages * kFullPageBytes;
    const bool huge = bytes >= kHugePage;
    if (huge) bytes = (bytes + kHugePage - 1) / kHugePage * kHugePage;
    void* block = huge ? internal::map_huge(bytes) : std::aligned_alloc(kFullPageBytes, bytes);
    FX_CHECK(block != nullptr, "out of memory for a graph");
    pages_.blocks.emplace_back(block, bytes);
    pages_.spare = static_cast<char*>(block);
    pages_.num_spare = bytes / kFullPageBytes;
  }
  void* result = pages_.spare;
  pages_.spare += count * kFullPageBytes;
  pages_.num_spare -= count;
  return result;
}

void GraphStorage::add_slots() {
  const size_t pages = pages_.nodes.size();
  if (pages == 0 || state_.slots_end == (pages - 1) * kNodesPerPage + num_slots(pages - 1)) {
    add_node_page();
  } else {
    state_.next_slot = state_.slots_end + 1;  // after the header
    state_.slots_end += kSlotsPerHeader;
  }
}

void GraphStorage::add_node_page() {
  const size_t page = pages_.nodes.size();
  FX_CHECK(page < Cell::kConstant / kNodesPerPage - 1, "a graph must have at most 2^31 nodes");
  void* memory = nullptr;
  if (page == 0) {
    memory = new_single_page(0);
    pages_.cells.push_back(static_cast<Cell*>(memory));
    state_.next_cell = kFirstCell;
    state_.cells_end = num_cells(0);
  } else {
    memory = page < kNumSmallPages ? new_single_page(page) : new_pages(1);
  }
  pages_.nodes.push_back(static_cast<Node*>(memory));
  set_page_pointers();
  set_headers(page);
  const auto begin = static_cast<uint32_t>(page * kNodesPerPage);
  state_.next_slot = begin + 1;  // after the header
  state_.slots_end = begin + std::min(num_slots(page), kSlotsPerHeader);
}

void GraphStorage::set_headers(size_t page) {
  static_assert(kNodesPerPage == kSlotsPerPage && kCellsPerPage == kCellSlotsPerPage);
  Node* const first = pages_.nodes[page];
  if (page == 0) {  // this page shares its header with other graphs
    detail::PageHeader::of(first).graphs[detail::PageHeader::page_of(first)] = owner_;
    return;
  }
  for (uint32_t slot = 0; slot < num_slots(page); slot += kSlotsPerHeader)
    std::ranges::fill(detail::PageHeader::of(first + slot).graphs, owner_);
}

uint32_t GraphStorage::grow_slots() {
  if (state_.free_slots == 0 && !has_iterators()) std::swap(state_.free_slots, state_.erased_slots);
  if (const uint32_t slot = state_.free_slots) {
    state_.free_slots = node_at(slot)->cells_;
    return slot;
  }
  if (state_.next_slot == state_.slots_end) add_slots();
  return state_.next_slot++;
}

uint32_t GraphStorage::grow_cells(uint32_t count) {
  if (count >= FreeRuns::kSmallRun && free_runs_ != nullptr) {
    if (auto it = free_runs_->runs.find(count); it != free_runs_->runs.end()) {
      uint32_t head = it->second;
      if (uint32_t next = cell_at(head)->aux)
        it->second = next;
      else
        free_runs_->runs.erase(it);
      return head;
    }
  }
  while (state_.next_cell + size_t{count} > state_.cells_end) {
    if (state_.next_cell < state_.cells_end)
      free_cells(state_.next_cell, state_.cells_end - state_.next_cell);
    const size_t page = pages_.cells.size();
    const bool is_small = page < kNumSmallPages;
    const size_t pages = is_small ? 1 : (size_t{count} + kCellsPerPage - 1) / kCellsPerPage;
    FX_CHECK((page + pages) * kCellsPerPage <= UINT32_MAX,
             "a graph must have at most 2^32 arguments");
    auto* cells = static_cast<Cell*>(is_small ? new_single_page(page) : new_pages(pages));
    for (size_t i = 0; i < pages; ++i) pages_.cells.push_back(cells + i * kCellsPerPage);
    set_page_pointers();
    state_.has_long_runs = state_.has_long_runs || pages > 1;
    state_.next_cell = static_cast<uint32_t>(page * kCellsPerPage);
    state_.cells_end = state_.next_cell +
                       (is_small ? num_cells(page) : static_cast<uint32_t>(pages) * kCellsPerPage);
  }
  uint32_t begin = state_.next_cell;
  state_.next_cell += count;
  return begin;
}

void GraphStorage::move_cell(uint32_t from, uint32_t to) {
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

void GraphStorage::store_owned(const Argument& value, uint32_t index, uint32_t user) {
  Cell& cell = *cell_at(index);
  ArgumentKind kind = value.kind();
  cell.head = Cell::kConstant | static_cast<uint32_t>(kind);
  cell.aux = 0;
  switch (kind) {
    case ArgumentKind::kString:
    case ArgumentKind::kObject:
      cell.pointer = owner_->context().symbol(value.as_string()).data_;
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
  // An aggregate: its items are in a separate run. Depth is bounded (kMaxArgumentDepth).
  auto count = static_cast<uint32_t>(value.size());
  bool dict = kind == ArgumentKind::kDict;
  uint32_t begin = new_cells(dict ? 2 * count : count);
  cell.aux = count;
  cell.items = {begin, 0};
  if (kind == ArgumentKind::kStruct)
    cell.items.type_name = owner_->context().symbol(value.type_name()).id();
  for (uint32_t i = 0; i < count; ++i) {
    if (dict) store(value.key(i), begin + 2 * i, user);
    store(value[i], dict ? begin + 2 * i + 1 : begin + i, user);
  }
}

void GraphStorage::store_kwargs(absl::Span<const Kwarg> kwargs, uint32_t index, uint32_t user) {
  for (const Kwarg& kwarg : kwargs) {
    store(Argument(kwarg.symbol ? kwarg.symbol : owner_->context().symbol(kwarg.key)), index++,
          user);
    store(kwarg.value, index++, user);
  }
}

void GraphStorage::release_items(uint32_t index) {
  const Cell& cell = *cell_at(index);
  uint32_t count = cell.kind() == ArgumentKind::kDict ? 2 * cell.aux : cell.aux;
  uint32_t begin = cell.items.begin;
  for (uint32_t i = 0; i < count; ++i) release(begin + i);
  free_cells(begin, count);
}

// ---------------------------------------------------------------- program order

namespace {

/// Passes insert most nodes before the last node of a graph. If at most kMaxLast nodes follow,
/// assigns higher keys to them, which leaves room before them. Returns false if more follow, or if
/// no keys remain. Without this, the keys before the end would become dense, and the whole graph
/// would be renumbered repeatedly.
template <class Order, class Next>
bool renumber_last(uint32_t slot, const Order& order, const Next& next) {
  constexpr uint32_t kMaxLast = 8, kRoom = 1024;
  uint32_t count = 0;
  for (uint32_t at = slot; at != GraphStorage::kRoot; at = next(at))
    if (++count > kMaxLast + 1) return false;
  uint64_t key = order(slot);  // the key of the node before the moved ones
  if (key + uint64_t{count} * kRoom > UINT32_MAX) return false;
  for (uint32_t at = slot; at != GraphStorage::kRoot; at = next(at))
    order(at) = static_cast<uint32_t>(key += kRoom);
  return true;
}

}  // namespace

// Spreads keys over the smallest aligned range around the node that is sparse enough: a range of
// 2^i keys may contain (2/1.5)^i nodes. Amortized O(log n) per crowded insertion (Bender et al.,
// "Two simplified algorithms for maintaining order in a list", 2002).
void GraphStorage::renumber_around(Node& node) {
  const auto order_of = [this](uint32_t slot) -> uint32_t& { return node_at(slot)->order_; };
  const auto next_of = [this](uint32_t slot) { return node_at(slot)->next_; };
  if (renumber_last(node.slot_, order_of, next_of)) return;
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
    // Key 0 belongs to the root.
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

/// Ensures that there are `count` contiguous spare full pages. Replaced spare pages stay unused.
void GraphStorage::ensure_spare_pages(size_t count) {
  if (count <= pages_.num_spare) return;
  pages_.spare = static_cast<char*>(new_pages(count));
  pages_.num_spare += count;
}

void GraphStorage::reserve(size_t nodes, size_t arguments) {
  constexpr uint32_t kNodesInPage = kNodesPerPage - kNodesPerPage / kSlotsPerHeader;
  const size_t pages = nodes / kNodesInPage + arguments / kCellsPerPage;
  if (pages > kSinglePages) ensure_spare_pages(pages + 2);
}

size_t GraphStorage::memory_bytes() const {
  size_t bytes = page_bytes(0);
  for (size_t i = 1; i < pages_.nodes.size(); ++i) bytes += page_bytes(i);
  for (size_t i = 1; i < pages_.cells.size(); ++i) bytes += page_bytes(i);
  return bytes;
}

void GraphStorage::copy_from(const GraphStorage& from) {
  // Slots and cell indexes do not change, so pages can be copied bytewise.
  const auto copy_page = [](const void* source, size_t bytes, void* memory) {
    std::copy_n(static_cast<const char*>(source), bytes, static_cast<char*>(memory));
  };
  // The first page exists, and its header is shared.
  copy_page(from.node_pages_[0] + 1, page_bytes(0) - sizeof(Node), node_pages_[0] + 1);
  // Runs of cells may span multiple pages, so the full pages of the copy are also contiguous.
  const auto num_full = [](size_t pages) { return pages - std::min(pages, kNumSmallPages); };
  const size_t pages = num_full(from.pages_.nodes.size()) + num_full(from.pages_.cells.size());
  if (from.state_.has_long_runs || pages > kSinglePages) ensure_spare_pages(pages);
  const auto new_page = [&](size_t i) {
    return i < kNumSmallPages ? new_single_page(i) : new_pages(1);
  };
  for (size_t i = 1; i < from.pages_.nodes.size(); ++i) {
    const auto begin = static_cast<uint32_t>(i * kNodesPerPage);
    const size_t used = std::min(from.state_.next_slot - begin, num_slots(i));
    void* memory = new_page(i);
    copy_page(from.pages_.nodes[i], used * sizeof(Node), memory);
    pages_.nodes.push_back(static_cast<Node*>(memory));
    set_headers(i);
  }
  for (size_t i = 1; i < from.pages_.cells.size(); ++i) {
    const size_t begin = i * kCellsPerPage, end = from.state_.next_cell;
    const size_t used = std::min<size_t>(num_cells(i), end > begin ? end - begin : 0);
    void* memory = new_page(i);
    copy_page(from.pages_.cells[i], used * sizeof(Cell), memory);
    pages_.cells.push_back(static_cast<Cell*>(memory));
  }
  set_page_pointers();
  state_ = from.state_;
  if (from.free_runs_ != nullptr) own_free_runs() = *from.free_runs_;
}

void GraphStorage::take(GraphStorage& from) {
  const uint32_t first_id = state_.next_id;
  FX_CHECK(from.state_.next_id <= UINT32_MAX - first_id, "a graph must create at most 2^32 nodes");
  std::swap(state_, from.state_);
  std::swap(pages_, from.pages_);
  std::swap(free_runs_, from.free_runs_);
  set_page_pointers();
  from.set_page_pointers();
  for (size_t page = 0; page < pages_.nodes.size(); ++page) set_headers(page);
  state_.next_id += first_id;
  for (Node& node : NodeRange(this, false)) node.id_ += first_id;
}

// Frees a run and its items without unlinking uses: the values are erased with their users.
void GraphStorage::free_cell_trees(uint32_t begin, uint32_t count) {
  for (uint32_t i = begin; i < begin + count; ++i) {
    const Cell& cell = *cell_at(i);
    if (!cell.is_use() && (is_aggregate(cell.kind()) || cell.kind() == ArgumentKind::kComplex))
      free_cell_trees(cell.items.begin,
                      cell.kind() == ArgumentKind::kDict ? 2 * cell.aux : cell.aux);
  }
  free_cells(begin, count);
}

void GraphStorage::clear() {
  for (Node& node : NodeRange(this, false)) {
    free_cell_trees(node.cells_, node.num_cells());
    node.num_args_ = node.first_use_ = node.num_uses_ = 0;
    node.num_kwargs_ = 0;
    add_to(state_.erased_slots, node);
  }
  root().prev_ = root().next_ = kRoot;
  state_.size = 0;
  state_.num_by_op = {};
}

void GraphStorage::change_op(Node& node, Opcode op) {
  --state_.num_by_op[static_cast<size_t>(node.op_)];
  ++state_.num_by_op[static_cast<size_t>(op)];
  node.op_ = op;
}

}  // namespace fx
