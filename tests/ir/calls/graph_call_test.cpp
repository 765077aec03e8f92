#include "fx/ir/calls/graph_call.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/text/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

namespace fx {
namespace {

using ::testing::HasSubstr;

class GraphCallTest : public ::testing::Test {
 protected:
  absl::StatusOr<std::optional<GraphCall>> call(const std::string& text) {
    absl::StatusOr<std::unique_ptr<Graph>> graph = parse_graph(
        context_, "graph(%x) {\n  graph @g(%a) { return %a }\n  %y = " + text + "\n  return %y\n}");
    EXPECT_TRUE(graph.ok()) << graph.status();
    if (!graph.ok()) return graph.status();
    return graph_call(*(*graph)->find_node("y"));
  }

  Context context_;
};

TEST_F(GraphCallTest, DescribesTheCall) {
  EXPECT_EQ(*call("aten.relu.default(%x)"), std::nullopt);
  EXPECT_EQ(*call("higher_order.cond(%x, @g, @g, (%x,))"), std::nullopt);

  const GraphCall plain = (*call("higher_order.invoke_subgraph(@g, \"g_0\", %x)")).value();
  EXPECT_EQ(plain.graph, 0U);
  EXPECT_EQ(plain.first_operand, 2U);
  EXPECT_FALSE(plain.grad || plain.autocast);

  const GraphCall grad = (*call("higher_order.wrap_with_set_grad_enabled(True, @g, %x)")).value();
  EXPECT_EQ(grad.graph, 1U);
  EXPECT_EQ(grad.first_operand, 2U);
  EXPECT_EQ(grad.grad, true);

  const GraphCall cast =
      (*call("higher_order.wrap_with_autocast(\"cuda\", None, False, True, @g, %x)")).value();
  EXPECT_EQ(cast.graph, 4U);
  EXPECT_EQ(cast.first_operand, 5U);
  ASSERT_TRUE(cast.autocast);
  EXPECT_EQ(cast.autocast->device, DeviceType::kCuda);
  EXPECT_EQ(cast.autocast->dtype, std::nullopt);
  EXPECT_FALSE(cast.autocast->enabled);
  EXPECT_EQ(cast.autocast->cache, true);
}

TEST_F(GraphCallTest, RefusesValuesThatAreNotConstant) {
  for (const char* text : {
           "higher_order.wrap_with_set_grad_enabled(%x, @g, %x)",
           "higher_order.wrap_with_set_grad_enabled(False)",
           "higher_order.wrap_with_set_grad_enabled()",
           "higher_order.wrap()",
           "higher_order.wrap_with_autocast(\"cpu\", torch.bfloat16, True, None)",
           "higher_order.wrap_with_autocast(\"toaster\", torch.bfloat16, True, None, @g, %x)",
           "higher_order.wrap_with_autocast(\"cpu\", 3, True, None, @g, %x)",
           "higher_order.wrap_with_autocast(\"cpu\", None, None, None, @g, %x)",
       }) {
    const auto found = call(text);
    ASSERT_FALSE(found.ok()) << text;
    EXPECT_EQ(found.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(found.status().message()), HasSubstr(" must be ")) << text;
  }
}

}  // namespace
}  // namespace fx
