// PlaceQueue: a queue of positions in a sequence that returns the smallest position first.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fx::internal {

/// A set of numbers below a bound, as a tree of bitmaps: bits of each level mark the nonzero
/// words of the level below. A push or pop costs a step per factor of 64 of the bound, and almost
/// nothing if adjacent numbers follow each other. Intended for algorithms that process ready
/// items by position.
class PlaceQueue {
 public:
  explicit PlaceQueue(size_t bound) {
    do {
      bound = (bound + 63) / 64;
      levels_.emplace_back(bound, 0);
    } while (bound > 1);
  }

  bool empty() const { return levels_.back().empty() || levels_.back()[0] == 0; }
  /// Adding a position that is already in the set has no effect.
  void push(size_t place) {
    for (std::vector<uint64_t>& level : levels_) {
      uint64_t& word = level[place / 64];
      const bool has_any = word != 0;
      word |= uint64_t{1} << (place % 64);
      if (has_any) return;
      place /= 64;
    }
  }
  /// Removes and returns the smallest position. The set must not be empty.
  size_t pop() {
    size_t place = 0;
    for (size_t i = levels_.size(); i-- > 0;)
      place = place * 64 + static_cast<size_t>(std::countr_zero(levels_[i][place]));
    size_t rest = place;
    for (std::vector<uint64_t>& level : levels_) {
      uint64_t& word = level[rest / 64];
      word &= word - 1;  // clears the lowest bit; it is the popped one on each level
      if (word != 0) break;
      rest /= 64;
    }
    return place;
  }

 private:
  std::vector<std::vector<uint64_t>> levels_;  // bitmaps of positions, of their nonzero words, ...
};

}  // namespace fx::internal
