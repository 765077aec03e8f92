// Compares PositionQueue with std::set, for bounds that require one to four levels.
#include "fx/passes/analysis/position_queue.h"

#include "gtest/gtest.h"

#include <cstddef>
#include <initializer_list>
#include <random>
#include <set>

namespace fx::internal {
namespace {

TEST(PositionQueue, ReturnsTheSmallestFirst) {
  std::mt19937 random(1);
  for (const size_t bound : std::initializer_list<size_t>{1, 2, 63, 64, 65, 4096, 4097, 300000}) {
    PositionQueue queue(bound);
    std::set<size_t> expected;
    for (int step = 0; step < 5000; ++step) {
      ASSERT_EQ(queue.empty(), expected.empty());
      if (random() % 2 == 0 && !expected.empty()) {
        ASSERT_EQ(queue.pop(), *expected.begin()) << "of " << bound;
        expected.erase(expected.begin());
      } else {
        const size_t value = random() % bound;
        queue.push(value);
        expected.insert(value);
      }
    }
  }
}

TEST(PositionQueue, IsEmptyInitially) { EXPECT_TRUE(PositionQueue(0).empty()); }

}  // namespace
}  // namespace fx::internal
