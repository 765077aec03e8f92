// The pools of pages: see page_pool_internal.h.
#include "fx/ir/graph/node.h"
#include "fx/ir/graph/page_pool_internal.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/huge_pages.h"

#include "absl/base/config.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <utility>

namespace fx::internal {

namespace {

constexpr size_t kSmallest = detail::kSmallestPage;

using Pools = std::array<PagePool, 7>;
Pools& pools() {
  static auto* const kPools =
      new Pools{PagePool(kSmallest),     PagePool(2 * kSmallest),  PagePool(4 * kSmallest),
                PagePool(8 * kSmallest), PagePool(16 * kSmallest), PagePool(32 * kSmallest),
                PagePool(64 * kSmallest)};
  return *kPools;
}

}  // namespace

PagePool& page_pool(size_t page_bytes) {
  return pools()[static_cast<size_t>(std::countr_zero(page_bytes / kSmallest))];
}

void trim_page_pools() {
  for (PagePool& pool : pools()) pool.trim();
  trim_huge();
}

#ifdef ABSL_HAVE_ADDRESS_SANITIZER
// With AddressSanitizer each page comes from malloc, so that uses of destroyed graphs are detected.
void* PagePool::allocate() {
  void* page = nullptr;
  FX_CHECK(posix_memalign(&page, detail::kHeaderStride, page_bytes_) == 0,
           "out of memory for a graph");
  return page;
}
void PagePool::free(void* page) { std::free(page); }
void PagePool::trim() {}
#else
/// The header of a block.
struct PagePool::Block {
  struct Page {  // a free page, after a header that pages in use may require
    alignas(64) char header[64];
    Page* next;
  };
  Block *previous, *next;
  Page* free;
  size_t num_used;
  size_t unused_begin;  // the start of the pages that were never used
  bool is_huge;
};

void* PagePool::allocate() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (open_ == nullptr) map_block();
  Block& block = *open_;
  num_empty_ -= block.num_used++ == 0;
  void* page = block.free;
  if (page != nullptr) {
    block.free = block.free->next;
  } else {
    page = reinterpret_cast<char*>(&block) + block.unused_begin;
    block.unused_begin += page_bytes_;
  }
  if (is_full(block)) unlink(block);
  return page;
}

void PagePool::free(void* page) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const uintptr_t start = reinterpret_cast<uintptr_t>(page) / kHugePage * kHugePage;
  Block& block = *reinterpret_cast<Block*>(start);
  if (is_full(block)) link(block);
  auto* const free = static_cast<Block::Page*>(page);
  free->next = block.free;
  block.free = free;
  if (--block.num_used > 0) return;
  if (num_empty_ < kEmptyBlocks) {
    ++num_empty_;
    return;
  }
  unmap(block);
}

void PagePool::trim() {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (Block* block = open_; block != nullptr;) {
    Block& tried = *std::exchange(block, block->next);
    if (tried.num_used == 0) unmap(tried);
  }
  num_empty_ = 0;
}

void PagePool::unmap(Block& block) {
  unlink(block);
  --num_blocks_;
  if (block.is_huge)
    unmap_huge(&block, kHugePage);
  else
    unmap_small(&block, kHugePage);
}

bool PagePool::is_full(const Block& block) const {
  return block.free == nullptr && block.unused_begin + page_bytes_ > kHugePage;
}

void PagePool::map_block() {
  // A process with a few graphs would use little of a huge page.
  const bool is_huge = num_blocks_ > 0;
  void* memory = is_huge ? map_huge(kHugePage) : map_small(kHugePage);
  FX_CHECK(memory != nullptr, "out of memory for a graph");
  link(*new (memory) Block{.previous = nullptr,
                           .next = nullptr,
                           .free = nullptr,
                           .num_used = 0,
                           .unused_begin = detail::kHeaderStride,
                           .is_huge = is_huge});
  ++num_blocks_;
  ++num_empty_;
}

// Insert it after the block that is being filled, so that blocks with few used pages may become
// empty.
void PagePool::link(Block& block) {
  block.previous = open_;
  block.next = open_ != nullptr ? open_->next : nullptr;
  (open_ != nullptr ? open_->next : open_) = &block;
  if (block.next != nullptr) block.next->previous = &block;
}

void PagePool::unlink(Block& block) {
  (block.previous != nullptr ? block.previous->next : open_) = block.next;
  if (block.next != nullptr) block.next->previous = block.previous;
}
#endif

}  // namespace fx::internal
