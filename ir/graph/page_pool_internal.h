// Memory for the pages of graphs (graph_storage.h), shared by all graphs of the process.
#pragma once

#include <cstddef>
#include <mutex>

namespace fx::internal {

/// Pages of one size, which is 1 or 2 KiB or a multiple of 4 KiB. Pages are aligned to their size
/// or to 4 KiB, whichever is less. The first 64 bytes of each 4 KiB of memory are shared by all
/// pages in those 4 KiB (detail::PageHeader), and do not change while any of them is in use.
/// Pages are cut from blocks of 2 MiB. All blocks except the first are huge pages if the system has
/// them, because touching memory for the first time costs more than creating a node in it
/// (support/huge_pages.h). Blocks without pages in use are returned to the system, except for a
/// few. Thread-safe.
class PagePool {
 public:
  explicit PagePool(size_t page_bytes) : page_bytes_(page_bytes) {}

  /// An uninitialized page.
  void* allocate();
  void free(void* page);
  /// Returns all unused blocks to the system (unmap_huge).
  void trim();

 private:
  struct Block;                              // the header of a block
  static constexpr size_t kEmptyBlocks = 4;  ///< the number of unused blocks that are kept

  bool is_full(const Block& block) const;
  void map_block();
  void unmap(Block& block);
  void link(Block& block);
  void unlink(Block& block);

  const size_t page_bytes_;
  std::mutex mutex_;
  Block* open_ = nullptr;  // a list: the blocks with free pages
  size_t num_blocks_ = 0;
  size_t num_empty_ = 0;
};

/// The process-wide pool of pages of the given size: 1, 2, 4, 8, 16, 32 or 64 KiB. Pools are never
/// destroyed, so that graphs with static storage may outlive main.
PagePool& page_pool(size_t page_bytes);
/// Trims all pools, and returns cached memory to the system (trim_huge).
void trim_page_pools();

}  // namespace fx::internal
