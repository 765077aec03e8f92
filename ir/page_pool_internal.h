// PagePool: the small first pages of graphs (graph_storage_internal.h), of all graphs of the
// process.
//
// Each starts at a multiple of 64 KiB, since a node finds its graph by its address. malloc would
// touch memory before and behind each of them, and look for room; here one is a page of memory that
// was mapped for many, most likely one that a graph gave back.
#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

namespace fx::internal {

/// See the head of this file. Thread safe.
class PagePool {
 public:
  static constexpr size_t kBytes = 4096;

  /// The one pool; it is never destroyed, so that graphs with static storage may outlive main.
  static PagePool& instance();

  /// A page with any contents.
  void* take();
  void give_back(void* page);

 private:
  static constexpr size_t kMostUsed = 1024;  ///< pages given back that keep their memory

  void map_more();

  std::mutex mutex_;
  std::vector<void*> used_;   // given back
  std::vector<void*> empty_;  // the same, without memory
  char* next_ = nullptr;      // never taken yet, up to end_
  char* end_ = nullptr;
  size_t mapped_ = 0;
};

}  // namespace fx::internal
