// DisjointSets: which of the numbers below a bound belong together (union-find).
#pragma once

#include "fx/ir/support/huge_pages.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace fx::internal {

/// At first each number is a set of its own. The smallest number of a set stands for it.
class DisjointSets {
 public:
  explicit DisjointSets(size_t bound) : parent_(bound) {
    std::iota(parent_.begin(), parent_.end(), 0u);
  }
  /// The number that stands for the set of `i`.
  uint32_t find(uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  /// Makes the sets of both one.
  void join(uint32_t a, uint32_t b) {
    a = find(a);
    b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<uint32_t, HugePageAllocator<uint32_t>> parent_;
};

}  // namespace fx::internal
