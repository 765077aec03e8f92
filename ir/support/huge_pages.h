// Memory on huge pages, for large blocks that are touched once: the system hands out 2 MiB in a
// tenth of the time that it takes for the 512 pages of 4 KiB.
#pragma once

#include "absl/base/config.h"

#include <cstddef>
#include <new>

namespace fx::internal {

inline constexpr size_t kHugePage = size_t{2} << 20;

/// Memory at a multiple of kHugePage, with any contents, on huge pages where the system has them;
/// null without memory. `bytes` is a multiple of kHugePage. Mapped, not allocated: malloc would
/// keep as much again for the alignment. Thread safe.
void* map_huge(size_t bytes);
/// Gives such memory back. Some of it waits for the next map_huge, because the system clears what
/// it hands out, which takes longer than most passes over it; the system may have
/// it when it runs short.
void unmap_huge(void* memory, size_t bytes);
/// Gives the system what waits.
void trim_huge();

/// The same on small pages, for memory of which most may never be touched.
void* map_small(size_t bytes);
void unmap_small(void* memory, size_t bytes);

/// An allocator for containers that may grow large: from kHugePage on their memory is map_huge's,
/// but under the address sanitizer, which watches what is allocated.
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
