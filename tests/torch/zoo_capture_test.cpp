// Joint graphs of the zoo's models: tests their contents, and that their replay is bit-equal to
// eager mode.
#include "fx/importers/torch/capture/capture.h"
#include "fx/ir/graph/meta.h"
#include "fx/tools/torch/zoo/zoo.h"
#include "tests/torch/joint_testing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace fx {
namespace {

using testing::check_joint;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::IsOk;
using ::testing::Key;
using ::testing::Not;
using testing::operator_counts;
using ::testing::Pair;
using testing::StatusIs;
using ::testing::UnorderedElementsAre;

CapturedGraph check_zoo(Context& context, std::string_view name, HookKind hook,
                        SettingValues settings = {}) {
  absl::StatusOr<ModelInstance> model = make_zoo_model(name, settings, /*seed=*/1);
  EXPECT_THAT(model, IsOk());
  return check_joint(context, model->state, model->inputs, model->loss, {.hook = hook});
}

class ZooCapture : public ::testing::TestWithParam<HookKind> {};

TEST_P(ZooCapture, MlpReplayIsBitEqual) {
  Context context;
  const CapturedGraph mlp = check_zoo(context, "mlp", GetParam());
  EXPECT_EQ(mlp.hook, GetParam());
  // Three layers. Forward: t and addmm. Backward: two products and four transposes (one product and
  // three transposes for the first layer, because its input requires no gradient) and the sum for
  // the bias.
  EXPECT_THAT(
      operator_counts(*mlp.graph),
      UnorderedElementsAre(
          Pair("aten.t", 3 + 4 + 4 + 3), Pair("aten.addmm", 3), Pair("aten.relu", 1),
          Pair("aten.gelu", 1), Pair("aten._log_softmax", 1), Pair("aten.nll_loss_forward", 1),
          Pair("operator.getitem", 2), Pair("aten.nll_loss_backward", 1),
          Pair("aten._log_softmax_backward_data", 1), Pair("aten.mm", 5), Pair("aten.sum", 3),
          Pair("aten.view", 3), Pair("aten.gelu_backward", 1), Pair("aten.threshold_backward", 1)));
  EXPECT_TRUE(mlp.constants.empty());
}

TEST_P(ZooCapture, Resnet18ReplayIsBitEqual) {
  Context context;
  const CapturedGraph resnet = check_zoo(context, "resnet18", GetParam(), {{{"size", 32}}});
  const std::map<std::string, int> counts = operator_counts(*resnet.graph);
  EXPECT_THAT(counts, Contains(Pair("aten.convolution", 20)));
  EXPECT_THAT(counts, Contains(Pair("aten.convolution_backward", 20)));
  EXPECT_THAT(counts, Contains(Pair("aten.native_batch_norm", 20)));
  EXPECT_THAT(counts, Contains(Pair("aten.native_batch_norm_backward", 20)));
  EXPECT_THAT(counts, Contains(Pair("aten.relu_", 17)));
  EXPECT_THAT(counts, Contains(Pair("aten.threshold_backward", 17)));
  // In place: 20 batch counters and 8 residual sums; with the fake hook, also 8 gradient sums,
  // which the autograd engine adds out of place under a dispatch mode.
  const bool fake = GetParam() == HookKind::kFake;
  EXPECT_THAT(counts, Contains(Pair("aten.add_", fake ? 36 : 28)));
  EXPECT_EQ(counts.contains("aten.add"), !fake);
  int calls = 0;
  for (const auto& [name, count] : counts) calls += count;
  // 191 operators, and a getitem for each result that is used.
  EXPECT_EQ(calls - counts.at("operator.getitem"), 191);
  EXPECT_TRUE(resnet.constants.empty());
  // 62 parameters, 60 buffers, the images, the classes, one tangent.
  EXPECT_EQ(resnet.inputs.size(), 62u + 60 + 2 + 1);
  // All 60 buffers are written; one loss; one gradient or None for each primal.
  EXPECT_EQ(resnet.outputs.size(), 60u + 1 + 124);
}

INSTANTIATE_TEST_SUITE_P(Hooks, ZooCapture, ::testing::Values(HookKind::kFake, HookKind::kMode),
                         [](const auto& test) {
                           return test.param == HookKind::kFake ? "Fake" : "Mode";
                         });

TEST(ZooCapture, PlaceholdersAndOutputsMatchAotAutograd) {
  Context context;
  const CapturedGraph mlp = check_zoo(context, "mlp", HookKind::kAuto);
  std::vector<std::string> names, targets;
  for (const Node& node : mlp.graph->nodes()) {
    if (!node.is_placeholder()) break;
    names.push_back(node.name());
    const Argument what = *node.meta().get(meta::kInput);
    EXPECT_EQ(what.key(0), Argument("kind"));
    targets.push_back(
        std::string(what[0].as_string()) +
        (what.size() > 1 && what[1].is_string() ? " " + std::string(what[1].as_string()) : ""));
  }
  EXPECT_THAT(names, ElementsAre("primals_1", "primals_2", "primals_3", "primals_4", "primals_5",
                                 "primals_6", "primals_7", "primals_8", "tangents_1"));
  EXPECT_THAT(targets,
              ElementsAre("parameter fc1.weight", "parameter fc1.bias", "parameter fc2.weight",
                          "parameter fc2.bias", "parameter fc3.weight", "parameter fc3.bias",
                          "user_input", "user_input", "tangent"));
  // The loss and six gradients, but none for the input and the classes.
  const ArgumentRef results = mlp.graph->output_node()->arg(0);
  std::vector<std::string> returned;
  for (size_t i = 0; i < results.size(); ++i) {
    returned.push_back(results[i].is_none() ? "None" : results[i].as_node()->name());
  }
  EXPECT_THAT(returned, ElementsAre("getitem", "t_13", "view_2", "t_10", "view_1", "t_6", "view",
                                    "None", "None"));
  const Argument descriptions = *mlp.graph->output_node()->meta().get(meta::kOutputs);
  EXPECT_EQ(descriptions.size(), returned.size());
  EXPECT_EQ(descriptions[0][0], Argument("output"));
  EXPECT_EQ(descriptions[1][0], Argument("gradient"));
  EXPECT_EQ(descriptions[7][0], Argument("none"));
}

TEST(ZooCapture, ChangedGraphsReturnDifferentResults) {
  Context context;
  FX_ASSERT_OK_AND_ASSIGN(const ModelInstance model, make_zoo_model("mlp"));
  FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph mlp,
                          capture_joint(context, model.state, model.inputs, model.loss));
  mlp.graph->find_node("relu")->set_function(context.function("aten.sigmoid.default"));
  FX_ASSERT_OK_AND_ASSIGN(TorchEvaluator evaluator, TorchEvaluator::create(*mlp.graph));
  const std::vector<at::Tensor> inputs = clone_inputs(mlp);
  FX_ASSERT_OK_AND_ASSIGN(const std::vector<c10::IValue> replayed,
                          evaluator.run({inputs.begin(), inputs.end()}));
  const TensorDifference loss = compare_tensors(replayed[0].toTensor(), mlp.outputs[0].tensor);
  EXPECT_FALSE(loss.bit_equal);
  EXPECT_GT(loss.max_abs, 1e-4);
}

TEST(ZooCapture, TangentSeedsTheBackwardPass) {
  Context context;
  const CapturedGraph mlp = check_zoo(context, "mlp", HookKind::kAuto);
  const Node* tangent = mlp.graph->find_node("tangents_1");
  ASSERT_NE(tangent, nullptr);
  ASSERT_EQ(tangent->num_users(), 1u);
  EXPECT_EQ(tangent->users()[0]->target(), "aten.nll_loss_backward.default");
}

TEST(ZooCapture, BackwardNodesHaveTheNumberAndModuleOfTheirForwardNode) {
  Context context;
  const CapturedGraph resnet = check_zoo(context, "resnet18", HookKind::kAuto, {{{"size", 32}}});
  std::map<int64_t, std::set<std::string>> forward, backward;
  for (const Node& node : resnet.graph->nodes()) {
    if (node.op() != Opcode::kCallFunction) continue;
    const auto region = node.meta().get(meta::kRegion);
    const auto sequence = node.meta().get(meta::kSeq);
    ASSERT_TRUE(region.has_value()) << node.name();
    ASSERT_TRUE(sequence.has_value()) << node.name();
    (*region == "fw" ? forward : backward)[*sequence].insert(std::string(node.target()));
  }
  for (const auto& [sequence, operators] : backward) {
    ASSERT_THAT(forward, Contains(Key(sequence)));
    if (operators.contains("aten.convolution_backward.default")) {
      EXPECT_THAT(forward[sequence], Contains("aten.convolution.default"));
    }
    if (operators.contains("aten.native_batch_norm_backward.default")) {
      EXPECT_THAT(forward[sequence], Contains("aten.native_batch_norm.default"));
    }
  }
  EXPECT_EQ(backward.begin()->first, 0);

  const auto module_of = [&](std::string_view name) -> std::string {
    const Node* node = resnet.graph->find_node(name);
    EXPECT_NE(node, nullptr) << name;
    return node == nullptr ? "" : std::string(node->meta().get(meta::kModule).value_or(""));
  };
  EXPECT_EQ(module_of("convolution"), "conv1");
  EXPECT_EQ(module_of("convolution_1"), "layer1.0.conv1");
  EXPECT_EQ(module_of("native_batch_norm_7"), "layer2.0.downsample.1");
  EXPECT_EQ(module_of("relu__1"), "layer1.0");  // the scope that the model opens
  EXPECT_EQ(module_of("addmm"), "fc");
  EXPECT_EQ(module_of("convolution_backward"), "layer4.1.conv2");
}

TEST(ZooCapture, UndefinedGradientsAreNone) {
  Context context;
  const CapturedGraph resnet = check_zoo(context, "resnet18", HookKind::kAuto, {{{"size", 32}}});
  // The input of the first layer, the images, does not require grad, and convolutions have no bias.
  const Node* last = nullptr;
  for (const Node& node : resnet.graph->nodes()) {
    if (node.target() == "aten.convolution_backward.default") last = &node;
  }
  ASSERT_NE(last, nullptr);
  std::string text;
  append_text(text, last->type());
  EXPECT_THAT(text, HasSubstr("none"));
  for (const Node* user : last->users()) EXPECT_EQ(user->arg(1).as_int(), 1);
}

TEST(ZooCapture, UnusedGetitemsAreDropped) {
  Context context;
  const CapturedGraph resnet = check_zoo(context, "resnet18", HookKind::kAuto, {{{"size", 32}}});
  for (const Node& node : resnet.graph->nodes()) {
    EXPECT_TRUE(node.target() != "operator.getitem" || node.has_uses()) << node.name();
  }
}

TEST(Zoo, ErrorsListTheAlternatives) {
  EXPECT_THAT(make_zoo_model("resnet19"),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("mlp, lenet, resnet18")));
  EXPECT_THAT(make_zoo_model("mlp", {{{"depth", 3}}}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("hidden (default 32)")));
  EXPECT_THAT(make_zoo_model("mlp", {{{"hidden", 0}}}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("at least 1")));
}

}  // namespace
}  // namespace fx
