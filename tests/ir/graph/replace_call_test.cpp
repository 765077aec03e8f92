#include "fx/ir/graph/edit/replace_call.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/text/text.h"
#include "tests/testing/status_matchers.h"

#include <gtest/gtest.h>

#include <memory>
#include <string_view>

namespace fx {
namespace {

using testing::IsOk;

class ReplaceCallTest : public ::testing::Test {
 protected:
  void read(std::string_view text) {
    absl::StatusOr<std::unique_ptr<Graph>> graph = parse_graph(context_, text);
    ASSERT_THAT(graph, IsOk());
    graph_ = *std::move(graph);
  }
  Node* node(std::string_view name) { return graph_->find_node(name); }
  Argument returned() { return Argument(graph_->output_node()->arg(0)); }

  Context context_;
  std::unique_ptr<Graph> graph_;
};

TEST_F(ReplaceCallTest, ReplacesItemsAtEveryDepth) {
  read(
      "graph @g(%x, %y) { %t = f(%x) %a = operator.getitem(%t, 0) %b = operator.getitem(%t, -1) "
      "%c = operator.getitem(%b, 1) return (%a, %c, %c) }");
  const Argument x = node("x"), y = node("y"), inner = Argument::tuple({1, y});
  ASSERT_THAT(replace_call(*node("t"), Argument::tuple({x, inner})), IsOk());
  EXPECT_EQ(returned(), Argument::tuple({x, y, y}));
  EXPECT_EQ(graph_->num_nodes(Opcode::kCallFunction), 0U);
}

TEST_F(ReplaceCallTest, KeepsIndicesOutOfRangeAndOtherUses) {
  read(
      "graph @g(%x, %i) { %t = f(%x) %a = operator.getitem(%t, 2) %b = operator.getitem(%t, %i) "
      "return (%a, %b, %t) }");
  const Argument a = node("a"), b = node("b"), value = Argument::tuple({node("x"), 7});
  ASSERT_THAT(replace_call(*node("t"), value), IsOk());
  EXPECT_EQ(returned(), Argument::tuple({a, b, value}));
  EXPECT_EQ(Argument(node("a")->arg(0)), value);
  EXPECT_EQ(node("t"), nullptr);
}

TEST_F(ReplaceCallTest, ReplacesWithANode) {
  read("graph @g(%x) { %t = f(%x) %a = operator.getitem(%t, 0) return (%a,) }");
  ASSERT_THAT(replace_call(*node("t"), node("x")), IsOk());
  EXPECT_EQ(returned(), Argument::tuple({node("a")}));
  EXPECT_EQ(node("a")->arg(0).node(), node("x"));
}

}  // namespace
}  // namespace fx
