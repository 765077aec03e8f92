// Memory on huge pages: see huge_pages.h.
#include "fx/ir/support/huge_pages.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <vector>

namespace fx::internal {

namespace {

void* map_aligned(size_t bytes, int advice) {
  const size_t room = bytes + kHugePage;
  void* mapped = mmap(nullptr, room, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  const auto start = reinterpret_cast<uintptr_t>(mapped);
  const uintptr_t aligned = (start + kHugePage - 1) / kHugePage * kHugePage;
  if (aligned > start) munmap(mapped, aligned - start);
  auto* block = reinterpret_cast<char*>(aligned);
  if (const size_t rest = start + room - (aligned + bytes); rest > 0) munmap(block + bytes, rest);
  madvise(block, bytes, advice);
  return block;
}

/// Ranges that are kept for reuse. There are only a few, because each is large.
class KeptRanges {
 public:
  KeptRanges() { ranges_.reserve(kMaxBytes / kHugePage); }  // so that later calls cannot fail

  /// Removes memory from the smallest range that is large enough and returns its start; the rest of
  /// the range is kept. Returns null if there is no such range.
  void* take(size_t bytes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    auto best = ranges_.end();
    for (auto range = ranges_.begin(); range != ranges_.end(); ++range) {
      const bool is_better = best == ranges_.end() || range->bytes < best->bytes;
      if (range->bytes >= bytes && is_better) best = range;
    }
    if (best == ranges_.end()) return nullptr;
    char* start = best->start;
    best->start += bytes;
    best->bytes -= bytes;
    if (best->bytes == 0) {
      *best = ranges_.back();
      ranges_.pop_back();
    }
    bytes_ -= bytes;
    return start;
  }
  /// Keeps a range; returns false if the limit is reached.
  bool add(void* start, size_t bytes) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (bytes_ + bytes > kMaxBytes) return false;
      bytes_ += bytes;
    }
    madvise(start, bytes, MADV_FREE);
    const std::lock_guard<std::mutex> lock(mutex_);
    Range range{static_cast<char*>(start), bytes};
    // Merge it with its neighbors, so that they can be used for large graphs.
    std::erase_if(ranges_, [&range](const Range& other) {
      const bool is_before = other.start + other.bytes == range.start;
      if (!is_before && range.start + range.bytes != other.start) return false;
      if (is_before) range.start = other.start;
      range.bytes += other.bytes;
      return true;
    });
    ranges_.push_back(range);
    return true;
  }
  void trim() {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const Range& range : ranges_) {
      munmap(range.start, range.bytes);
      bytes_ -= range.bytes;
    }
    ranges_.clear();
  }

 private:
  static constexpr size_t kMaxBytes = 128 * kHugePage;
  struct Range {
    char* start;
    size_t bytes;
  };
  std::mutex mutex_;
  std::vector<Range> ranges_;
  size_t bytes_ = 0;  // of all ranges, including those that are being added
};

KeptRanges& kept_ranges() {
  static auto* const kRanges = new KeptRanges;  // graphs with static storage outlive main
  return *kRanges;
}

}  // namespace

void* map_huge(size_t bytes) {
  if (void* memory = kept_ranges().take(bytes)) return memory;
  return map_aligned(bytes, MADV_HUGEPAGE);
}
void unmap_huge(void* memory, size_t bytes) {
#ifdef ABSL_HAVE_ADDRESS_SANITIZER
  munmap(memory, bytes);  // immediately, so that uses of destroyed graphs are detected
#else
  if (!kept_ranges().add(memory, bytes)) munmap(memory, bytes);
#endif
}
void trim_huge() { kept_ranges().trim(); }

void* map_small(size_t bytes) { return map_aligned(bytes, MADV_NOHUGEPAGE); }
void unmap_small(void* memory, size_t bytes) { munmap(memory, bytes); }

}  // namespace fx::internal
