// Pools of pages: each page has one owner, is aligned, and is returned.
#include "fx/ir/graph/page_pool_internal.h"
#include "fx/ir/support/huge_pages.h"

#include "absl/base/config.h"
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <set>
#include <thread>
#include <utility>
#include <vector>

namespace fx::internal {
namespace {

/// The size of the header of each page. Multiple pages may share a header.
constexpr size_t kHeader = 64;

/// Takes and returns pages at random, at most `max_pages` at a time, and checks that no other owner
/// writes to them.
void use_pool(PagePool& pool, size_t page_bytes, unsigned seed, size_t max_pages) {
  std::mt19937 random(seed);
  std::vector<std::pair<unsigned char*, unsigned char>> pages;  // pages and their contents
  for (size_t step = 0; step < 8 * max_pages; ++step) {
    if (pages.size() < max_pages && random() % 5 < 3) {
      auto* page = static_cast<unsigned char*>(pool.allocate());
      ASSERT_EQ(reinterpret_cast<uintptr_t>(page) % std::min<size_t>(page_bytes, 4096), 0u);
      const auto mark = static_cast<unsigned char>(random());
      std::memset(page + kHeader, mark, page_bytes - kHeader);
      pages.emplace_back(page, mark);
    } else if (!pages.empty()) {
      std::swap(pages[random() % pages.size()], pages.back());
      const auto [page, mark] = pages.back();
      pages.pop_back();
      ASSERT_EQ(page[kHeader], mark);
      ASSERT_EQ(page[page_bytes - 1], mark);
      pool.free(page);
    }
  }
  for (const auto& [page, mark] : pages) {
    ASSERT_EQ(page[page_bytes / 2], mark);
    pool.free(page);
  }
}

TEST(PagePool, PagesOfEachSizeHaveOneOwner) {
  for (size_t bytes = 1024; bytes <= 65536; bytes *= 2) {
    PagePool pool(bytes);
    use_pool(pool, bytes, static_cast<unsigned>(bytes),
             /*max_pages=*/5 * (size_t{2} << 20) / bytes);
    pool.trim();
    use_pool(pool, bytes, 1, 10);
    pool.trim();
  }
}

TEST(PagePool, ReturnedPagesAreReusedBeforeMemoryIsMapped) {
  PagePool pool(4096);
  constexpr int kPages = 4 * 511;  // four blocks; the pool uses the first page of each
  std::set<void*> first;
  for (int i = 0; i < kPages; ++i) first.insert(pool.allocate());
  EXPECT_EQ(first.size(), size_t{kPages});
  for (void* page : first) pool.free(page);
#ifndef ABSL_HAVE_ADDRESS_SANITIZER  // with it, each page is allocated with malloc
  std::vector<void*> again;
  for (int i = 0; i < kPages; ++i) again.push_back(pool.allocate());
  for (void* page : again) {
    EXPECT_EQ(first.count(page), 1u);
    pool.free(page);
  }
#endif
  pool.trim();
}

// Headers of pages in use do not change when adjacent pages change.
TEST(PagePool, HeadersDoNotChange) {
  PagePool pool(1024);
  std::vector<unsigned char*> pages;
  std::set<unsigned char*> kept;
  for (int i = 0; i < 4000; ++i) pages.push_back(static_cast<unsigned char*>(pool.allocate()));
  const auto header_of = [](unsigned char* page) {
    return page - reinterpret_cast<uintptr_t>(page) % 4096;
  };
  for (size_t i = 0; i < pages.size(); i += 3) {
    kept.insert(header_of(pages[i]));
    std::memset(header_of(pages[i]), 0x5a, kHeader);
  }
  for (size_t i = 0; i < pages.size(); ++i)
    if (i % 3 != 0) pool.free(pages[i]);
  for (const unsigned char* header : kept) {
    ASSERT_EQ(header[0], 0x5a);
    ASSERT_EQ(header[kHeader - 1], 0x5a);
  }
  for (size_t i = 0; i < pages.size(); i += 3) pool.free(pages[i]);
  pool.trim();
}

#ifndef ABSL_HAVE_ADDRESS_SANITIZER  // with it, memory is returned immediately
// Returned memory is reused, as a whole or in part, until it is trimmed. It has one owner at a
// time.
TEST(HugePages, FreedRangesAreReused) {
  trim_huge();
  auto* block = static_cast<unsigned char*>(map_huge(4 * kHugePage));
  ASSERT_EQ(reinterpret_cast<uintptr_t>(block) % kHugePage, 0u);
  std::memset(block, 1, 4 * kHugePage);
  unmap_huge(block, 4 * kHugePage);
  auto* first = static_cast<unsigned char*>(map_huge(kHugePage));
  auto* tail = static_cast<unsigned char*>(map_huge(3 * kHugePage));
  EXPECT_EQ(first, block);
  EXPECT_EQ(tail, block + kHugePage);
  auto* other = static_cast<unsigned char*>(map_huge(kHugePage));
  EXPECT_TRUE(other < block || other >= block + 4 * kHugePage);
  std::memset(first, 2, kHugePage);
  std::memset(tail, 3, 3 * kHugePage);
  std::memset(other, 4, kHugePage);
  EXPECT_EQ(first[kHugePage - 1], 2);
  EXPECT_EQ(tail[0], 3);
  unmap_huge(tail, 3 * kHugePage);
  unmap_huge(first, kHugePage);
  // Adjacent free blocks are merged.
  EXPECT_EQ(map_huge(4 * kHugePage), block);
  unmap_huge(block, 4 * kHugePage);
  // Uses the smallest free block that is large enough, or `block` if the two were merged.
  unmap_huge(other, kHugePage);
  auto* again = static_cast<unsigned char*>(map_huge(kHugePage));
  EXPECT_TRUE(again == other || again == block);
  unmap_huge(again, kHugePage);
  trim_huge();
  trim_huge();
}
#endif

TEST(PagePool, ThreadsShareAPool) {
  PagePool pool(16384);
  std::vector<std::thread> threads;
  for (unsigned seed = 0; seed < 4; ++seed)
    threads.emplace_back([&pool, seed] { use_pool(pool, 16384, seed, 300); });
  for (std::thread& thread : threads) thread.join();
  pool.trim();
}

}  // namespace
}  // namespace fx::internal
