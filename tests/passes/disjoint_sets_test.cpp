#include "fx/passes/analysis/disjoint_sets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace fx::disjoint_sets_test {
namespace {

using internal::DisjointSets;

TEST(DisjointSetsTest, TheSmallestNumberRepresentsASet) {
  DisjointSets sets;
  for (uint32_t i = 0; i < 4; ++i) EXPECT_EQ(sets.add(), i);
  EXPECT_EQ(sets.size(), 4U);
  EXPECT_EQ(sets.join(3, 2), 2U);
  EXPECT_EQ(sets.join(2, 2), 2U);
  EXPECT_EQ(sets.find(3), 2U);
  EXPECT_EQ(sets.find(1), 1U);
  EXPECT_EQ(sets.join(3, 0), 0U);
  EXPECT_EQ(sets.find(2), 0U);
  EXPECT_EQ(sets.add(), 4U);
  EXPECT_EQ(sets.find(4), 4U);
}

TEST(DisjointSetsTest, HasTheSetsOfAListOfLabels) {
  std::mt19937 random(1);
  DisjointSets sets;
  std::vector<uint32_t> labels;  // the smallest number in the set of each number
  for (int step = 0; step < 2000; ++step) {
    if (sets.size() < 2 || random() % 3 == 0) {
      labels.push_back(sets.add());
      continue;
    }
    const auto a = static_cast<uint32_t>(random() % labels.size());
    const auto b = static_cast<uint32_t>(random() % labels.size());
    EXPECT_EQ(sets.find(a), labels[a]) << step;
    if (random() % 4 != 0) continue;
    const auto [first, second] = std::minmax({labels[a], labels[b]});
    std::replace(labels.begin(), labels.end(), second, first);
    EXPECT_EQ(sets.join(a, b), first) << step;
  }
  for (uint32_t i = 0; i < labels.size(); ++i) EXPECT_EQ(sets.find(i), labels[i]) << i;
}

}  // namespace
}  // namespace fx::disjoint_sets_test
