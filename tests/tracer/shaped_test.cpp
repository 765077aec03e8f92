// ShapedTracer: sizes that are known during tracing (parity T37).
#include "fx/ir/graph/context.h"
#include "fx/ir/text/text.h"
#include "fx/passes/shape/shape_prop.h"
#include "fx/tracer/generated/functions.h"
#include "fx/tracer/nn/nn.h"
#include "fx/tracer/shaped_tracer.h"
#include "tests/testing/status_matchers.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <string>

namespace fx::shaped_test {
namespace {

using ::testing::HasSubstr;
using testing::IsOk;
using testing::StatusIs;

class ShapedTest : public ::testing::Test {
 protected:
  TraceInputs typed(std::string_view type) {
    TraceInputs inputs{"x"};
    inputs.types = {{"x", *context_.types().parse(type)}};
    return inputs;
  }
  Context context_;
  ShapedTracer tracer_{context_, [](const Node& n) { return infer_type(n); }};
};

// parity: T37 E16
TEST_F(ShapedTest, LoopsAndBranchesOverSizesUnroll) {
  const auto f = [](Proxy x) {
    Proxy y = x[0];
    for (int64_t i = 1; i < int64_t(x.size(0)); ++i) y = y + x[i];
    if (int64_t(x.size(1) * 2) > 10) y = relu(y);
    return y;
  };
  FX_ASSERT_OK_AND_ASSIGN(std::unique_ptr<Graph> graph, tracer_.trace(f, typed("f32[3, 8]")));
  EXPECT_EQ(print(*graph, {.meta = false}), R"(graph(%x : f32[3, 8]) {
  %select : f32[8] = aten.select.int(%x, 0, 0)
  %select_1 : f32[8]{offset=8} = aten.select.int(%x, 0, 1)
  %add : f32[8] = aten.add.Tensor(%select, %select_1)
  %select_2 : f32[8]{offset=16} = aten.select.int(%x, 0, 2)
  %add_1 : f32[8] = aten.add.Tensor(%add, %select_2)
  %relu : f32[8] = aten.relu.default(%add_1)
  return %relu
}
)");
  // A different batch size selects a different branch.
  FX_ASSERT_OK_AND_ASSIGN(graph, tracer_.trace(f, typed("f32[1, 4]")));
  EXPECT_EQ(print(*graph, {.meta = false}), R"(graph(%x : f32[1, 4]) {
  %select : f32[4] = aten.select.int(%x, 0, 0)
  return %select
}
)");
}

// parity: B12
TEST_F(ShapedTest, AbstractValuesAreUsedWithConcreteOnes) {
  ASSERT_THAT(context_.add_operator("mylib::twice(Tensor x) -> Tensor"), IsOk());
  const auto f = [&](Proxy x, int64_t times) {
    Proxy y = x;
    for (int64_t i = 0; i < times; ++i) y = call_function("mylib.twice.default", {y});
    return y.view(
        {int64_t(y.size(0)) * int64_t(y.dim()), int64_t(y.numel()) / int64_t(y.size(0)) / 2});
  };
  TraceInputs inputs = typed("f32[3, 4]");
  inputs.names = {"x", "times"};
  inputs.concrete_args = {{"times", 2}};
  EXPECT_THAT(
      tracer_.trace(f, inputs),
      StatusIs(absl::StatusCode::kFailedPrecondition,
               HasSubstr("%twice_default (mylib.twice.default) has no type; add a type function")));

  TypeRules rules;
  ASSERT_THAT(rules.add(context_, "mylib.twice.default",
                        [](TypeCall& c) {
                          const Type in = c.tensor(0);
                          return c.result(in.dtype(), in.sizes());
                        }),
              IsOk());
  ShapedTracer tracer_with_rule(context_,
                                [&](const Node& n) { return infer_type(n, {.rules = &rules}); });
  FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Graph> graph, tracer_with_rule.trace(f, inputs));
  EXPECT_EQ(graph->find_nodes(Opcode::kCallFunction, "mylib.twice.default").size(), 2U);
  EXPECT_EQ(to_string(graph->find_node("view")->type()), "f32[6, 2]");
}

TEST_F(ShapedTest, DataDependentValuesAreUnknown) {
  EXPECT_THAT(
      tracer_.trace([](Proxy x) { return (x.sum() > 0).to_bool() ? x : -x; }, typed("f32[3]")),
      StatusIs(absl::StatusCode::kFailedPrecondition,
               HasSubstr("cannot be determined from types")));
  EXPECT_THAT(tracer_.trace([](Proxy x) { return x + int64_t(x.size(0)); }, typed("f32[n]")),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("cannot be determined from types")));
}

TEST_F(ShapedTest, InvalidCallsFailAtTheirLocation) {
  EXPECT_THAT(tracer_.trace([](Proxy x) { return matmul(x, x); }, typed("f32[2, 3]")),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("shaped_test.cpp")));
}

TEST_F(ShapedTest, ParametersHaveTheirTypes) {
  struct Net : nn::Module {
    Parameter weight;
    Net() { weight = register_parameter("weight", *Tensor::zeros(DType::kFloat32, {5, 8})); }
    Proxy forward(Proxy x) {
      const Proxy y = linear(x, weight);
      return y.view({int64_t(y.size(0)) * int64_t(y.size(1))});
    }
  };
  FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Graph> graph,
                          tracer_.trace(nn::ModuleHolder<Net>(), typed("f32[2, 8]")));
  EXPECT_EQ(to_string(graph->find_node("view")->type()), "f32[10]");
}

}  // namespace
}  // namespace fx::shaped_test
