// Erased nodes: graphs detect handles to them, and reuse their memory.
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/verify/verifier.h"
#include "tests/testing/status_matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <utility>
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
TEST_F(GraphMemoryTest, ErasedNodesAreDetectedAndRejected) {
  Node* x = graph_.placeholder("x");
  ASSERT_THAT(graph_.erase_node(x), IsOk());
  EXPECT_TRUE(x->is_erased());
  const Argument args[] = {x};
  EXPECT_THAT(graph_.create_node(Opcode::kCallFunction, f_, args),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("erased")));
  EXPECT_FALSE(graph_.erase_node(x).ok());
}

// parity: G32
TEST_F(GraphMemoryTest, SlotsAreNotReusedWhileAnIteratorExists) {
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
TEST_F(GraphMemoryTest, MemoryOfErasedNodesIsReused) {
  std::set<Node*> first;
  for (int i = 0; i < 5000; ++i) first.insert(graph_.call_function(f_, {i, "text"}));
  const size_t bytes = graph_.memory_bytes();
  for (int round = 0; round < 20; ++round) {
    for (Node& node : graph_.nodes()) ASSERT_THAT(graph_.erase_node(&node), IsOk());
    for (int i = 0; i < 5000; ++i) EXPECT_TRUE(first.contains(graph_.call_function(f_, {i, "b"})));
  }
  EXPECT_LT(graph_.memory_bytes(), bytes + bytes / 4);
}

TEST_F(GraphMemoryTest, ClearKeepsMemoryForNewNodesAndFreesNames) {
  for (int i = 0; i < 50'000; ++i) graph_.call_function(f_, {i});
  const size_t full = graph_.memory_bytes();
  graph_.clear();
  EXPECT_EQ(graph_.call_function(f_)->name(), "f");
  for (int i = 0; i < 49'000; ++i) graph_.call_function(f_, {i});
  EXPECT_LE(graph_.memory_bytes(), full + full / 10);
}

// At some of these sizes, graphs need an additional page, or a page of a different size.
TEST_F(GraphMemoryTest, GraphsOfEverySizeAreComplete) {
  for (int size = 1; size < 6000; size += size < 300 ? 1 : 211) {
    Graph graph(context_);
    Node* x = graph.placeholder("x");
    Node* last = x;
    for (int i = 1; i < size; ++i) {
      last = graph.call_function(f_, {last, Argument::list({x, i, last}), 1.5});
      last->meta().set(meta::kSeq, i);
    }
    ASSERT_EQ(&last->graph(), &graph);
    const std::unique_ptr<Graph> copy = graph.clone();
    for (const Graph* each : {&graph, copy.get()}) {
      ASSERT_TRUE(verify(*each).ok()) << size;
      int count = 0;
      for (const Node& node : each->nodes()) {
        ASSERT_EQ(node.meta().get(meta::kSeq).value_or(0), count) << size;
        ++count;
      }
      ASSERT_EQ(count, size);
    }
    // New nodes come after the existing ones.
    copy->output(copy->call_function(f_, {copy->back()}));
    ASSERT_TRUE(verify(*copy).ok()) << size;
    ASSERT_EQ(static_cast<int>(copy->size()), size + 2);
  }
}

TEST_F(GraphMemoryTest, ListsLongerThanAPageAreContiguousInGraphsAndCopies) {
  Node* x = graph_.placeholder("x");
  for (const size_t length : std::vector<size_t>{400, 600, 4095, 4096, 4097, 100'000}) {
    std::vector<Argument> items(length, Argument(x));
    items.back() = static_cast<int64_t>(length);
    Node* node = graph_.call_function(f_, {Argument::list(items), 7});
    const std::unique_ptr<Graph> copy = graph_.clone();
    for (const Node* each : {node, copy->back()}) {
      EXPECT_EQ(each->arg(0).size(), length);
      EXPECT_EQ(each->arg(0)[length - 1], Argument(length));
      EXPECT_EQ(each->arg(0)[length / 2].node(), &each->graph() == copy.get() ? copy->front() : x);
    }
    EXPECT_TRUE(verify(*copy).ok());
  }
  EXPECT_TRUE(verify(graph_).ok());
}

TEST_F(GraphMemoryTest, SmallGraphsAreSmall) {
  Node* x = graph_.placeholder("x");
  graph_.output(graph_.call_function(f_, {x, x}));
  EXPECT_LT(graph_.memory_bytes(), 8192u);
}

TEST_F(GraphMemoryTest, ManyGraphsAreCreatedAndDestroyedInAnyOrder) {
  std::vector<std::unique_ptr<Graph>> graphs;
  uint64_t state = 1;
  for (int round = 0; round < 20'000; ++round) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const size_t at = (state >> 33) % 4000;
    if (at < graphs.size()) {
      ASSERT_EQ(graphs[at]->find_node("x")->target(), "x");
      std::swap(graphs[at], graphs.back());
      graphs.pop_back();
      continue;
    }
    graphs.push_back(std::make_unique<Graph>(context_));
    Graph& graph = *graphs.back();
    Node* x = graph.placeholder("x");
    for (size_t i = 0; i < at % 7 * 30; ++i) x = graph.call_function(f_, {x});
  }
  for (const auto& graph : graphs) ASSERT_TRUE(verify(*graph).ok());
}

}  // namespace
}  // namespace fx
