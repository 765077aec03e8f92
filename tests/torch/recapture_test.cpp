// Forward captures, and captures of graphs (including rewritten ones) with their backward pass.
#include "fx/importers/torch/capture/capture.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"
#include "fx/passes/shape/type_rules.h"
#include "fx/tools/torch/zoo/zoo.h"
#include "tests/torch/joint_testing.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace fx {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::operator_counts;

TEST(ForwardCapture, NamesMatchTorchExport) {
  Context context;
  FX_ASSERT_OK_AND_ASSIGN(const ModelInstance mlp, make_zoo_model("mlp"));
  FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph captured,
                          capture(context, mlp.state, mlp.forward_inputs(), mlp.forward));
  EXPECT_TRUE(verify(*captured.graph).ok());
  std::vector<std::string> names;
  for (const Node& node : captured.graph->nodes()) {
    if (node.op() != Opcode::kGetAttr) names.push_back(node.name());
  }
  EXPECT_THAT(names, ElementsAre("p_fc1_weight", "p_fc1_bias", "p_fc2_weight", "p_fc2_bias",
                                 "p_fc3_weight", "p_fc3_bias", "input_1", "t", "addmm", "relu",
                                 "t_1", "addmm_1", "gelu", "t_2", "addmm_2", "output"));
  EXPECT_EQ(captured.outputs.size(), 1u);
  EXPECT_TRUE(captured.outputs[0].tensor.requires_grad());
}

TEST(ForwardCapture, ReplaysAreBitEqual) {
  Context context;
  FX_ASSERT_OK_AND_ASSIGN(const ModelInstance model, make_zoo_model("resnet18", {{{"size", 32}}}));
  const TensorSnapshot start(model.state, model.inputs);
  FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph captured,
                          capture(context, model.state, model.forward_inputs(), model.forward));
  const at::Tensor result = captured.outputs.back().tensor.detach().clone();
  std::vector<at::Tensor> after;
  for (const CapturedOutput& output : captured.outputs) {
    after.push_back(output.tensor.detach().clone());
  }
  start.restore();
  FX_ASSERT_OK_AND_ASSIGN(TorchEvaluator evaluator, TorchEvaluator::create(*captured.graph));
  const std::vector<at::Tensor> inputs = clone_inputs(captured);
  FX_ASSERT_OK_AND_ASSIGN(const auto values, evaluator.run({inputs.begin(), inputs.end()}));
  ASSERT_EQ(values.size(), after.size());  // 60 buffers and one result
  for (size_t i = 0; i < values.size(); ++i) {
    EXPECT_TRUE(compare_tensors(values[i].toTensor(), after[i]).bit_equal) << i;
  }
}

TEST(Recapture, ForwardGraphsAreCapturedWithTheirBackwardPass) {
  Context context;
  FX_ASSERT_OK_AND_ASSIGN(const ModelInstance mlp, make_zoo_model("mlp"));
  FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph direct,
                          capture_joint(context, mlp.state, mlp.inputs, mlp.loss));
  FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph forward,
                          capture(context, mlp.state, mlp.inputs, mlp.loss));
  FX_ASSERT_OK_AND_ASSIGN(const Program program, make_program(*forward.graph, forward.constants));
  std::vector<at::Tensor> tensors;
  for (const CapturedInput& input : forward.inputs) tensors.push_back(input.tensor);
  FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph again, capture_joint(context, {}, tensors, program));
  EXPECT_EQ(operator_counts(*again.graph), operator_counts(*direct.graph));
  ASSERT_EQ(again.outputs.size(), direct.outputs.size());
  for (size_t i = 0; i < again.outputs.size(); ++i) {
    EXPECT_TRUE(compare_tensors(again.outputs[i].tensor, direct.outputs[i].tensor).bit_equal) << i;
  }
}

TEST(Recapture, ARewrittenGraphHasTheGradientsOfTheChangedModel) {
  Context context;
  testing::seed_torch(1);
  const at::Tensor w = at::randn({4, 4}).requires_grad_();
  const at::Tensor x = at::randn({3, 4});
  const auto model = [&](auto&& activation) {
    return [&w, activation](Tensors in) -> std::vector<at::Tensor> {
      return {at::mul(activation(at::mm(in[0], w)), 2).sum()};
    };
  };
  const Program with_relu = model([](const at::Tensor& t) { return at::relu(t); });
  const Program with_silu = model([](const at::Tensor& t) { return at::silu(t); });
  FX_ASSERT_OK_AND_ASSIGN(CapturedGraph graph, capture(context, {{{"w", w}}}, {{x}}, with_relu));
  Node* relu = graph.graph->find_node("relu");
  ASSERT_NE(relu, nullptr);
  relu->set_function(context.function("aten.silu.default"));
  FX_ASSERT_OK_AND_ASSIGN(const Program rewritten, make_program(*graph.graph));
  FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph joint,
                          capture_joint(context, {}, {{w, x}}, rewritten));
  FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph expected,
                          capture_joint(context, {{{"w", w}}}, {{x}}, with_silu));
  ASSERT_EQ(joint.outputs.size(), expected.outputs.size());
  for (size_t i = 0; i < joint.outputs.size(); ++i) {
    EXPECT_TRUE(compare_tensors(joint.outputs[i].tensor, expected.outputs[i].tensor).bit_equal)
        << i;
  }
  EXPECT_NE(joint.graph->find_node("silu_backward"), nullptr);
}

/// Captures on fake tensors, and returns the text of the graph.
absl::StatusOr<std::string> fake_capture(Context& context, Tensors inputs, const Program& program,
                                         const DynamicSizes& sizes = {}) {
  const CaptureOptions options{.execution = Execution::kFake, .dynamic = sizes};
  absl::StatusOr<CapturedGraph> captured = capture_joint(context, {}, inputs, program, options);
  if (!captured.ok()) return captured.status();
  return print(*captured->graph);
}

// A Context keeps the types of calls between captures.
TEST(KeptTypes, FurtherCapturesInAContextHaveTheSameText) {
  const at::Tensor w = at::ones({4, 6}).requires_grad_();
  const Program program = [&](Tensors in) -> std::vector<at::Tensor> {
    at::Tensor x = at::mul(in[0], 2);
    x.select(1, 0).mul_(3);  // writes through views
    x.t().narrow(0, 1, 2).add_(1);
    at::Tensor y = at::mm(x, w).view({-1, 2, 3}).transpose(1, 2).unsqueeze(0);
    y = y.expand({2, -1, -1, -1}).permute({1, 0, 3, 2}).as_strided({3, 2}, {2, 1}, 1);
    return {at::sum(at::mul(y, y)), x.detach()};
  };
  const std::vector<at::Tensor> inputs = {at::ones({5, 4}), w};
  for (const DynamicSizes& sizes : {DynamicSizes(), DynamicSizes{.inputs = {"f32[n, 4]"}}}) {
    Context kept, fresh;
    FX_ASSERT_OK_AND_ASSIGN(const std::string first, fake_capture(kept, inputs, program, sizes));
    FX_ASSERT_OK_AND_ASSIGN(const std::string again, fake_capture(kept, inputs, program, sizes));
    FX_ASSERT_OK_AND_ASSIGN(const std::string other, fake_capture(fresh, inputs, program, sizes));
    EXPECT_EQ(again, first);
    EXPECT_EQ(other, first);
  }
}

TEST(KeptTypes, ANewTypeFunctionAppliesToTheNextCapture) {
  Context context;
  const Program program = [](Tensors in) -> std::vector<at::Tensor> { return {at::relu(in[0])}; };
  const std::vector<at::Tensor> inputs = {at::ones({5, 4}).requires_grad_()};
  FX_ASSERT_OK_AND_ASSIGN(const std::string before, fake_capture(context, inputs, program));
  EXPECT_THAT(before, HasSubstr("%relu : f32[5, 4]"));
  ASSERT_THAT(TypeRules::of(context).add(context, "aten.relu.default",
                                         [](TypeCall& c) { return c.fail("no relu"); }),
              IsOk());
  EXPECT_THAT(fake_capture(context, inputs, program).status().message(), HasSubstr("no relu"));
}

TEST(KeptTypes, AViewOutsideItsStorageIsAnError) {
  Context context;
  const Program program = [](Tensors in) -> std::vector<at::Tensor> {
    return {at::sum(in[0].as_strided({10}, {1}))};
  };
  const at::Tensor whole = at::ones({100});
  const std::vector<at::Tensor> part = {whole.narrow(0, 0, 4).detach().requires_grad_()};
  const std::vector<at::Tensor> small = {at::ones({4}).requires_grad_()};
  EXPECT_THAT(fake_capture(context, part, program), IsOk());
  EXPECT_THAT(fake_capture(context, small, program).status().message(),
              HasSubstr("out of bounds for storage"));
}

}  // namespace
}  // namespace fx
