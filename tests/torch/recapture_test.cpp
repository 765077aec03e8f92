// Forward captures, and captures of graphs with their backward pass, even after a rewrite.
#include "fx/importers/torch/capture/capture.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/verify/verifier.h"
#include "fx/tools/torch/zoo/zoo.h"
#include "tests/torch/joint_testing.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace fx {
namespace {

using ::testing::ElementsAre;
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

}  // namespace
}  // namespace fx
