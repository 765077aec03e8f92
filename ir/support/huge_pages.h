// Memory on huge pages, for large blocks that are touched once: the system provides 2 MiB in a
// tenth of the time that it takes for 512 pages of 4 KiB.
#pragma once

#include "absl/base/config.h"

#include <cstddef>
#include <new>

namespace fx::internal {

inline constexpr size_t kHugePage = size_t{2} << 20;

/// Uninitialized memory at a multiple of kHugePage, on huge pages if the system has them; null if
/// no memory is available. `bytes` must be a multiple of kHugePage. The memory is mapped: malloc
/// would need twice as much memory for the alignment. Thread-safe.
void* map_huge(size_t bytes);
/// Releases memory that map_huge returned. Some of it is kept for the next map_huge, because the
/// system clears new memory, which takes longer than most passes over it; the system may reclaim
/// the kept memory when it runs low.
void unmap_huge(void* memory, size_t bytes);
/// Returns the kept memory to the system.
void trim_huge();

/// Like map_huge, but with small pages, for memory most of which may never be touched.
void* map_small(size_t bytes);
void unmap_small(void* memory, size_t bytes);

/// An allocator for containers that may become large: blocks of kHugePage or more come from
/// map_huge, except under AddressSanitizer, which checks only allocations.
template <class T>
class HugePageAllocator {
  static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);

 public:
  using value_type = T;
  HugePageAllocator() = default;
  template <class U>
  HugePageAllocator(const HugePageAllocator<U>&) {}

  T* allocate(size_t count) {
    const size_t bytes = count * sizeof(T);
    void* memory = is_mapped(bytes) ? map_huge(rounded(bytes)) : ::operator new(bytes);
    if (memory == nullptr) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, size_t count) {
    const size_t bytes = count * sizeof(T);
    if (is_mapped(bytes))
      unmap_huge(static_cast<void*>(memory), rounded(bytes));
    else
      ::operator delete(static_cast<void*>(memory));
  }
  friend bool operator==(const HugePageAllocator&, const HugePageAllocator&) { return true; }

 private:
  static bool is_mapped([[maybe_unused]] size_t bytes) {
#ifdef ABSL_HAVE_ADDRESS_SANITIZER
    return false;
#else
    return bytes >= kHugePage;
#endif
  }
  static size_t rounded(size_t bytes) { return (bytes + kHugePage - 1) / kHugePage * kHugePage; }
};

}  // namespace fx::internal
