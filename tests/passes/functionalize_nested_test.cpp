// functionalize: nested graphs with operands that are rewritten, and functional forms that may
// return their operand.
#include "fx/ir/graph/context.h"
#include "fx/ir/text/text.h"
#include "fx/passes/functionalize/functionalize.h"
#include "fx/passes/shape/shape_prop.h"
#include "tests/testing/status_matchers.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <memory>
#include <string>
#include <string_view>

namespace fx::functionalize_nested_test {
namespace {

using ::testing::HasSubstr;
using testing::IsOk;
using testing::StatusIs;

class FunctionalizeNestedTest : public ::testing::Test {
 protected:
  /// Returns the functionalized graph of `body`, with types.
  std::unique_ptr<Graph> run(std::string_view body) {
    auto graph = parse_graph(context_, body);
    EXPECT_TRUE(graph.ok()) << graph.status();
    EXPECT_TRUE(propagate_types(**graph).ok());
    EXPECT_THAT(functionalize(**graph), IsOk());
    EXPECT_FALSE(functionalize(**graph).value_or(true)) << print(**graph);
    return *std::move(graph);
  }
  static std::string type_of(const Graph& graph, std::string_view node) {
    return to_string(graph.find_node(node)->type());
  }

  Context context_;
};

// The new value of the row is not a view of the tensor, so its storage offset is 0.
TEST_F(FunctionalizeNestedTest, InputsOfNestedGraphsHaveTheTypesOfTheOperands) {
  const auto graph = run(R"(graph(%x : f32[4, 3]) {
    graph @body(%a) {
      %v = aten.view.default(%a, [3, 1])
      return (%v,)
    }
    %row = aten.select.int(%x, 0, 2)
    %relu_ = aten.relu_.default(%row)
    %wrap = higher_order.wrap(@body, %relu_)
    %item = operator.getitem(%wrap, 0)
    %neg = aten.neg.default(%item)
    return %neg
  })");
  const Graph& body = *graph->find_subgraph("body");
  EXPECT_EQ(type_of(body, "a"), "f32[3]");
  EXPECT_EQ(type_of(body, "v"), "f32[3, 1]");
  EXPECT_EQ(type_of(*graph, "item"), "f32[3, 1]");
}

// The result of the nested graph moves to the start of a new tensor.
TEST_F(FunctionalizeNestedTest, CallsHaveTheTypesOfRewrittenNestedGraphs) {
  const auto graph = run(R"(graph(%x : f32[4, 3]) {
    graph @body(%a) {
      %c = aten.clone.default(%a)
      %row = aten.select.int(%c, 0, 2)
      %relu_ = aten.relu_.default(%row)
      return (%relu_,)
    }
    %wrap = higher_order.wrap(@body, %x)
    %item = operator.getitem(%wrap, 0)
    return %item
  })");
  EXPECT_EQ(type_of(*graph, "item"),
            to_string(graph->find_subgraph("body")->output_node()->arg(0)[0].node()->type()));
}

// aten.conj_physical returns a real operand itself. The copy back to the tensor must not read it.
TEST_F(FunctionalizeNestedTest, FunctionalFormsDoNotReturnTheWrittenTensor) {
  for (const std::string_view dtype : {"f32", "c64"}) {
    const auto graph = run(std::string("graph(%x : ").append(dtype).append(R"([4]) {
      %c = aten.conj_physical_.default(%x)
      return %c
    })"));
    EXPECT_THAT(print(*graph), HasSubstr("aten._conj_physical.default"));
  }
}

TEST_F(FunctionalizeNestedTest, UnavailableGraphsMayWrite) {
  const auto graph = parse_graph(context_, R"(graph(%p : b8[], %x : f32[3]) {
    graph @yes(%a) {
      %s = aten.sin.default(%a)
      return (%s,)
    }
    %no = get_attr no
    %y = aten.clone.default(%x)
    %relu_ = aten.relu_.default(%y)
    %c = higher_order.cond(%p, @yes, %no, (%y,))
    return %c
  })");
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_THAT(functionalize(**graph).status(),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("not available")));
}

}  // namespace
}  // namespace fx::functionalize_nested_test
