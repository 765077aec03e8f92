// DisjointSets: a union-find structure over the integers from 0.
//
// Additions, joins and queries may come in any order. LLVM's IntEqClasses is unsuitable: its
// findLeader() does not shorten paths, and this header is installed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace fx::internal {

class DisjointSets {
 public:
  DisjointSets() = default;
  /// Each number below `count` is a set.
  explicit DisjointSets(size_t count) : parents_(count) {
    std::iota(parents_.begin(), parents_.end(), 0u);
  }

  size_t size() const { return parents_.size(); }
  void reserve(size_t count) { parents_.reserve(count); }
  /// Adds the next number as a new set, and returns it.
  uint32_t add() {
    parents_.push_back(static_cast<uint32_t>(parents_.size()));
    return parents_.back();
  }
  /// Returns the representative of the set that contains `i`: the smallest number in the set.
  uint32_t find(uint32_t i) const {
    while (parents_[i] != i) i = parents_[i] = parents_[parents_[i]];
    return i;
  }
  /// Joins the sets of two numbers. Returns the representative of the joined set.
  uint32_t join(uint32_t a, uint32_t b) {
    a = find(a);
    b = find(b);
    return parents_[std::max(a, b)] = std::min(a, b);
  }

 private:
  mutable std::vector<uint32_t> parents_;  // find() shortens paths
};

}  // namespace fx::internal
