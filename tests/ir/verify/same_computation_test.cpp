// Node::same_computation and computation_hash, which find common subexpressions.
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/text/text.h"
#include "tests/testing/random_graph.h"

#include "gtest/gtest.h"

#include <memory>
#include <vector>

namespace fx {
namespace {

bool same(const Node* a, const Node* b) {
  EXPECT_EQ(a->same_computation(*b), b->same_computation(*a));
  const bool is_same = a->same_computation(*b);
  EXPECT_TRUE(!is_same || a->computation_hash() == b->computation_hash());
  return is_same;
}

// Found by the edit fuzzer: a graph without arguments has no storage for arguments.
TEST(SameComputation, CallsWithoutArguments) {
  Context context;
  Graph graph(context);
  const Target f = context.function("user.f"), g = context.function("user.g");
  EXPECT_TRUE(same(graph.call_function(f), graph.call_function(f)));
  EXPECT_FALSE(same(graph.call_function(f), graph.call_function(g)));
  EXPECT_TRUE(same(graph.get_attr("w"), graph.get_attr("w")));
  EXPECT_FALSE(same(graph.get_attr("w"), graph.get_attr("v")));
}

// Compares with the text of calls, which distinguishes literals by kind and value.
TEST(SameComputation, AgreesWithTheTextOfRandomGraphs) {
  Context context;
  const auto call = [](const Node& node) {
    const std::string text = print(node, {.types = false, .meta = false});
    return text.substr(text.find('=') + 1);
  };
  size_t different = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const std::unique_ptr<Graph> graph =
        testing::random_graph(context, seed, {.max_nodes = 40, .max_argument_depth = 2});
    std::vector<const Node*> nodes;
    std::vector<std::string> calls;
    for (const Node& node : graph->nodes()) {
      if (node.is_placeholder() || node.is_output()) continue;
      nodes.push_back(&node);
      calls.push_back(call(node));
      const auto copy = graph->node_copy(node);  // the copy is at the end and has the same operands
      ASSERT_TRUE(copy.ok()) << copy.status();
      if (node.op() != Opcode::kGetAttr || !graph->find_subgraph(node.target())) {
        EXPECT_TRUE(same(&node, *copy)) << calls.back();
      }
      if (nodes.size() == 40) break;
    }
    for (size_t i = 0; i < nodes.size(); ++i) {
      for (size_t k = 0; k < i; ++k) {
        const bool is_same = same(nodes[i], nodes[k]);
        EXPECT_EQ(is_same, calls[i] == calls[k]) << calls[i] << "\n" << calls[k];
        different += !is_same;
      }
    }
  }
  EXPECT_GT(different, 1000u);
}

}  // namespace
}  // namespace fx
