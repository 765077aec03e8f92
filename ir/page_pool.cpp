// The pools of pages: see page_pool_internal.h.
#include "fx/ir/graph_storage_internal.h"
#include "fx/ir/page_pool_internal.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/huge_pages.h"

#include "absl/base/config.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <utility>

namespace fx::internal {

using detail::kPageBytes;

SmallPagePool& first_pages() {
  static auto* const kPool = new SmallPagePool(kFirstPageBytes);
  return *kPool;
}
SmallPagePool& second_pages() {
  static auto* const kPool = new SmallPagePool(kSecondPageBytes);
  return *kPool;
}
PagePool& full_pages() {
  static auto* const kPool = new PagePool;
  return *kPool;
}

#ifdef ABSL_HAVE_ADDRESS_SANITIZER
// Under the sanitizer each comes from malloc, so that it sees uses of graphs that are gone.
namespace {
void* allocate_page(size_t bytes) {
  void* page = nullptr;
  FX_CHECK(posix_memalign(&page, kPageBytes, bytes) == 0, "out of memory for a graph");
  return page;
}
}  // namespace

void* SmallPagePool::take() { return allocate_page(page_bytes_); }
void SmallPagePool::give_back(void* page) { std::free(page); }
void* PagePool::take() { return allocate_page(kPageBytes); }
void PagePool::give_back(void* page) { std::free(page); }
void PagePool::trim() {}
#else
void* SmallPagePool::take() {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (std::vector<void*>* pages : {&used_, &empty_}) {
    if (pages->empty()) continue;
    void* page = pages->back();
    pages->pop_back();
    return page;
  }
  if (next_ == end_) map_more();
  void* page = next_;
  next_ += kPageBytes;
  return page;
}

void SmallPagePool::give_back(void* page) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (used_.size() < kMostUsed) {
    used_.push_back(page);
    return;
  }
  madvise(page, page_bytes_, MADV_DONTNEED);
  empty_.push_back(page);
}

void SmallPagePool::map_more() {
  // As much again as there is, from 2 to 64 MiB of addresses; memory comes with the first touch,
  // and of a huge page most would lie idle.
  const size_t bytes = std::clamp<size_t>(mapped_, kHugePage, 32 * kHugePage);
  void* mapped = map_huge(bytes, /*on_huge_pages=*/false);
  FX_CHECK(mapped != nullptr, "out of memory for a graph");
  next_ = static_cast<char*>(mapped);
  end_ = next_ + bytes;
  mapped_ += bytes;
}

/// The head of a block.
struct PagePool::Block {
  struct Page {  // that came back
    Page* next;
  };
  Block *previous, *next;
  Page* free;
  size_t num_used;
  size_t fresh;  // where those begin that were never taken
};

void* PagePool::take() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (open_ == nullptr) map_block();
  Block& block = *open_;
  num_empty_ -= block.num_used++ == 0;
  void* page = block.free;
  if (page != nullptr) {
    block.free = block.free->next;
  } else {
    page = reinterpret_cast<char*>(&block) + block.fresh;
    block.fresh += kPageBytes;
  }
  if (is_full(block)) unlink(block);
  return page;
}

void PagePool::give_back(void* page) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const uintptr_t start = reinterpret_cast<uintptr_t>(page) / kHugePage * kHugePage;
  Block& block = *reinterpret_cast<Block*>(start);
  if (is_full(block)) link(block);
  block.free = new (page) Block::Page{block.free};
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
  unmap_huge(&block, kHugePage);
}

bool PagePool::is_full(const Block& block) {
  return block.free == nullptr && block.fresh == kHugePage;
}

void PagePool::map_block() {
  // Of a huge page for a few graphs most would lie idle.
  void* memory = map_huge(kHugePage, num_blocks_ > 0);
  FX_CHECK(memory != nullptr, "out of memory for a graph");
  link(*new (memory) Block{
      .previous = nullptr, .next = nullptr, .free = nullptr, .num_used = 0, .fresh = kPageBytes});
  ++num_blocks_;
  ++num_empty_;
}

void PagePool::link(Block& block) {
  block.previous = nullptr;
  block.next = open_;
  if (open_ != nullptr) open_->previous = &block;
  open_ = &block;
}

void PagePool::unlink(Block& block) {
  (block.previous != nullptr ? block.previous->next : open_) = block.next;
  if (block.next != nullptr) block.next->previous = block.previous;
}
#endif

}  // namespace fx::internal
