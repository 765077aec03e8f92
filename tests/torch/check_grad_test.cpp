// check_grad accepts a correct gradient, and names an incorrect gradient in its error.
#include "fx/passes/autodiff/check_grad.h"

#include "fx/interp/torch/interpret/torch_interpreter.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"
#include "tests/testing/status_matchers.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace fx::check_grad_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using testing::StatusIs;

void flatten(const c10::IValue& value, std::vector<TensorElements>& leaves) {
  if (value.isTuple()) {
    for (const c10::IValue& item : value.toTupleRef().elements()) flatten(item, leaves);
  } else if (value.isTensor()) {
    const at::Tensor x = value.toTensor().to(at::kDouble).contiguous();
    leaves.emplace_back(x.const_data_ptr<double>(), x.const_data_ptr<double>() + x.numel());
  } else {
    leaves.emplace_back();
  }
}

/// Runs the graph in libtorch. Each input has the sizes of its placeholder.
absl::StatusOr<std::vector<TensorElements>> run(const Graph& graph,
                                                const std::vector<TensorElements>& inputs) {
  std::vector<c10::IValue> values;
  for (const Node& node : graph.nodes()) {
    if (!node.is_placeholder()) continue;
    std::vector<int64_t> sizes;
    for (const Dim& size : node.type().sizes()) sizes.push_back(size.value());
    values.emplace_back(at::tensor(inputs.at(values.size()), at::kDouble).reshape(sizes));
  }
  TorchInterpreter interpreter(graph);
  FX_ASSIGN_OR_RETURN(const c10::IValue result, interpreter.run(values));
  std::vector<TensorElements> leaves;
  flatten(result, leaves);
  return leaves;
}

constexpr std::string_view kText =
    "graph(%x : f64[2, 2], %w : f64[2]) {\n"
    "  %mv : f64[2] = aten.mv.default(%x, %w)\n"
    "  %sin : f64[2] = aten.sin.default(%mv)\n"
    "  %exp : f64[2] = aten.exp.default(%w)\n"
    "  return (%sin, %exp)\n"
    "}";

// parity: B6
TEST(CheckGrad, CorrectGradientsPass) {
  Context context;
  FX_ASSERT_OK_AND_ASSIGN(const auto graph, parse_graph(context, kText));
  FX_ASSERT_OK_AND_ASSIGN(const GradCheck check,
                          check_grad(*graph, {{0.1, -0.4, 0.7, 1.1}, {0.3, -0.2}}, run));
  EXPECT_TRUE(check.ok()) << check.wrong[0];
  EXPECT_EQ(check.compared, 6U);
  EXPECT_LT(check.max_error, 1e-8);
}

TEST(CheckGrad, AWrongRuleIsFound) {
  Context context;
  FX_ASSERT_OK_AND_ASSIGN(const auto graph, parse_graph(context, kText));
  DerivativeTable table = DerivativeTable::standard();
  ASSERT_THAT(
      table.replace(
          {.op = "aten.exp.default",
           .arguments = {{"self",
                          [](Derivative& d) -> AnyArg { return d.grad() * d.value() * 2; }}},
           .forward = ForwardRule::kElementwise}),
      testing::IsOk());
  const CheckGradOptions options{.grad = {.table = &table}};
  FX_ASSERT_OK_AND_ASSIGN(const GradCheck check,
                          check_grad(*graph, {{0.1, -0.4, 0.7, 1.1}, {0.3, -0.2}}, run, options));
  EXPECT_THAT(check.wrong, ElementsAre(StartsWith("w[0]: the gradient is"),
                                       StartsWith("w[1]: the gradient is")));
}

TEST(CheckGrad, Float32IsRejected) {
  Context context;
  FX_ASSERT_OK_AND_ASSIGN(const auto graph, parse_graph(context,
                                                        "graph(%x : f32[2]) {\n"
                                                        "  %sin : f32[2] = aten.sin.default(%x)\n"
                                                        "  return %sin\n"
                                                        "}"));
  EXPECT_THAT(check_grad(*graph, {{0.1, 0.2}}, run).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("must be float64")));
}

}  // namespace
}  // namespace fx::check_grad_test
