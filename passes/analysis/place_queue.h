// PlaceQueue: places in a sequence, of which the smallest is taken first.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fx::internal {

/// A set of numbers below a bound, as bits under bits that tell which words have any: a push or pop
/// costs a step for each factor of 64 of the bound, and next to none where neighbours follow each
/// other. For orders that take what is ready by its place.
class PlaceQueue {
 public:
  explicit PlaceQueue(size_t bound) {
    do {
      bound = (bound + 63) / 64;
      levels_.emplace_back(bound, 0);
    } while (bound > 1);
  }

  bool empty() const { return levels_.back().empty() || levels_.back()[0] == 0; }
  /// A place that is in already stays in once.
  void push(size_t place) {
    for (std::vector<uint64_t>& level : levels_) {
      uint64_t& word = level[place / 64];
      const bool has_any = word != 0;
      word |= uint64_t{1} << (place % 64);
      if (has_any) return;
      place /= 64;
    }
  }
  /// Takes the smallest; there must be one.
  size_t pop() {
    size_t place = 0;
    for (size_t i = levels_.size(); i-- > 0;)
      place = place * 64 + static_cast<size_t>(std::countr_zero(levels_[i][place]));
    size_t rest = place;
    for (std::vector<uint64_t>& level : levels_) {
      uint64_t& word = level[rest / 64];
      word &= word - 1;  // the lowest bit, as all above it
      if (word != 0) break;
      rest /= 64;
    }
    return place;
  }

 private:
  std::vector<std::vector<uint64_t>> levels_;  // of places, of their words, of the words of those
};

}  // namespace fx::internal
