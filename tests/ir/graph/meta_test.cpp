// Metadata is stored in columns: it must be correct for any combination of keys and nodes, with
// bounded overhead.
#include "fx/ir/graph/meta.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/edit/copy_table.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/text/text.h"
#include "tests/testing/random_graph.h"
#include "tests/testing/status_matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fx {
namespace {

using ::testing::ElementsAre;
using testing::IsOk;

class MetaTest : public ::testing::Test {
 protected:
  std::vector<Node*> make_nodes(int count) {
    std::vector<Node*> nodes;
    for (int i = 0; i < count; ++i) nodes.push_back(graph_.call_function(f_));
    return nodes;
  }
  Context context_;
  Graph graph_{context_};
  Target f_ = context_.function("f");
};

TEST_F(MetaTest, EntriesAreListedInTheOrderOfTheirKeysFirstUse) {
  const std::vector<Node*> nodes = make_nodes(2);
  nodes[0]->meta().set("b", 1);
  nodes[1]->meta().set("a", 2);
  nodes[1]->meta().set("b", 3);
  std::vector<std::string> keys;
  nodes[1]->meta().for_each([&](Symbol key, const Argument&) { keys.emplace_back(key.str()); });
  EXPECT_THAT(keys, ElementsAre("b", "a"));
}

TEST_F(MetaTest, NoneRemovesAnEntryOfTheGraph) {
  graph_.set_meta("a", 1);
  graph_.set_meta("b", 2);
  graph_.set_meta("a", Argument());
  graph_.set_meta("c", Argument());
  EXPECT_EQ(graph_.meta("a"), std::nullopt);
  ASSERT_EQ(graph_.meta().size(), 1u);
  EXPECT_EQ(graph_.meta("b"), Argument(2));
}

TEST_F(MetaTest, KeysAreFoundByTextAndBySymbol) {
  const std::vector<Node*> nodes = make_nodes(3);
  const Symbol key = context_.symbol("key"), other = context_.symbol("other");
  nodes[1]->meta().set("key", 5);
  ASSERT_NE(nodes[1]->meta().find(key), nullptr);
  EXPECT_EQ(nodes[1]->meta().find(key), nodes[1]->meta().find("key"));
  EXPECT_EQ(nodes[1]->meta().find(key)->as_int(), 5);
  EXPECT_EQ(nodes[1]->meta().find(other), nullptr);
  EXPECT_EQ(nodes[0]->meta().find(key), nullptr);
}

TEST_F(MetaTest, BehavesLikeAMapOfNodesAndKeys) {
  testing::Random random(3);
  std::vector<Node*> nodes = make_nodes(3000);
  std::map<std::pair<const Node*, std::string>, int64_t> expected;
  // Nearly all nodes have the first keys; few nodes have the last keys.
  const auto pick = [&](size_t count) { return random.below(random.below(count) + 1); };
  for (int step = 0; step < 60'000; ++step) {
    Node*& node = nodes[random.chance(50) ? pick(nodes.size()) : random.below(nodes.size())];
    const std::string key = "k" + std::to_string(pick(40));
    if (random.chance(70)) {
      node->meta().set(key, step);
      expected[{node, key}] = step;
    } else if (random.chance(90)) {
      EXPECT_EQ(node->meta().remove(key), expected.erase({node, key}) == 1);
    } else {  // a new node in the slot, without metadata
      expected.erase(expected.lower_bound({node, ""}), expected.upper_bound({node, "l"}));
      ASSERT_THAT(graph_.erase_node(node), IsOk());
      node = graph_.call_function(f_);
      EXPECT_TRUE(node->meta().empty());
    }
  }
  size_t found = 0;
  for (const Node* node : nodes) {
    node->meta().for_each([&](Symbol key, const Argument& value) {
      const auto it = expected.find({node, std::string(key.str())});
      ASSERT_NE(it, expected.end());
      EXPECT_EQ(value.as_int(), it->second);
      EXPECT_EQ(node->meta().find(key.str()), &value);
      ++found;
    });
  }
  EXPECT_EQ(found, expected.size());
  std::unique_ptr<Graph> copy = graph_.clone();
  EXPECT_EQ(print(*copy), print(graph_));
}

// Tests the order of keys, and dense and sparse columns in either graph.
TEST_F(MetaTest, CopyingManyNodesEqualsCopyingEachNode) {
  testing::Random random(1);
  const std::vector<Node*> nodes = make_nodes(3000);
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (i % 2 == 0) nodes[i]->meta().set("even", i);
    if (i % 500 == 7) nodes[i]->meta().set("rare" + std::to_string(i % 3), std::to_string(i));
    if (i > 2000) nodes[i]->meta().set(meta::kModule, "m");
    if (i > 1000) nodes[i]->meta().set(meta::kSeq, static_cast<int64_t>(i));
    if (random.chance(1)) nodes[i]->meta().set("a" + std::to_string(random.below(8)), i);
  }
  for (const size_t size : {size_t{1}, size_t{40}, size_t{900}, nodes.size()}) {
    std::vector<const Node*> some(nodes.begin(), nodes.end());
    for (size_t i = some.size(); size < 900 && i > 1; --i)
      std::swap(some[i - 1], some[random.below(i)]);
    Graph at_once(context_), each(context_);
    CopyTable copies(graph_);
    copies.begin(at_once);
    for (size_t i = 0; i < some.size(); i += size) {
      const auto part = absl::MakeConstSpan(some).subspan(i, size);
      ASSERT_THAT(copies.copy_nodes(part), IsOk());
    }
    copies.begin(each);
    for (const Node* node : some) ASSERT_TRUE(copies.node_copy(*node).ok());
    ASSERT_EQ(print(at_once), print(each)) << size;
  }
}

TEST_F(MetaTest, AColumnHasTheValuesOfItsKey) {
  const std::vector<Node*> nodes = make_nodes(500);
  const Symbol dense = context_.symbol("dense"), sparse = context_.symbol("sparse");
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (i % 3 != 0) nodes[i]->meta().set("dense", i);
    if (i % 100 == 50) nodes[i]->meta().set("sparse", i);
  }
  for (const Symbol key : {dense, sparse, context_.symbol("none")}) {
    const NodeMeta::Column column(graph_, key);
    for (const Node* node : nodes) EXPECT_EQ(column.find(*node), node->meta().find(key));
  }
}

TEST_F(MetaTest, AKeyOnEveryNodeTakesAtMostTwoArgumentsPerNode) {
  const std::vector<Node*> nodes = make_nodes(50'000);
  const size_t before = graph_.memory_bytes();
  for (Node* node : nodes) node->meta().set(meta::kSeq, 1);
  EXPECT_LT(graph_.memory_bytes() - before, 50'000u * 50);
}

TEST_F(MetaTest, MemoryOfSparseKeysIsProportionalToEntries) {
  const std::vector<Node*> nodes = make_nodes(20'000);
  const size_t before = graph_.memory_bytes();
  for (int i = 0; i < 20'000; ++i) {
    const std::string key = "k" + std::to_string(i % 5000);
    nodes[static_cast<size_t>(19'999 - i)]->meta().set(key, i);
  }
  EXPECT_LT(graph_.memory_bytes() - before, 20'000u * 200);
  EXPECT_EQ(*nodes[0]->meta().find("k4999"), Argument(19'999));
}

TEST_F(MetaTest, MemoryOfCopiedSparseKeysIsProportionalToEntries) {
  const std::vector<Node*> nodes = make_nodes(20'000);
  for (Node* node : nodes) node->meta().set(meta::kSeq, 1);
  for (int i = 0; i < 1000; ++i) nodes[0]->meta().set("k" + std::to_string(i), i);
  CopyTable copies(graph_);
  Graph copy(context_);
  copies.begin(copy);
  const std::vector<const Node*> all(nodes.begin(), nodes.end());
  ASSERT_THAT(copies.copy_nodes(all), IsOk());
  EXPECT_LT(copy.memory_bytes(), graph_.memory_bytes() + 1'000'000u);
  EXPECT_EQ(*copy.front()->meta().find("k999"), Argument(999));
}

}  // namespace
}  // namespace fx
