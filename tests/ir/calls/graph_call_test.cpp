#include "fx/ir/calls/graph_call.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/module/module.h"
#include "fx/ir/text/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

namespace fx {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

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

TEST_F(GraphCallTest, RejectsNonConstantValues) {
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

TEST_F(GraphCallTest, NestedGraphsAreFoundByArgumentAndByName) {
  const auto graph = parse_graph(context_, R"(graph(%p, %x) {
    graph @f(%a) { return %a }
    graph @g(%a) { return %a }
    %g = get_attr g
    %other = get_attr weight
    %y = higher_order.cond(%p, %g, false_fn=@f, operands=(%x,))
    %z = higher_order.wrap(%other, %x)
    return (%y, %z)
  })");
  ASSERT_TRUE(graph.ok()) << graph.status();
  Graph* const f = (*graph)->find_subgraph("f");
  Graph* const g = (*graph)->find_subgraph("g");
  const Node& y = *(*graph)->find_node("y");
  EXPECT_THAT(nested_graphs(y), ElementsAre(g, f)) << "positional arguments come first";
  EXPECT_EQ(nested_graph(y, y.arg(0)), nullptr);
  EXPECT_EQ(nested_graph(y, y.arg(1)), g);
  EXPECT_EQ(graph_of_argument(y, *y.kwarg("false_fn"), nullptr), f);
  const Node& z = *(*graph)->find_node("z");
  EXPECT_THAT(nested_graphs(z), IsEmpty());
  EXPECT_EQ(graph_of_argument(z, z.arg(0), nullptr), nullptr);
}

TEST_F(GraphCallTest, GraphsOfSubmodulesAreFound) {
  const auto graph = parse_graph(
      context_,
      "graph(%x) {\n  %g = get_attr body\n  %y = higher_order.wrap(%g, %x)\n  return %y\n}");
  ASSERT_TRUE(graph.ok()) << graph.status();
  auto created = GraphModule::create(Module(), *parse_graph(context_, "graph(%a) { return %a }"));
  ASSERT_TRUE(created.ok()) << created.status();
  const std::shared_ptr<GraphModule> body = *std::move(created);
  Module root;
  ASSERT_TRUE(root.add_submodule("body", body).ok());
  const Node& y = *(*graph)->find_node("y");
  EXPECT_EQ(nested_graph(y, y.arg(0)), nullptr);
  EXPECT_EQ(graph_of_argument(y, y.arg(0), nullptr), nullptr);
  EXPECT_EQ(graph_of_argument(y, y.arg(0), &root), &body->graph());
}

TEST_F(GraphCallTest, UnavailableGraphsAreNull) {
  const auto graph = parse_graph(context_, R"(graph(%p, %x : f32[3]) {
    graph @f(%a) { return %a }
    %w : f32[3] = get_attr weight
    %u = get_attr untyped
    %g = get_attr g
    %both = higher_order.cond(%p, @f, %g, operands=(%x, %w, %u))
    %missing = higher_order.wrap(%g, %x)
    %none = higher_order.wrap(%x)
    %function = higher_order.out_dtype(op(aten.mm.default), torch.int32, %x, %x)
    %mask = higher_order.flex_attention(%x, %x, %x, @f, (1, %x, @f))
    %weight = higher_order.wrap(@f, %w)
    return (%both, %missing, %none, %function, %mask, %weight)
  })");
  ASSERT_TRUE(graph.ok()) << graph.status();
  const Graph* const f = (*graph)->find_subgraph("f");
  const auto graphs = [&](const char* name) {
    return graphs_of_call(*(*graph)->find_node(name), nullptr);
  };
  EXPECT_THAT(graphs("both"), ElementsAre(f, nullptr));
  EXPECT_THAT(graphs("missing"), ElementsAre(nullptr));
  EXPECT_THAT(graphs("none"), ElementsAre(nullptr)) << "an operand may be a graph";
  EXPECT_THAT(graphs("function"), IsEmpty());
  EXPECT_THAT(graphs("mask"), ElementsAre(f, f));
  EXPECT_THAT(graphs("weight"), ElementsAre(f)) << "a tensor is not a graph";
}

}  // namespace
}  // namespace fx
