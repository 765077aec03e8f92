// The pool of first pages: see page_pool_internal.h.
#include "fx/ir/node.h"
#include "fx/ir/page_pool_internal.h"
#include "fx/ir/support/check.h"

#include "absl/base/config.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace fx::internal {

using detail::kPageBytes;

PagePool& PagePool::instance() {
  static auto* const kPool = new PagePool;
  return *kPool;
}

#ifdef ABSL_HAVE_ADDRESS_SANITIZER
// Under the sanitizer each comes from malloc, so that it sees uses of graphs that are gone.
void* PagePool::take() {
  void* page = nullptr;
  FX_CHECK(posix_memalign(&page, kPageBytes, kBytes) == 0, "out of memory for a graph");
  return page;
}

void PagePool::give_back(void* page) { std::free(page); }
#else
void* PagePool::take() {
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

void PagePool::give_back(void* page) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (used_.size() < kMostUsed) {
    used_.push_back(page);
    return;
  }
  madvise(page, kBytes, MADV_DONTNEED);
  empty_.push_back(page);
}

void PagePool::map_more() {
  // As much again as there is, from 1 to 64 MiB of addresses; memory comes with the first touch.
  const size_t bytes = std::clamp<size_t>(mapped_, size_t{1} << 20, size_t{64} << 20);
  void* mapped = mmap(nullptr, bytes + kPageBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  FX_CHECK(mapped != MAP_FAILED, "out of memory for a graph");
  madvise(mapped, bytes + kPageBytes, MADV_NOHUGEPAGE);  // of a huge page most would lie idle
  const auto start = reinterpret_cast<uintptr_t>(mapped);
  next_ = static_cast<char*>(mapped) + (kPageBytes - start % kPageBytes) % kPageBytes;
  end_ = next_ + bytes;
  mapped_ += bytes;
}
#endif

}  // namespace fx::internal
