// Memory for the pages of graphs (graph_storage.h), shared by all graphs of the process.
#pragma once

#include <cstddef>
#include <mutex>

namespace fx::internal {

/// Pages of one size, 1 or 2 KiB or a multiple of 4 KiB, each at a multiple of its size or of 4
/// KiB; the first 64 bytes of each 4 KiB belong to all pages there (detail::PageHeader), and stay
/// as they are while one is in use. They are cut from blocks of 2 MiB, which all but the first are
/// huge pages where the system has them: touching memory for the first time costs more than making
/// a node in it (support/huge_pages.h). Blocks of which no page is in use are returned to the
/// system, except for a few. Thread safe.
class PagePool {
 public:
  explicit PagePool(size_t page_bytes) : page_bytes_(page_bytes) {}

  /// An uninitialised page.
  void* take();
  void give_back(void* page);
  /// Returns all unused blocks to the system (unmap_huge).
  void trim();

 private:
  struct Block;                              // at its start
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

/// The process's pool of pages of this size: 1, 2, 4, 8, 16, 32 or 64 KiB. Pools are never
/// destroyed, so that graphs with static storage may outlive main.
PagePool& page_pool(size_t page_bytes);
/// Trims all pools, and returns cached memory to the system (trim_huge).
void trim_page_pools();

}  // namespace fx::internal
