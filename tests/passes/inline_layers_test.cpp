#include "fx/passes/aten/inline_layers.h"

#include "fx/ir/graph/meta.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"
#include "fx/passes/aten/lower_to_aten.h"
#include "fx/tracer/nn/layer_graph.h"
#include "fx/tracer/nn/nn.h"
#include "fx/tracer/tracer.h"
#include "tests/testing/status_matchers.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fx {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::StatusIs;

struct Net : nn::Module {
  nn::Conv2d conv = register_module("conv", nn::Conv2d(nn::Conv2dOptions(2, 4, 3).stride(2)));
  nn::BatchNorm2d norm = register_module("norm", nn::BatchNorm2d(4));
  nn::Dropout drop = register_module("drop", nn::Dropout(0.25));
  nn::Linear fc = register_module("fc", nn::Linear(nn::LinearOptions(4, 4).bias(false)));
  Proxy forward(Proxy x) { return fc(fc(drop(norm(conv(x))).mean({2, 3}))); }
};

class InlineLayersTest : public ::testing::Test {
 protected:
  Context context_;
  nn::ModuleHolder<Net> net_;
};

TEST_F(InlineLayersTest, CallsBecomeOperatorsInTheModeOfTheLayer) {
  net_->eval();
  net_->drop->train();
  FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<GraphModule> module,
                          symbolic_trace(context_, net_, {"x"}));
  EXPECT_THAT(inline_layers(module->graph()), testing::IsOkAndHolds(true));
  EXPECT_THAT(verify_status(module->graph()), IsOk());
  const std::string text = print(module->graph());
  EXPECT_THAT(text, Not(HasSubstr("call_module")));
  EXPECT_THAT(text, AllOf(HasSubstr("get_attr conv.weight"), HasSubstr("get_attr norm.running_var"),
                          HasSubstr("[2, 2], [0, 0], [1, 1], 1)"),
                          HasSubstr("False, 0.1, 1e-05, True)"), HasSubstr(", 0.25, True)")));
  EXPECT_THAT(text, Not(HasSubstr("fc.bias")));
  for (const Node& node : module->graph().nodes()) {
    if (node.op() == Opcode::kGetAttr) {
      EXPECT_TRUE(node.meta().get(meta::kModuleStack)) << node.name();
    }
  }
  EXPECT_THAT(inline_layers(module->graph()), testing::IsOkAndHolds(false));
}

// A module that was read from a file has no code, but is inlined in the same way.
TEST_F(InlineLayersTest, LayersReadFromFilesHaveTheSameOperators) {
  FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<GraphModule> module,
                          symbolic_trace(context_, net_, {"x"}));
  Module conv("torch.nn.modules.conv.Conv2d");
  for (const auto& [name, value] : net_->conv->hyperparameters())
    conv.set_hyperparameter(name, value);
  FX_ASSERT_OK_AND_ASSIGN(Tensor weight, Tensor::zeros(DType::kFloat32, {4, 2, 3, 3}));
  ASSERT_THAT(conv.register_parameter("weight", weight), IsOk());
  FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<GraphModule> graph, layer_graph(context_, conv));
  EXPECT_THAT(print(graph->graph()),
              HasSubstr("aten.conv2d.default(%input_1, %weight, None, [2, 2], [0, 0], [1, 1], 1)"));
  EXPECT_EQ(graph->find_tensor("weight").identity(), weight.identity());
}

// For equal elements, the derivative of l1_loss differs from that of smooth_l1_loss with beta=0.
TEST_F(InlineLayersTest, SmoothL1LossWithBeta0IsL1Loss) {
  Module loss("torch.nn.modules.loss.SmoothL1Loss");
  for (const double beta : {0.0, 0.5}) {
    loss.set_hyperparameter("beta", beta);
    FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<GraphModule> graph, layer_graph(context_, loss));
    EXPECT_THAT(print(graph->graph()),
                HasSubstr(beta == 0 ? "aten.l1_loss.default" : "aten.smooth_l1_loss.default"));
  }
}

TEST_F(InlineLayersTest, UnknownLayersAreKept) {
  FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<GraphModule> module,
                          symbolic_trace(context_, net_, {"x"}));
  module->find_module("fc")->set_class_name("torch.nn.modules.adaptive.AdaptiveLogSoftmaxWithLoss");
  EXPECT_THAT(inline_layers(module->graph()), testing::IsOkAndHolds(true));
  EXPECT_THAT(print(module->graph()), HasSubstr("call_module fc"));
  EXPECT_THAT(layer_graph(context_, *module->find_module("fc")),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("AdaptiveLogSoftmaxWithLoss")));
}

TEST_F(InlineLayersTest, InvalidSettingsAreRejected) {
  const auto expect = [&](std::string_view class_name, std::string_view setting,
                          const Argument& value, absl::StatusCode code) {
    Module layer(class_name);
    layer.set_hyperparameter("kernel_size", 2);
    layer.set_hyperparameter("stride", 2);
    layer.set_hyperparameter(setting, value);
    EXPECT_THAT(layer_graph(context_, layer), StatusIs(code, HasSubstr(std::string(setting))))
        << setting;
  };
  using enum absl::StatusCode;
  expect("torch.nn.modules.pooling.MaxPool2d", "kernel_size", "two", kInvalidArgument);
  expect("torch.nn.modules.pooling.MaxPool2d", "stride", Argument::list({1, 2, 3}),
         kInvalidArgument);
  expect("torch.nn.modules.pooling.MaxPool2d", "return_indices", 2, kInvalidArgument);
  expect("torch.nn.modules.upsampling.Upsample", "recompute_scale_factor", true, kUnimplemented);
  expect("torch.nn.modules.pooling.MaxUnpool2d", "padding", INT64_MIN, kInvalidArgument);
  expect("torch.nn.modules.conv.Conv2d", "groups", 0, kInvalidArgument);
  expect("torch.nn.modules.conv.Conv2d", "padding_mode", "mirror", kInvalidArgument);
  expect("torch.nn.modules.conv.Conv2d", "padding", "some", kInvalidArgument);
  expect("torch.nn.modules.dropout.Dropout", "p", "half", kInvalidArgument);
  // The weight is missing.
  EXPECT_THAT(layer_graph(context_, Module("torch.nn.modules.linear.Linear")),
              StatusIs(kInvalidArgument, HasSubstr("weight")));
  Module norm("torch.nn.modules.normalization.LayerNorm");
  norm.set_hyperparameter("normalized_shape", Argument::list({int64_t{1} << 60}));
  FX_ASSERT_OK_AND_ASSIGN(const Tensor small, Tensor::zeros(DType::kFloat32, {4}));
  ASSERT_THAT(norm.register_parameter("weight", small), IsOk());
  EXPECT_THAT(layer_graph(context_, norm),
              StatusIs(kInvalidArgument, HasSubstr("normalized_shape")));
}

TEST_F(InlineLayersTest, InvalidArgumentsAreRejected) {
  const auto expect = [&](std::string_view class_name, std::string_view call,
                          std::string_view text) {
    Module root("Root");
    auto layer = std::make_shared<Module>(class_name);
    layer->set_hyperparameter("embed_dim", 4);
    layer->set_hyperparameter("num_heads", 2);
    layer->set_hyperparameter("kernel_size", 2);
    layer->set_hyperparameter("stride", 2);
    ASSERT_THAT(root.add_submodule("layer", layer), IsOk());
    FX_ASSERT_OK_AND_ASSIGN(
        std::unique_ptr<Graph> graph,
        parse_graph(context_,
                    fmt::format("graph(%x, %m) {{ %y = call_module layer({}) return %y }}", call)));
    FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<GraphModule> module,
                            GraphModule::create(root, std::move(graph), "Root"));
    EXPECT_THAT(inline_layers(module->graph()),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(std::string(text))))
        << call;
  };
  constexpr std::string_view kRelu = "torch.nn.modules.activation.ReLU";
  constexpr std::string_view kUnpool = "torch.nn.modules.pooling.MaxUnpool2d";
  constexpr std::string_view kAttention = "torch.nn.modules.activation.MultiheadAttention";
  expect(kRelu, "%x, %x", "does not accept these arguments; its signature is (input)");
  expect(kRelu, "2.0",
         "the input of a torch.nn.modules.activation.ReLU must be a value of the graph");
  expect(kRelu, "%x, inplace=True", "does not accept these arguments; its signature is (input)");
  expect(kAttention, "%x, %x", "requires the argument value");
  expect(kAttention, "%x, %x, %x", "their types must be known; propagate types first");
  expect("torch.nn.modules.sparse.EmbeddingBag", "%x, 2", "the offsets of a");
  expect(kUnpool, "%x, %m, [3]", "must be None or a list of 2 or 4 sizes, not [3]");
  expect(kUnpool, "%x, %m, %m", "must be None or a list of 2 or 4 sizes, not a value of");
  expect(kUnpool, "%x, %m, [3, \"x\"]", "must consist of integers, but contains \"x\"");
  // The input may lack a batch dimension.
  expect("torch.nn.modules.pooling.FractionalMaxPool2d", "%x", "must have rank 3 or 4");
  expect("torch.nn.modules.dropout.Dropout3d", "%x",
         "must have rank 4 or 5; propagate types first");
  expect("torch.nn.modules.instancenorm.InstanceNorm1d", "%x", "must have rank 2 or 3");
  for (const std::string_view name : {"GRU", "LSTM", "RNN"})
    expect(fmt::format("torch.nn.modules.rnn.{}", name), "%x", "must have rank 2 or 3");
  for (const std::string_view name : {"GRUCell", "LSTMCell", "RNNCell"})
    expect(fmt::format("torch.nn.modules.rnn.{}", name), "%x", "must have rank 1 or 2");
}

// Without a rank, the layer stays, like other calls that lower_to_aten cannot replace.
TEST_F(InlineLayersTest, LayersThatDependOnAnUnknownRankAreNotLowered) {
  Module root("Root");
  ASSERT_THAT(root.add_submodule("cell", std::make_shared<Module>("torch.nn.modules.rnn.RNNCell")),
              IsOk());
  auto graph = parse_graph(context_, R"(graph(%x) {
    %y = call_module cell(%x)
    %z = torch.neg(%y)
    return %z
  })");
  auto module = GraphModule::create(root, *std::move(graph), "Root");
  FX_ASSERT_OK_AND_ASSIGN(const LowerToAtenReport report, lower_to_aten((*module)->graph()));
  EXPECT_THAT(report.str(), HasSubstr("must have rank 1 or 2"));
  EXPECT_EQ(report.not_lowered.size(), 1u);
  EXPECT_THAT(print((*module)->graph()),
              AllOf(HasSubstr("call_module cell(%x)"), HasSubstr("aten.neg.default")));
}

// Modules in a file may be cyclic: a Transformer must not contain itself.
TEST_F(InlineLayersTest, TransformersCallOnlyTheirDescendants) {
  const std::string classes = "torch.nn.modules.transformer.Transformer";
  const auto inlined = [&](const std::string& outer, std::string_view path,
                           std::string_view inner) {
    auto below = std::make_shared<Module>(classes + std::string(inner));
    auto layer = std::make_shared<Module>(classes + outer);
    auto between = path.starts_with("layers.") ? std::make_shared<Module>("ModuleList") : layer;
    EXPECT_THAT(between->add_submodule(path.substr(path.rfind('.') + 1), below), IsOk());
    if (between != layer) {
      EXPECT_THAT(layer->add_submodule("layers", between), IsOk());
    }
    Module root("Root");
    EXPECT_THAT(root.add_submodule("layer", layer), IsOk());
    auto graph =
        parse_graph(context_, "graph(%x : f32[2, 3, 8]) { %y = call_module layer(%x) return %y }");
    auto module = GraphModule::create(root, *std::move(graph), "Root");
    return inline_layers((*module)->graph()).status();
  };
  EXPECT_THAT(inlined("Encoder", "layers.0", "Encoder"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("the layers.0 of a torch.nn.modules.transformer.Transformer")));
  EXPECT_THAT(inlined("EncoderLayer", "self_attn", "EncoderLayer"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("the self_attn of a")));
  EXPECT_THAT(inlined("EncoderLayer", "linear1", "Encoder"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("the self_attn of a")));
}

// The getitem that selects an item is erased along with the call to the layer.
TEST_F(InlineLayersTest, ItemsOfTheLastCallAreReplaced) {
  auto pool = std::make_shared<Module>("torch.nn.modules.pooling.AdaptiveMaxPool1d");
  pool->set_hyperparameter("output_size", 2);
  pool->set_hyperparameter("return_indices", true);
  Module root("Root");
  ASSERT_THAT(root.add_submodule("pool", pool), IsOk());
  FX_ASSERT_OK_AND_ASSIGN(std::unique_ptr<Graph> graph,
                          parse_graph(context_,
                                      "graph(%x : f32[2, 3, 8]) { %y = call_module pool(%x) "
                                      "%item = operator.getitem(%y, 0) return %item }"));
  FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<GraphModule> module,
                          GraphModule::create(root, std::move(graph), "Root"));
  EXPECT_THAT(inline_layers(module->graph()), testing::IsOkAndHolds(true));
  EXPECT_THAT(verify_status(module->graph()), IsOk());
  EXPECT_THAT(print(module->graph()), Not(HasSubstr("call_module")));
}

TEST_F(InlineLayersTest, AGraphWithoutModulesIsRejected) {
  FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Graph> graph,
                          parse_graph(context_, "graph(%x) { %y = call_module fc(%x) return %y }"));
  EXPECT_THAT(inline_layers(*graph),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("fc")));
}

}  // namespace
}  // namespace fx
