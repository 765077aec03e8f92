// Memory on huge pages: see huge_pages.h.
#include "fx/ir/support/huge_pages.h"

#include <sys/mman.h>

#include <cstdint>

namespace fx::internal {

void* map_huge(size_t bytes, bool on_huge_pages) {
  const size_t room = bytes + kHugePage;
  void* mapped = mmap(nullptr, room, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  const auto start = reinterpret_cast<uintptr_t>(mapped);
  const uintptr_t aligned = (start + kHugePage - 1) / kHugePage * kHugePage;
  if (aligned > start) munmap(mapped, aligned - start);
  auto* block = reinterpret_cast<char*>(aligned);
  if (const size_t rest = start + room - (aligned + bytes); rest > 0) munmap(block + bytes, rest);
  madvise(block, bytes, on_huge_pages ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  return block;
}

void unmap_huge(void* memory, size_t bytes) { munmap(memory, bytes); }

}  // namespace fx::internal
