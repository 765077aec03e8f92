// What becomes of erased nodes: nobody mistakes them for others, and their memory is used again.
#include "fx/ir/context.h"
#include "fx/ir/graph.h"
#include "tests/testing/status_matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace fx {
namespace {

using ::testing::HasSubstr;
using testing::IsOk;
using testing::StatusIs;

class GraphMemoryTest : public ::testing::Test {
 protected:
  Context context_;
  Graph graph_{context_};
  Target f_ = context_.function("f");
};

// parity: G32
TEST_F(GraphMemoryTest, AnErasedNodeIsKnownAsSuchAndRefused) {
  Node* x = graph_.placeholder("x");
  ASSERT_THAT(graph_.erase_node(x), IsOk());
  EXPECT_TRUE(x->is_erased());
  const Argument args[] = {x};
  EXPECT_THAT(graph_.create_node(Opcode::kCallFunction, f_, args),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("erased")));
  EXPECT_FALSE(graph_.erase_node(x).ok());
}

// parity: G32
TEST_F(GraphMemoryTest, WhileAnIteratorLivesNoOtherNodeTakesThePlaceOfAnErasedOne) {
  for (int i = 0; i < 10; ++i) graph_.call_function(f_);
  std::vector<Node*> erased;
  for (Node& node : graph_.nodes()) {
    if (node.op() != Opcode::kCallFunction) continue;
    ASSERT_THAT(graph_.erase_node(&node), IsOk());
    erased.push_back(&node);
    graph_.placeholder("x");
    for (const Node* old : erased) EXPECT_TRUE(old->is_erased());
  }
  EXPECT_EQ(erased.size(), 10u);
  EXPECT_EQ(graph_.size(), 10u);
}

// parity: G32
TEST_F(GraphMemoryTest, ThenTheirMemoryIsUsedAgain) {
  std::set<Node*> first;
  for (int i = 0; i < 5000; ++i) first.insert(graph_.call_function(f_, {i, "text"}));
  const size_t bytes = graph_.memory_bytes();
  for (int round = 0; round < 20; ++round) {
    for (Node& node : graph_.nodes()) ASSERT_THAT(graph_.erase_node(&node), IsOk());
    for (int i = 0; i < 5000; ++i) EXPECT_TRUE(first.contains(graph_.call_function(f_, {i, "b"})));
  }
  EXPECT_LT(graph_.memory_bytes(), bytes + bytes / 4);
}

TEST_F(GraphMemoryTest, ClearKeepsTheMemoryForTheNextNodesAndFreesTheNames) {
  for (int i = 0; i < 50'000; ++i) graph_.call_function(f_, {i});
  const size_t full = graph_.memory_bytes();
  graph_.clear();
  EXPECT_EQ(graph_.call_function(f_)->name(), "f");
  for (int i = 0; i < 49'000; ++i) graph_.call_function(f_, {i});
  EXPECT_LE(graph_.memory_bytes(), full + full / 10);
}

}  // namespace
}  // namespace fx
