// Memory for the pages of graphs (graph_storage_internal.h), shared by all graphs of the process.
//
// Each page starts at a multiple of 64 KiB, since a node finds its graph by its address.
#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

namespace fx::internal {

/// Pages that are smaller than 64 KiB. malloc would touch memory before and behind each of them,
/// and look for room; here one is a few pages of the system's, of memory that was mapped for many,
/// most likely one that a graph gave back. Thread safe.
class SmallPagePool {
 public:
  explicit SmallPagePool(size_t page_bytes) : page_bytes_(page_bytes) {}

  /// A page with any contents.
  void* take();
  void give_back(void* page);

 private:
  static constexpr size_t kMostUsed = 1024;  ///< pages given back that keep their memory

  void map_more();

  const size_t page_bytes_;
  std::mutex mutex_;
  std::vector<void*> used_;   // given back
  std::vector<void*> empty_;  // the same, without memory
  char* next_ = nullptr;      // never taken yet, up to end_
  char* end_ = nullptr;
  size_t mapped_ = 0;
};

/// Pages of 64 KiB, cut from blocks of 2 MiB, which all but the first are huge pages where the
/// system has them: touching memory for the first time costs more than making a node in it
/// (support/huge_pages.h). A block whose pages have all come back goes back to the system, but for
/// a few. Thread safe.
class PagePool {
 public:
  /// A page with any contents.
  void* take();
  void give_back(void* page);
  /// Gives blocks that nobody uses back to the system.
  void trim();

 private:
  struct Block;                              // in the place of its first page
  static constexpr size_t kEmptyBlocks = 8;  ///< that stay

  static bool is_full(const Block& block);
  void map_block();
  void unmap(Block& block);
  void link(Block& block);
  void unlink(Block& block);

  std::mutex mutex_;
  Block* open_ = nullptr;  // a list: those with pages to give
  size_t num_blocks_ = 0;
  size_t num_empty_ = 0;
};

/// The pools of the process: for the first, for the second page of a graph, and for the others.
/// They are never destroyed, so that graphs with static storage may outlive main.
SmallPagePool& first_pages();
SmallPagePool& second_pages();
PagePool& full_pages();

}  // namespace fx::internal
