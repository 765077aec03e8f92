// Capture with CaptureOptions::keep_backward: the backward pass of a kept operator is one call.
#include "fx/importers/torch/capture/capture.h"
#include "fx/importers/torch/capture/keep_internal.h"
#include "fx/importers/torch/capture/step.h"
#include "fx/ir/calls/graph_call.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"
#include "fx/passes/functionalize/functionalize.h"
#include "fx/tools/torch/zoo/zoo.h"
#include "tests/torch/dynamic_testing.h"
#include "tests/torch/joint_testing.h"
#include "tests/torch/zoo_testing.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace fx::keep_backward_test {
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
using ::testing::Pair;
using testing::seed_torch;
using testing::StatusIs;
using ::testing::UnorderedElementsAre;

constexpr std::string_view kNestedCall = "higher_order.invoke_subgraph";

/// Returns the number of calls to each target in one pass, "fw" or "bw", excluding getitem calls.
std::map<std::string, int> calls_of(const Graph& graph, std::string_view region) {
  std::map<std::string, int> calls;
  for (const Node& node : graph.nodes()) {
    if (!node.is_call() || node.target() == "operator.getitem") continue;
    if (node.meta().get(meta::kRegion) == region) ++calls[std::string(node.target())];
  }
  return calls;
}

std::map<std::string, int> calls_of_nested(const Graph& graph, std::string_view name) {
  const Graph* nested = graph.find_subgraph(name);
  EXPECT_NE(nested, nullptr) << name;
  std::map<std::string, int> calls;
  for (const Node& node : nested->nodes())
    if (node.is_call()) ++calls[std::string(node.target())];
  return calls;
}

at::Tensor parameter(at::IntArrayRef sizes) {
  seed_torch(static_cast<uint64_t>(sizes.size()));
  return at::randn(sizes).requires_grad_();
}

/// Captures, and compares a replay with eager mode.
CapturedGraph check(Context& context, const ModuleState& state,
                    const std::vector<at::Tensor>& inputs, const Program& program,
                    std::vector<std::string> keep, HookKind hook = HookKind::kAuto) {
  CapturedGraph joint = check_joint(context, state, inputs, program,
                                    {.hook = hook, .keep = std::move(keep), .keep_backward = true});
  if (joint.graph == nullptr) {
    joint.graph = std::make_unique<Graph>(context);
    return joint;
  }
  EXPECT_EQ(verify(*joint.graph).str(), "");
  for (const Node& node : joint.graph->nodes())
    EXPECT_TRUE(!node.meta().has(kKeptCall) && !node.meta().has(kEngineRun)) << node.name();
  return joint;
}

TEST(KeepBackward, ALinearIsOneCallInEachPass) {
  Context context;
  const ModuleState state{.parameters = {{"weight", parameter({3, 4})}, {"bias", parameter({3})}}};
  const at::Tensor &w = state.parameters[0].tensor, &b = state.parameters[1].tensor;
  const Program whole = [&](Tensors in) -> std::vector<at::Tensor> {
    return {at::relu(at::linear(in[0], w, b))};
  };
  const Program layer = [&](Tensors in) -> std::vector<at::Tensor> {  // like torch::nn::Linear
    return {at::relu(at::addmm(b, in[0], w.t()))};
  };
  const at::Tensor x = parameter({2, 4});
  for (const HookKind hook : {HookKind::kFake, HookKind::kMode}) {
    for (const Program& program : {whole, layer}) {
      const CapturedGraph joint = check(context, state, {x}, program, {"linear"}, hook);
      EXPECT_THAT(joint.decomposed, IsEmpty());
      EXPECT_THAT(calls_of(*joint.graph, "fw"), UnorderedElementsAre(Pair("aten.linear.default", 1),
                                                                     Pair("aten.relu.default", 1)));
      EXPECT_THAT(calls_of(*joint.graph, "bw"), Contains(Pair(std::string(kNestedCall), 1)));
      EXPECT_THAT(calls_of(*joint.graph, "bw"), Not(Contains(Key("aten.mm.default"))));
      EXPECT_THAT(calls_of_nested(*joint.graph, "linear_backward"),
                  AllOf(Contains(Pair("aten.mm.default", 2)), Contains(Key("aten.sum.dim_IntList")),
                        Contains(Key("aten.t.default"))));
    }
  }
}

/// Returns the call to the nested graph.
const Node& nested_call(const CapturedGraph& joint) {
  for (const Node& node : joint.graph->nodes())
    if (node.target() == kNestedCall) return node;
  ADD_FAILURE() << "no nested call";
  return *joint.graph->front();
}

TEST(KeepBackward, TheCallHasTheMetadataOfTheForwardCall) {
  Context context;
  const ModuleState state{.parameters = {{"block.fc.weight", parameter({3, 4})}}};
  const Program program = [&](Tensors in) -> std::vector<at::Tensor> {
    return {at::linear(in[0], state.parameters[0].tensor).sin()};
  };
  const CapturedGraph joint = check(context, state, {parameter({2, 4})}, program, {"linear"});
  const Node& backward = nested_call(joint);
  EXPECT_EQ(backward.name(), "linear_backward");
  EXPECT_EQ(backward.meta().get(meta::kRegion), "bw");
  EXPECT_EQ(backward.meta().get(meta::kModule), "block.fc");
  for (const Node& node : joint.graph->nodes()) {
    if (node.target() != "aten.linear.default") continue;
    EXPECT_EQ(node.meta().get(meta::kSeq), backward.meta().get(meta::kSeq));
    EXPECT_TRUE(node.meta().has(meta::kSeq));
  }
}

// The mean and the deviation are computed where they are used, so that the forward pass has only
// the kept operator.
TEST(KeepBackward, PartsMoveToTheBackwardPass) {
  Context context;
  const ModuleState state{.parameters = {{"weight", parameter({4})}, {"bias", parameter({4})}}};
  const Program program = [&](Tensors in) -> std::vector<at::Tensor> {
    return {at::layer_norm(in[0], {4}, state.parameters[0].tensor, state.parameters[1].tensor)};
  };
  const CapturedGraph joint = check(context, state, {parameter({3, 4})}, program, {"layer_norm"});
  EXPECT_THAT(calls_of(*joint.graph, "fw"), ElementsAre(Pair("aten.layer_norm.default", 1)));
  EXPECT_THAT(calls_of(*joint.graph, "bw"), ElementsAre(Pair(std::string(kNestedCall), 1)));
  EXPECT_THAT(calls_of_nested(*joint.graph, "layer_norm_backward"),
              AllOf(Contains(Pair("aten.native_layer_norm.default", 1)),
                    Contains(Pair("aten.native_layer_norm_backward.default", 1))));
}

// A write after the forward call changes what the part would read in the backward pass. `data`
// hides the write from autograd, which computes the gradient with the mean of the first values.
TEST(KeepBackward, PartsDoNotMovePastWrites) {
  Context context;
  const Program program = [](Tensors in) -> std::vector<at::Tensor> {
    const at::Tensor x = in[0] * 2;
    const at::Tensor y = at::layer_norm(x, {4});
    x.variable_data().mul_(3);
    return {y};
  };
  const CapturedGraph joint = check(context, {}, {parameter({3, 4})}, program, {"layer_norm"});
  EXPECT_THAT(calls_of(*joint.graph, "fw"), Contains(Pair("aten.native_layer_norm.default", 1)));
}

TEST(KeepBackward, ASingleCallIsNotNested) {
  Context context;
  const ModuleState state{.parameters = {{"weight", parameter({2, 3, 3, 3})}}};
  const Program program = [&](Tensors in) -> std::vector<at::Tensor> {
    return {at::conv2d(in[0], state.parameters[0].tensor)};
  };
  const CapturedGraph joint = check(context, state, {parameter({1, 3, 5, 5})}, program, {"conv2d"});
  EXPECT_THAT(calls_of(*joint.graph, "fw"), ElementsAre(Pair("aten.conv2d.default", 1)));
  EXPECT_THAT(calls_of(*joint.graph, "bw"),
              ElementsAre(Pair("aten.convolution_backward.default", 1)));
}

// Autograd adds the gradients of the two uses of x, which belongs to neither operator.
TEST(KeepBackward, SumsOfGradientsStayOutside) {
  Context context;
  const ModuleState state{.parameters = {{"w", parameter({4, 4})}, {"v", parameter({4, 4})}}};
  const Program program = [&](Tensors in) -> std::vector<at::Tensor> {
    const at::Tensor x = in[0].sin();
    return {x +
            at::linear(x, state.parameters[0].tensor) * at::linear(x, state.parameters[1].tensor)};
  };
  const CapturedGraph joint = check(context, state, {parameter({2, 4})}, program, {"linear"});
  const std::map<std::string, int> calls = calls_of(*joint.graph, "bw");
  EXPECT_THAT(calls, Contains(Pair(std::string(kNestedCall), 2)));
  EXPECT_EQ((calls.contains("aten.add.Tensor") ? calls.at("aten.add.Tensor") : 0) +
                (calls.contains("aten.add_.Tensor") ? calls.at("aten.add_.Tensor") : 0),
            2);
  EXPECT_THAT(calls_of_nested(*joint.graph, "linear_backward_1"), Contains(Key("aten.mm.default")));
}

// The gradients of the three operands are added while the backward pass of attention runs, and one
// operand is also used elsewhere.
TEST(KeepBackward, OperandsThatAreUsedSeveralTimes) {
  Context context;
  const Program program = [](Tensors in) -> std::vector<at::Tensor> {
    const at::Tensor x = in[0] * 2;
    const at::Tensor y = at::scaled_dot_product_attention(x, x, x);
    return {y + x, at::linear(y, x[0][0])};
  };
  for (const bool math : {false, true}) {
    const bool flash = at::globalContext().userEnabledFlashSDP();
    at::globalContext().setSDPUseFlash(!math);
    const CapturedGraph joint = check(context, {}, {parameter({1, 2, 4, 8})}, program,
                                      {"scaled_dot_product_attention", "linear"});
    at::globalContext().setSDPUseFlash(flash);
    EXPECT_THAT(calls_of(*joint.graph, "bw"), Not(Contains(Key("aten.bmm.default"))));
    for (const DecomposedOperator& op : joint.decomposed)
      ADD_FAILURE() << op.name << ": " << op.reason;
  }
}

/// A function whose forward pass calls linear, and whose backward pass does not differentiate it.
struct StraightThrough : torch::autograd::Function<StraightThrough> {
  static at::Tensor forward(torch::autograd::AutogradContext*, const at::Tensor& x,
                            const at::Tensor& w) {
    return at::addmm(at::zeros({4}), x, w.t());
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext*,
                                                 torch::autograd::variable_list grads) {
    return {grads[0] * 3 + 1, at::Tensor()};
  }
};

// Without the exact range of autograd nodes, the backward pass of the function would count as that
// of the linear in it.
TEST(KeepBackward, AFunctionThatCallsAKeptOperatorIsNotThatOperator) {
  Context context;
  const at::Tensor w = at::randn({4, 4});
  const Program program = [&](Tensors in) -> std::vector<at::Tensor> {
    return {StraightThrough::apply(in[0], w)};
  };
  const CapturedGraph joint = check(context, {}, {parameter({2, 4})}, program, {"linear"});
  EXPECT_THAT(calls_of(*joint.graph, "fw"), Contains(Pair("aten.linear.default", 1)));
  EXPECT_THAT(calls_of(*joint.graph, "bw"), Not(Contains(Key(std::string(kNestedCall)))));
}

// A compiler that replaces @linear_backward with its own kernel must not drop a hook.
TEST(KeepBackward, HooksAreNotPartOfAnOperator) {
  Context context;
  const ModuleState state{.parameters = {{"w", parameter({4, 4})}, {"v", parameter({4, 4})}}};
  const Program program = [&](Tensors in) -> std::vector<at::Tensor> {
    const at::Tensor hidden = at::linear(in[0], state.parameters[0].tensor);
    hidden.register_hook([](const at::Tensor& gradient) { return gradient.clamp(-0.5, 0.5); });
    return {at::linear(hidden, state.parameters[1].tensor).sin()};
  };
  const CapturedGraph joint = check(context, state, {parameter({2, 4})}, program, {"linear"});
  const std::map<std::string, int> calls = calls_of(*joint.graph, "bw");
  EXPECT_THAT(calls,
              AllOf(Contains(Pair("aten.clamp.default", 1)), Contains(Pair("aten.mm.default", 2)),
                    Contains(Pair(std::string(kNestedCall), 1))));
  ASSERT_EQ(joint.decomposed.size(), 1u);
  EXPECT_TRUE(joint.decomposed[0].backward_only);
  EXPECT_THAT(joint.decomposed[0].reason, HasSubstr("hooks"));
}

TEST(KeepBackward, EachRunOfTheEngineHasItsOwnCall) {
  Context context;
  const at::Tensor w = parameter({4, 4});
  const ModuleState state{.parameters = {{"w", w}}};
  const Program program = [&](Tensors in) -> std::vector<at::Tensor> {
    const at::Tensor y = at::linear(in[0], w);
    const at::Tensor first = torch::autograd::grad({y.sum()}, {w}, {}, /*retain_graph=*/true)[0];
    const at::Tensor second = torch::autograd::grad({y.sin().sum()}, {w})[0];
    return {first, second};
  };
  const at::AutoGradMode with_grad(true);
  FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph captured,
                          fx::capture(context, state, std::vector{at::randn({2, 4})}, program,
                                      {.keep = {"linear"}, .keep_backward = true}));
  EXPECT_THAT(calls_of(*captured.graph, "fw"), Contains(Pair("aten.linear.default", 1)));
  EXPECT_THAT(calls_of(*captured.graph, "bw"), Contains(Pair(std::string(kNestedCall), 2)));
  for (const char* name : {"linear_backward", "linear_backward_1"})
    EXPECT_THAT(calls_of_nested(*captured.graph, name), Contains(Pair("aten.mm.default", 1)));
}

TEST(KeepBackward, DynamicSizes) {
  Context context;
  const ModuleState state{.parameters = {{"w", parameter({4, 4})}, {"b", parameter({4})}}};
  const at::Tensor &w = state.parameters[0].tensor, &b = state.parameters[1].tensor;
  const Program program = [&](Tensors in) -> std::vector<at::Tensor> {
    at::Tensor x = in[0];
    for (int i = 0; i < 3; ++i) {
      x = at::linear(at::reshape(x, {-1, 4}), w, b).relu();
      x = at::layer_norm(x, {4});
    }
    return {x.sum(0, true).expand({in[0].size(0), 4}) + in[0].select(1, 0)};
  };
  const std::vector<at::Tensor> inputs = {at::randn({6, 2, 4})};
  const CaptureOptions options = {.dynamic = {.inputs = {"f32[batch, seq, 4]"}},
                                  .keep = {"linear", "layer_norm"},
                                  .keep_backward = true};
  FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph joint,
                          capture_joint(context, state, inputs, program, options));
  EXPECT_THAT(calls_of(*joint.graph, "bw"), Contains(Pair(std::string(kNestedCall), 6)));
  EXPECT_THAT(print(*joint.graph), HasSubstr("f32[batch*seq, 4]"));
  const testing::DynamicProgram dynamic = {state, program, options, joint};
  for (const int64_t batch : {2, 3, 9})
    testing::check_replay(context, dynamic, inputs, {{"batch", batch}, {"seq", 5}});
}

TEST(KeepBackward, TrainingSteps) {
  Context context;
  const ModelInstance model = testing::make("mlp");
  FX_ASSERT_OK_AND_ASSIGN(
      const CapturedGraph step,
      capture_step(context, model.state, make_optimizer("sgd", model.state), model.inputs,
                   model.loss, {.keep = {"linear"}, .keep_backward = true}));
  EXPECT_EQ(verify(*step.graph).str(), "");
  EXPECT_THAT(calls_of(*step.graph, "bw"), AllOf(Contains(Pair(std::string(kNestedCall), 3)),
                                                 Not(Contains(Key("aten.mm.default")))));
}

TEST(KeepBackward, RequiresKeptOperators) {
  Context context;
  const Program program = [](Tensors in) -> std::vector<at::Tensor> { return {in[0].sin()}; };
  const std::vector<at::Tensor> inputs = {parameter({2})};
  const auto refused = StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("requires keep"));
  EXPECT_THAT(capture_joint(context, {}, inputs, program, {.keep_backward = true}).status(),
              refused);
  EXPECT_THAT(capture(context, {}, inputs, program, {.keep_backward = true}).status(), refused);
  EXPECT_THAT(capture_step(context, {}, inputs, program, {.keep_backward = true}).status(),
              refused);
}

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const ModelEntry& entry : zoo_models()) names.push_back(entry.name);
  return names;
}

class KeptBackwardOfZoo : public ::testing::TestWithParam<std::tuple<std::string, std::string>> {};

INSTANTIATE_TEST_SUITE_P(Zoo, KeptBackwardOfZoo,
                         ::testing::Combine(::testing::ValuesIn(model_names()),
                                            ::testing::Values("torch", "accelerators")),
                         [](const auto& test) {
                           return std::get<0>(test.param) + "_" + std::get<1>(test.param);
                         });

TEST_P(KeptBackwardOfZoo, ReplaysAreBitEqual) {
  const auto& [name, preset] = GetParam();
  Context context;
  const ModelInstance model = testing::make(name);
  const CapturedGraph joint = check(context, model.state, model.inputs, model.loss, {preset});
  for (const DecomposedOperator& op : joint.decomposed)
    EXPECT_FALSE(op.backward_only) << op.name << ": " << op.reason;
  // The kept operators have no parts in the forward pass, except operands of their gradients that
  // are results of the forward pass.
  EXPECT_THAT(calls_of(*joint.graph, "fw"),
              AllOf(Not(Contains(Key("aten.t.default"))), Not(Contains(Key("aten.addmm.default"))),
                    Not(Contains(Key("aten.native_layer_norm.default")))));
  const std::unique_ptr<Graph> copy = joint.graph->clone();
  EXPECT_THAT(functionalize(*copy), IsOk());
  EXPECT_EQ(verify(*copy).str(), "");
}

}  // namespace
}  // namespace fx::keep_backward_test
