#include "fx/passes/analysis/topological_sort.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/hash.h"
#include "fx/ir/verify/verifier.h"
#include "tests/testing/random_graph.h"
#include "tests/testing/status_matchers.h"

#include "gtest/gtest.h"

#include <memory>
#include <string>
#include <vector>

namespace fx {
namespace {

using ::testing::HasSubstr;
using testing::IsOk;
using testing::StatusIs;

std::string names_of(const Graph& graph) {
  std::string names;
  for (const Node& node : graph.nodes()) names += (names.empty() ? "" : " ") + node.name();
  return names;
}

/// Creates nodes in this order, with the operands after `=`: "b=a a=x".
class TopologicalSortTest : public ::testing::Test {
 protected:
  std::unique_ptr<Graph> graph_of(const std::vector<std::pair<std::string, std::string>>& nodes) {
    auto graph = std::make_unique<Graph>(context_);
    Node* x = graph->placeholder("x");
    std::vector<Node*> calls;
    for (const auto& [name, operand] : nodes)
      calls.push_back(
          graph->call_function(context_.function("aten.relu.default"), {x}, {}, {.name = name}));
    for (size_t i = 0; i < nodes.size(); ++i) {
      if (Node* operand = graph->find_node(nodes[i].second))
        FX_CHECK_OK(calls[i]->update_arg(0, operand));
    }
    graph->output(calls.back());
    return graph;
  }
  Context context_;
};

// parity: P24
TEST_F(TopologicalSortTest, StableMovesAsFewNodesAsPossible) {
  auto graph = graph_of({{"d", "b"}, {"a", "x"}, {"b", "a"}, {"c", "x"}});
  EXPECT_THAT(topological_sort(*graph), testing::IsOkAndHolds(true));
  EXPECT_EQ(names_of(*graph), "x a b d c output");
  EXPECT_THAT(topological_sort(*graph), testing::IsOkAndHolds(false));
}

// parity: P23
TEST_F(TopologicalSortTest, BreadthFirstOrdersByDistance) {
  auto graph = graph_of({{"a", "x"}, {"b", "a"}, {"c", "b"}, {"d", "x"}, {"e", "d"}});
  EXPECT_THAT(topological_sort(*graph, {.order = NodeOrder::kBreadthFirst}),
              testing::IsOkAndHolds(true));
  EXPECT_EQ(names_of(*graph), "x a d b e c output");
}

// parity: P23 P24
TEST_F(TopologicalSortTest, CyclesAreReported) {
  auto graph = graph_of({{"a", "c"}, {"b", "a"}, {"c", "b"}, {"d", "c"}});
  for (const NodeOrder order : {NodeOrder::kStable, NodeOrder::kBreadthFirst}) {
    EXPECT_THAT(
        topological_sort(*graph, {.order = order}).status(),
        StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("%a uses %c uses %b uses %a")));
    EXPECT_EQ(names_of(*graph), "x a b c d output");
  }
}

TEST_F(TopologicalSortTest, CallsWithEffectsKeepTheirOrder) {
  auto graph = *parse_graph(context_, R"(graph(%x) {
    %a = aten.relu.default(%x)
    %b = aten.neg.default(%a)
    %w = aten.add_.Tensor(%x, 1)
    %c = aten.sin.default(%x)
    %d = aten.cos.default(%b)
    return (%c, %d)
  })");
  EXPECT_THAT(topological_sort(*graph, {.order = NodeOrder::kBreadthFirst}),
              testing::IsOkAndHolds(false));  // torch.fx would put the write before %b
  for (uint64_t seed = 0; seed < 50; ++seed) {
    shuffle_nodes(*graph, seed);
    ASSERT_THAT(verify_status(*graph), IsOk());
    EXPECT_TRUE(graph->find_node("b")->comes_before(*graph->find_node("w")));
    EXPECT_TRUE(graph->find_node("w")->comes_before(*graph->find_node("c")));
  }
}

TEST_F(TopologicalSortTest, LongChainsDoNotOverflowTheStack) {
  Graph graph(context_);
  Node* x = graph.placeholder("x");
  std::vector<Node*> chain = {x};
  for (int i = 0; i < 20'000; ++i)
    chain.push_back(graph.call_function(context_.function("aten.relu.default"), {chain.back()}));
  graph.output(chain.back());
  for (size_t i = 1; i < chain.size(); ++i) ASSERT_THAT(chain[i]->move_before(*x->next()), IsOk());
  EXPECT_THAT(topological_sort(graph), testing::IsOkAndHolds(true));
  EXPECT_THAT(verify_status(graph), IsOk());
}

// Sorting a shuffled graph results in a valid order; sorting a valid order changes nothing.
TEST_F(TopologicalSortTest, RandomGraphs) {
  int reordered = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const auto graph =
        testing::random_graph(context_, seed, {.max_nodes = 40, .max_argument_depth = 1});
    if (!verify(*graph, {.warnings = false}).ok()) continue;
    EXPECT_THAT(topological_sort(*graph), testing::IsOkAndHolds(false)) << seed;
    const GraphHash before = structural_hash(*graph);
    shuffle_nodes(*graph, seed);
    ASSERT_THAT(verify_status(*graph, {.warnings = false}), IsOk()) << seed;
    reordered += structural_hash(*graph) != before;
    EXPECT_THAT(topological_sort(*graph), testing::IsOkAndHolds(false)) << seed;
    testing::Random random(seed);
    std::vector<Node*> nodes;
    for (Node& node : graph->nodes()) nodes.push_back(&node);
    for (int i = 0; i < 10; ++i)
      FX_CHECK_OK(nodes[random.below(nodes.size())]->move_before(*graph->front()));
    for (const NodeOrder order : {NodeOrder::kStable, NodeOrder::kBreadthFirst}) {
      ASSERT_THAT(topological_sort(*graph, {.order = order}), IsOk()) << seed;
      ASSERT_THAT(verify_status(*graph, {.warnings = false}), IsOk()) << seed;
      EXPECT_THAT(topological_sort(*graph, {.order = order}), testing::IsOkAndHolds(false)) << seed;
    }
  }
  EXPECT_GT(reordered, 5);
}

}  // namespace
}  // namespace fx
