// OrderedMap: order, addresses, and lookup while entries are added and removed, compared with a
// simple model.
#include "fx/ir/support/ordered_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace fx {
namespace {

using ::testing::IsEmpty;

using Map = OrderedMap<int>;
using Items = std::vector<std::pair<std::string, int>>;

std::string name_of(int i) { return "fused_" + std::to_string(i); }

Map counted(int n) {
  Map map;
  for (int i = 0; i < n; ++i) map.set(name_of(i), int{i});
  return map;
}

Items items(const Map& map) {
  Items result;
  for (const auto& [key, value] : map) result.emplace_back(key, value);
  return result;
}

static_assert(std::forward_iterator<Map::iterator> && std::forward_iterator<Map::const_iterator>);
static_assert(std::is_convertible_v<Map::iterator, Map::const_iterator> &&
              !std::is_convertible_v<Map::const_iterator, Map::iterator>);
static_assert(sizeof(Map) == sizeof(void*));

TEST(OrderedMap, IteratesInTheOrderOfFirstSetting) {
  Map map;
  EXPECT_TRUE(map.empty());
  EXPECT_EQ(map.begin(), map.end());
  EXPECT_EQ(map.find("b"), nullptr);
  EXPECT_FALSE(map.erase("b"));
  map.set("b", 1);
  map.set("", 2);
  map.set("a", 3);
  map.set("b", 4);
  EXPECT_EQ(items(map), (Items{{"b", 4}, {"", 2}, {"a", 3}}));
  EXPECT_EQ(map.size(), 3u);
  EXPECT_EQ(map.find_entry("a")->key, "a");
  map.erase("b");
  map.set("b", 5);
  EXPECT_EQ(items(map), (Items{{"", 2}, {"a", 3}, {"b", 5}}));
}

TEST(OrderedMap, FindOrAppendAddsOnlyNewKeys) {
  OrderedMap<std::unique_ptr<int>> map;
  const auto [value, is_new] = map.find_or_append("x");
  EXPECT_TRUE(is_new);
  EXPECT_EQ(*value, nullptr);
  *value = std::make_unique<int>(1);
  const auto [found, is_new_again] = map.find_or_append("x");
  EXPECT_FALSE(is_new_again);
  EXPECT_EQ(found, value);
  EXPECT_EQ(**found, 1);
}

TEST(OrderedMap, ReservingDoesNotChangeContents) {
  OrderedMap<int> map;
  map.reserve(0);
  map.reserve(1000);
  EXPECT_TRUE(map.empty());
  EXPECT_EQ(map.begin(), map.end());
  EXPECT_EQ(map.find("k1"), nullptr);
  for (int i = 0; i < 20; ++i) {
    map.set("k" + std::to_string(i), i);
    map.reserve(100);
    EXPECT_EQ(*map.find("k" + std::to_string(i)), i);
  }
  EXPECT_EQ(map.size(), 20u);
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(map.erase("k" + std::to_string(i)));
  EXPECT_TRUE(map.empty());
}

class OrderedMapOfSize : public ::testing::TestWithParam<int> {};
// Includes the sizes at which the map grows and the index is created or grows.
INSTANTIATE_TEST_SUITE_P(Sizes, OrderedMapOfSize,
                         ::testing::Values(1, 2, 3, 6, 7, 8, 9, 16, 17, 31, 32, 33, 1000));

TEST_P(OrderedMapOfSize, FindsEveryKeyAndNoOtherKeys) {
  const int n = GetParam();
  const Map map = counted(n);
  EXPECT_EQ(map.size(), static_cast<size_t>(n));
  for (int i = 0; i < n; ++i) {
    ASSERT_NE(map.find(name_of(i)), nullptr) << i;
    EXPECT_EQ(*map.find(name_of(i)), i);
  }
  EXPECT_FALSE(map.contains(name_of(n)));
  EXPECT_FALSE(map.contains(""));
}

TEST_P(OrderedMapOfSize, EntriesKeepTheirAddresses) {
  const int n = GetParam();
  Map map;
  std::vector<const int*> addresses;
  for (int i = 0; i < n; ++i) addresses.push_back(&map.set(name_of(i), i));
  Map moved = std::move(map);
  for (int i = 0; i < n; i += 2) moved.erase(name_of(i));
  for (int i = 0; i < 2 * n; ++i) moved.set("other" + std::to_string(i), i);
  for (int i = 1; i < n; i += 2)
    EXPECT_EQ(moved.find(name_of(i)), addresses[static_cast<size_t>(i)]);
}

TEST_P(OrderedMapOfSize, MovesAllEntries) {
  const int n = GetParam();
  Map map = counted(n);
  const Items before = items(map);
  Map moved = std::move(map);
  EXPECT_EQ(items(moved), before);
  EXPECT_TRUE(map.empty());  // NOLINT(bugprone-use-after-move)
  EXPECT_FALSE(map.contains(name_of(0)));
  map.set("again", 1);
  moved = std::move(map);
  EXPECT_EQ(items(moved), (Items{{"again", 1}}));
}

TEST_P(OrderedMapOfSize, EraseReturnsTheNext) {
  const int n = GetParam();
  Map map = counted(n);
  Items remaining;
  for (Map::iterator it = map.begin(); it != map.end();) {
    if (it->value % 3 == 1) {
      remaining.emplace_back(it->key, it->value);
      ++it;
      continue;
    }
    const Map::iterator next = std::next(it);
    it = map.erase(it);
    EXPECT_EQ(it, next);
  }
  EXPECT_EQ(items(map), remaining);
  for (int i = 0; i < n; ++i) EXPECT_EQ(map.contains(name_of(i)), i % 3 == 1) << i;
}

TEST_P(OrderedMapOfSize, CanBeClearedAndRefilled) {
  const int n = GetParam();
  Map map = counted(n);
  for (int round = 0; round < 3; ++round) {
    for (int i = n; i-- > 0;) EXPECT_TRUE(map.erase(name_of(i)));
    EXPECT_TRUE(map.empty());
    EXPECT_THAT(items(map), IsEmpty());
    for (int i = 0; i < n; ++i) map.set(name_of(i), i);
    EXPECT_EQ(items(map), items(counted(n)));
  }
}

/// Counts the instances of the class.
struct Live {
  Live() = default;
  explicit Live(int& live) : count(&live) { ++live; }
  Live(Live&& other) noexcept : count(std::exchange(other.count, nullptr)) {}
  Live& operator=(Live&& other) noexcept {
    std::swap(count, other.count);
    return *this;
  }
  ~Live() {
    if (count != nullptr) --*count;
  }
  int* count = nullptr;
};

TEST(OrderedMap, DestroysEachValueOnce) {
  int live = 0;
  {
    OrderedMap<Live> map;
    for (int i = 0; i < 100; ++i) map.set(name_of(i), Live(live));
    EXPECT_EQ(live, 100);
    map.set(name_of(7), Live(live));
    EXPECT_EQ(live, 100);
    for (int i = 0; i < 60; ++i) map.erase(name_of(i));
    EXPECT_EQ(live, 40);
    for (int i = 0; i < 10; ++i) map.set(name_of(i), Live(live));
    EXPECT_EQ(live, 50);
  }
  EXPECT_EQ(live, 0);
}

TEST(OrderedMap, MemoryIsBoundedByTheMaximumSize) {
  Map map = counted(100);
  std::vector<const int*> addresses;
  for (const auto& [key, value] : map) addresses.push_back(&value);
  // A new entry reuses the slot that was erased first.
  for (int i = 100; i < 100'000; ++i) {
    const int* erased = map.find(name_of(i - 100));
    map.erase(map.begin());
    ASSERT_EQ(&map.set(name_of(i), int{i}), erased);
  }
  EXPECT_EQ(map.size(), 100u);
  EXPECT_EQ(map.begin()->key, name_of(99'900));
}

TEST(OrderedMap, BehavesLikeAListOfPairs) {
  std::mt19937 random(7);
  for (const int keys : {6, 12, 40, 300}) {
    Map map;
    Items model;
    for (int step = 0; step < 20'000; ++step) {
      // Some keys are adjacent in the index, and some are not.
      const int number = static_cast<int>(random() % static_cast<unsigned>(keys));
      const std::string key = number % 2 ? name_of(number) : std::to_string(number) + "_x";
      const auto at = std::ranges::find(model, key, &Items::value_type::first);
      ASSERT_EQ(map.find(key) != nullptr, at != model.end());
      if (random() % 2) {
        map.set(key, step);
        if (at == model.end())
          model.emplace_back(key, step);
        else
          at->second = step;
      } else {
        ASSERT_EQ(map.erase(key), at != model.end());
        if (at != model.end()) model.erase(at);
      }
      ASSERT_EQ(map.size(), model.size());
      if (step % 64 == 0) {
        ASSERT_EQ(items(map), model);
      }
    }
    ASSERT_EQ(items(map), model);
  }
}

TEST(OrderedMap, KeysThatDifferInTheirLastCharacterAreAllFound) {
  Map map;
  std::vector<std::string> keys;
  for (int c = 0; c < 256; ++c)
    for (const char* stem : {"", "a", "layer.", "a stem that is longer than a short string"})
      keys.push_back(stem + std::string(1, static_cast<char>(c)));
  for (size_t i = 0; i < keys.size(); ++i) map.set(keys[i], static_cast<int>(i));
  for (size_t i = 0; i < keys.size(); i += 2) EXPECT_TRUE(map.erase(keys[i]));
  for (size_t i = 0; i < keys.size(); ++i) {
    const int* value = map.find(keys[i]);
    if (i % 2 == 0) {
      EXPECT_EQ(value, nullptr) << keys[i];
    } else {
      ASSERT_NE(value, nullptr) << keys[i];
      EXPECT_EQ(*value, static_cast<int>(i));
    }
  }
}

}  // namespace
}  // namespace fx
