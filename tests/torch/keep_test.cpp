// Capture with CaptureOptions::keep: composite operators that are recorded as one call.
#include "fx/importers/torch/capture/capture.h"
#include "fx/importers/torch/capture/step.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"
#include "fx/tools/torch/zoo/zoo.h"
#include "tests/torch/joint_testing.h"
#include "tests/torch/zoo_testing.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/library.h>

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace fx::keep_test {
namespace {

using ::testing::AllOf;
using testing::check_joint;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::IsOk;
using ::testing::Key;
using ::testing::Not;
using testing::operator_counts;
using ::testing::Pair;
using testing::seed_torch;
using testing::StatusIs;

using Counts = std::map<std::string, int>;

/// Counts the operators of the forward pass.
Counts forward_counts(const Graph& graph) {
  Counts counts;
  for (const Node& node : graph.nodes()) {
    if (node.op() != Opcode::kCallFunction || node.meta().get(meta::kRegion).value_or("") != "fw") {
      continue;
    }
    ++counts[std::string(node.target())];
  }
  return counts;
}

at::Tensor parameter(at::IntArrayRef sizes) {
  seed_torch(static_cast<uint64_t>(sizes.size()));
  return at::randn(sizes).requires_grad_();
}

/// Replays a capture of the forward pass: results and written tensors must be bit-equal to the run.
CapturedGraph check_forward(Context& context, const ModuleState& state,
                            const std::vector<at::Tensor>& inputs, const Program& program,
                            const CaptureOptions& options) {
  const TensorSnapshot start(state, inputs);
  seed_torch(7);
  absl::StatusOr<CapturedGraph> captured = capture(context, state, inputs, program, options);
  EXPECT_THAT(captured, IsOk());
  if (!captured.ok()) return {};
  EXPECT_EQ(verify(*captured->graph).str(), "");
  std::vector<at::Tensor> expected, replayed;
  for (const CapturedOutput& output : captured->outputs)
    expected.push_back(output.tensor.detach().clone());
  start.restore();
  absl::StatusOr<TorchEvaluator> evaluator =
      TorchEvaluator::create(*captured->graph, captured->constants);
  EXPECT_THAT(evaluator, IsOk());
  if (!evaluator.ok()) return {};
  const std::vector<at::Tensor> copies = clone_inputs(*captured);
  seed_torch(7);
  absl::StatusOr<std::vector<c10::IValue>> values = evaluator->run({copies.begin(), copies.end()});
  EXPECT_THAT(values, IsOk());
  if (!values.ok()) return {};
  for (const c10::IValue& value : *values) replayed.push_back(value.toTensor());
  testing::expect_equal_outputs(*captured, "replay", expected, replayed);
  start.restore();
  return *std::move(captured);
}

TEST(Keep, ALinearIsOneCallWithoutItsParts) {
  Context context;
  const ModuleState state{.parameters = {{"weight", parameter({3, 4})}, {"bias", parameter({3})}}};
  const Program program = [&](Tensors in) -> std::vector<at::Tensor> {
    return {at::relu(at::linear(in[0], state.parameters[0].tensor, state.parameters[1].tensor))};
  };
  const at::Tensor x = at::randn({2, 5, 4});
  for (const HookKind hook : {HookKind::kFake, HookKind::kMode}) {
    const CapturedGraph joint =
        check_joint(context, state, {x}, program, {.hook = hook, .keep = {"linear"}});
    ASSERT_NE(joint.graph, nullptr);
    EXPECT_THAT(joint.decomposed, IsEmpty());
    const Counts counts = forward_counts(*joint.graph);
    EXPECT_THAT(counts, Contains(Pair("aten.linear.default", 1)));
    EXPECT_THAT(counts, Not(Contains(Key("aten.addmm.default"))));
    EXPECT_THAT(operator_counts(*joint.graph), Contains(Key("aten.mm")));  // the backward pass
  }
  const CapturedGraph forward = check_forward(context, state, {x}, program, {.keep = {"linear"}});
  EXPECT_EQ(forward_counts(*forward.graph),
            (Counts{{"aten.linear.default", 1}, {"aten.relu.default", 1}}));
}

// torch::nn::functional::linear does not call aten::linear.
TEST(Keep, LinearLayersOfTorchNN) {
  Context context;
  const ModuleState state{.parameters = {{"weight", parameter({4, 4})}, {"bias", parameter({4})}}};
  const at::Tensor &w = state.parameters[0].tensor, &b = state.parameters[1].tensor;
  const Program program = [&](Tensors in) -> std::vector<at::Tensor> {
    at::Tensor rows = at::addmm(b, in[0].select(0, 0), w.t());
    rows = at::addmm(b, rows, w.t(), /*beta=*/0.5);  // beta makes it differ from linear
    at::Tensor batch = at::matmul(in[0], w.t());
    batch += b;
    return {rows, batch, at::matmul(in[0], w)};
  };
  const std::vector<at::Tensor> inputs = {at::randn({3, 2, 4})};
  for (const HookKind hook : {HookKind::kFake, HookKind::kMode}) {
    const CapturedGraph joint =
        check_joint(context, state, inputs, program, {.hook = hook, .keep = {"linear"}});
    ASSERT_NE(joint.graph, nullptr);
    EXPECT_EQ(verify(*joint.graph).str(), "");
    EXPECT_THAT(forward_counts(*joint.graph), AllOf(Contains(Pair("aten.linear.default", 2)),
                                                    Contains(Pair("aten.addmm.default", 1))));
  }
  const CapturedGraph forward =
      check_forward(context, state, inputs, program, {.keep = {"aten.linear.default", "matmul"}});
  EXPECT_EQ(forward_counts(*forward.graph), (Counts{{"aten.linear.default", 2},
                                                    {"aten.addmm.default", 1},
                                                    {"aten.t.default", 1},
                                                    {"aten.select.int", 1},
                                                    {"aten.add_.Tensor", 1},
                                                    {"aten.matmul.default", 1}}));
}

TEST(Keep, PartsStayForTheBackwardPass) {
  Context context;
  const ModuleState state{.parameters = {{"weight", parameter({4})}, {"bias", parameter({4})}}};
  const Program program = [&](Tensors in) -> std::vector<at::Tensor> {
    return {at::layer_norm(in[0], {4}, state.parameters[0].tensor, state.parameters[1].tensor)};
  };
  const CapturedGraph joint =
      check_joint(context, state, {at::randn({3, 4})}, program, {.keep = {"aten::layer_norm"}});
  ASSERT_NE(joint.graph, nullptr);
  EXPECT_THAT(forward_counts(*joint.graph),
              AllOf(Contains(Pair("aten.layer_norm.default", 1)),
                    Contains(Pair("aten.native_layer_norm.default", 1))));
  // The result is the result of the kept operator.
  const ArgumentRef results = joint.graph->output_node()->arg(0);
  EXPECT_EQ(results[0].as_node()->target(), "aten.layer_norm.default");
  EXPECT_TRUE(results[0].as_node()->type().requires_grad());
}

// Running both the kept operator and the part that computes its mask would draw random numbers
// twice.
TEST(Keep, RandomNumbersAreNotDrawnTwice) {
  Context context;
  const Program program = [](Tensors in) -> std::vector<at::Tensor> {
    return {at::dropout(in[0] * 2, 0.5, /*train=*/true)};
  };
  const at::Tensor x = parameter({50});
  const CapturedGraph joint =
      check_joint(context, {.parameters = {{"x", x}}}, {x}, program, {.keep = {"dropout"}});
  ASSERT_NE(joint.graph, nullptr);
  EXPECT_EQ(verify(*joint.graph).str(), "");
  EXPECT_THAT(forward_counts(*joint.graph), Not(Contains(Key("aten.dropout.default"))));
  ASSERT_EQ(joint.decomposed.size(), 1u);
  EXPECT_EQ(joint.decomposed[0].name, "aten.dropout.default");
  EXPECT_THAT(joint.decomposed[0].reason, HasSubstr("random numbers"));

  const at::Tensor plain = at::randn({50});
  const CapturedGraph forward = check_forward(context, {}, {plain}, program, {.keep = {"dropout"}});
  EXPECT_THAT(forward_counts(*forward.graph), Contains(Pair("aten.dropout.default", 1)));
  EXPECT_THAT(forward.decomposed, IsEmpty());
}

TEST(Keep, StatisticsAreWrittenOnce) {
  Context context;
  const ModuleState state{.parameters = {{"weight", parameter({3})}},
                          .buffers = {{"mean", at::zeros({3})}, {"variance", at::ones({3})}}};
  const Program program = [&](Tensors in) -> std::vector<at::Tensor> {
    return {at::batch_norm(in[0], state.parameters[0].tensor, {}, state.buffers[0].tensor,
                           state.buffers[1].tensor, /*training=*/true, 0.1, 1e-5, false)};
  };
  const at::Tensor x = at::randn({4, 3, 2});
  const CapturedGraph joint = check_joint(context, state, {x}, program, {.keep = {"batch_norm"}});
  EXPECT_THAT(joint.decomposed, IsEmpty());
  EXPECT_THAT(forward_counts(*joint.graph),
              AllOf(Contains(Pair("aten.batch_norm.default", 1)),
                    Contains(Pair("aten.native_batch_norm.default", 1))));
  const CapturedGraph forward =
      check_forward(context, state, {x}, program, {.keep = {"batch_norm"}});
  EXPECT_THAT(forward_counts(*forward.graph), ElementsAre(Pair("aten.batch_norm.default", 1)));
  EXPECT_EQ(forward.outputs.size(), 3u);  // two statistics and the result
}

TEST(Keep, ViewsListsAndWrites) {
  Context context;
  const Program program = [](Tensors in) -> std::vector<at::Tensor> {
    const at::Tensor x = in[0] + 1;
    const at::Tensor rows = at::reshape(x, {2, 6});
    rows.select(0, 0).mul_(3);  // visible through x
    std::vector<at::Tensor> parts = at::chunk(x, 2, 0);
    parts[1].add_(parts[0]);
    const at::Tensor same = at::dropout(x, 0.5, /*train=*/false);  // returns x
    return {x, at::flatten(rows), at::softmax(parts[1], -1), same};
  };
  const CapturedGraph forward =
      check_forward(context, {}, {at::randn({4, 3})}, program, {.keep = {"torch"}});
  ASSERT_NE(forward.graph, nullptr);
  EXPECT_THAT(
      forward_counts(*forward.graph),
      AllOf(Contains(Pair("aten.reshape.default", 1)), Contains(Pair("aten.chunk.default", 1)),
            Contains(Pair("aten.flatten.using_ints", 1)), Contains(Pair("aten.softmax.int", 1)),
            Not(Contains(Key("aten.dropout.default")))));
}

TEST(Keep, AnOuterOperatorHidesThoseThatItCalls) {
  Context context;
  const at::Tensor q = parameter({1, 2, 4, 8});
  const Program program = [](Tensors in) -> std::vector<at::Tensor> {
    return {at::scaled_dot_product_attention(in[0], in[0], in[0] * 2)};
  };
  const ModuleState state{.parameters = {{"q", q}}};
  const CapturedGraph joint = check_joint(context, state, {q}, program,
                                          {.keep = {"scaled_dot_product_attention", "softmax"}});
  ASSERT_NE(joint.graph, nullptr);
  EXPECT_THAT(forward_counts(*joint.graph),
              AllOf(Contains(Pair("aten.scaled_dot_product_attention.default", 1)),
                    Not(Contains(Key("aten.softmax.int")))));
}

TORCH_LIBRARY(keep_test, library) {
  library.def("scale(Tensor x, float by) -> Tensor",
              [](const at::Tensor& x, double by) { return at::tanh(x * by) + 1; });
}

TEST(Keep, CustomOperators) {
  Context context;
  const auto op = c10::Dispatcher::singleton()
                      .findSchemaOrThrow("keep_test::scale", "")
                      .typed<at::Tensor(const at::Tensor&, double)>();
  const at::Tensor x = parameter({3});
  const Program program = [&](Tensors in) -> std::vector<at::Tensor> {
    return {op.call(in[0], 0.5) * 2};
  };
  const ModuleState state{.parameters = {{"x", x}}};
  const CapturedGraph joint =
      check_joint(context, state, {x}, program, {.keep = {"keep_test.scale"}});
  ASSERT_NE(joint.graph, nullptr);
  EXPECT_THAT(forward_counts(*joint.graph), Contains(Pair("keep_test.scale.default", 1)));
}

TEST(Keep, DynamicSizes) {
  Context context;
  const ModuleState state{.parameters = {{"weight", parameter({3, 4})}}};
  const Program program = [&](Tensors in) -> std::vector<at::Tensor> {
    return {
        at::log_softmax(at::linear(at::reshape(in[0], {-1, 4}), state.parameters[0].tensor), -1)};
  };
  FX_ASSERT_OK_AND_ASSIGN(
      const CapturedGraph joint,
      capture_joint(context, state, std::vector{at::randn({6, 2, 4})}, program,
                    {.dynamic = {.inputs = {"f32[batch, 2, 4]"}}, .keep = {"torch"}}));
  EXPECT_THAT(print(*joint.graph), AllOf(HasSubstr("aten.linear.default"),
                                         HasSubstr("aten.reshape.default(%primals_2, [-1, 4])"),
                                         HasSubstr("f32[2*batch, 3]")));
}

TEST(Keep, UnknownNamesAreErrors) {
  Context context;
  const auto error = [&](const std::string& name) {
    return capture(context, {}, std::vector{at::ones({2})},
                   [](Tensors in) -> std::vector<at::Tensor> { return {in[0]}; }, {.keep = {name}})
        .status();
  };
  EXPECT_THAT(error("linaer"), StatusIs(absl::StatusCode::kInvalidArgument,
                                        AllOf(HasSubstr("\"linaer\" is not a libtorch operator"),
                                              HasSubstr("did you mean \"linear\"?"))));
  EXPECT_THAT(error(""), StatusIs(absl::StatusCode::kInvalidArgument));
  for (const char* name : {"gelu", "core", "aten.softmax.int", "accelerators"})
    EXPECT_THAT(error(name), IsOk()) << name;
}

// ---- all models of the zoo

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const ModelEntry& entry : zoo_models()) names.push_back(entry.name);
  return names;
}

class KeptZooModel : public ::testing::TestWithParam<std::tuple<std::string, std::string>> {};

INSTANTIATE_TEST_SUITE_P(Zoo, KeptZooModel,
                         ::testing::Combine(::testing::ValuesIn(model_names()),
                                            ::testing::Values("torch", "core", "accelerators")),
                         [](const auto& test) {
                           return std::get<0>(test.param) + "_" + std::get<1>(test.param);
                         });

TEST_P(KeptZooModel, ReplaysAreBitEqual) {
  const auto& [name, preset] = GetParam();
  Context context;
  const ModelInstance model = testing::make(name);
  const CapturedGraph joint =
      check_joint(context, model.state, model.inputs, model.loss, {.keep = {preset}});
  ASSERT_NE(joint.graph, nullptr);
  EXPECT_EQ(verify(*joint.graph).str(), "");
  const CapturedGraph forward =
      check_forward(context, model.state,
                    std::vector(model.forward_inputs().begin(), model.forward_inputs().end()),
                    model.forward, {.keep = {preset}});
  ASSERT_NE(forward.graph, nullptr);
  if (preset == "core") return;
  // The operators that implement a layer are erased.
  for (const char* part : {"aten.addmm.default", "aten.convolution.default", "aten.t.default",
                           "aten.native_layer_norm.default"}) {
    EXPECT_THAT(forward_counts(*forward.graph), Not(Contains(Key(part))));
  }
}

}  // namespace
}  // namespace fx::keep_test
