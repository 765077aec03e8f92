// PositionQueue: a queue of positions in a sequence that returns the smallest position first.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fx::internal {

/// A set of integers less than a bound, as a tree of bitmaps: each bit of a level marks a nonzero
/// word of the previous level. Push and pop take O(log(bound)) time, with base 64. Intended for
/// algorithms that process ready items by position.
class PositionQueue {
 public:
  explicit PositionQueue(size_t bound) {
    do {
      bound = (bound + 63) / 64;
      levels_.emplace_back(bound, 0);
    } while (bound > 1);
  }

  bool empty() const { return levels_.back().empty() || levels_.back()[0] == 0; }
  /// Adding a position that is already in the set has no effect.
  void push(size_t position) {
    for (std::vector<uint64_t>& level : levels_) {
      uint64_t& word = level[position / 64];
      const bool has_any = word != 0;
      word |= uint64_t{1} << (position % 64);
      if (has_any) return;
      position /= 64;
    }
  }
  /// Removes and returns the smallest position. The set must not be empty.
  size_t pop() {
    size_t position = 0;
    for (size_t i = levels_.size(); i-- > 0;)
      position = position * 64 + static_cast<size_t>(std::countr_zero(levels_[i][position]));
    size_t index = position;
    for (std::vector<uint64_t>& level : levels_) {
      uint64_t& word = level[index / 64];
      word &= word - 1;  // clears the lowest bit; it is the popped one on each level
      if (word != 0) break;
      index /= 64;
    }
    return position;
  }

 private:
  std::vector<std::vector<uint64_t>> levels_;  // level 0 has a bit for each position
};

}  // namespace fx::internal
