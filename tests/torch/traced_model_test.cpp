// Models that are written once: libtorch runs the model and its traced graph with the same weights,
// and the results are bit-equal.
#include "fx/importers/torch/modules/traced.h"
#include "fx/interp/shared_attributes.h"
#include "fx/interp/torch/evaluator.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/verify/verifier.h"
#include "fx/passes/shape/shape_prop.h"
#include "fx/tracer/shaped_tracer.h"
#include "fx/tracer/tracer.h"
#include "tests/testing/status_matchers.h"
#include "tests/torch/joint_testing.h"
#include "tests/torch/traced_models.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fx {
namespace {

using testing::EagerLayers;
using testing::IsOk;
using testing::TracedLayers;

/// A tracer that inlines all modules, so that all calls are operators.
struct InliningTracer : Tracer {
  using Tracer::Tracer;
  bool is_leaf_module(const Module&, std::string_view) const override { return false; }
};

bool same_bits(const at::Tensor& a, const at::Tensor& b) {
  return a.dtype() == b.dtype() && a.sizes() == b.sizes() &&
         std::memcmp(a.contiguous().data_ptr(), b.contiguous().data_ptr(), a.nbytes()) == 0;
}

class TracedModelTest : public ::testing::Test {
 protected:
  /// Runs Model<EagerLayers> and the trace of Model<TracedLayers> with the same weights, in
  /// training and in evaluation mode.
  template <template <class> class Model, class... Args>
  void expect_equal(const at::Tensor& input, Args... args) {
    torch::manual_seed(1);
    auto eager = std::make_shared<Model<EagerLayers>>(args...);
    // The graph uses the weights of a copy, because both models write running statistics.
    auto copy = std::make_shared<Model<EagerLayers>>(args...);
    {
      const at::NoGradGuard no_grad;
      for (const auto& item : eager->named_parameters())
        copy->named_parameters()[item.key()].copy_(item.value());
    }
    const nn::ModuleHolder<Model<TracedLayers>> traced(args...);
    ASSERT_THAT(load_state(*traced, *copy), IsOk());
    for (const bool training : {true, false}) {
      SCOPED_TRACE(training ? "training" : "evaluation");
      eager->train(training);
      traced->train(training);
      RecordOptions options;
      options.targets = Targets::kAten;
      InliningTracer tracer(context_, options);
      FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Graph> graph, tracer.trace(traced, {"x"}));
      EXPECT_THAT(verify_status(*graph), IsOk());
      FX_ASSERT_OK_AND_ASSIGN(TorchEvaluator evaluator,
                              TorchEvaluator::create(*graph, torch_constants(tracer.root())));
      at::Tensor expected;
      {
        const at::NoGradGuard no_grad;
        torch::manual_seed(7);
        expected = eager->forward(input);
      }
      torch::manual_seed(7);
      FX_ASSERT_OK_AND_ASSIGN(const std::vector<c10::IValue> results, evaluator.run({input}));
      ASSERT_EQ(results.size(), 1u);
      EXPECT_TRUE(same_bits(results[0].toTensor(), expected));
      EXPECT_GT(expected.abs().sum().item<double>(), 0.0);
      for (const auto& item : eager->named_buffers())
        EXPECT_TRUE(same_bits(copy->named_buffers()[item.key()], item.value())) << item.key();
    }
  }

  Context context_;
};

// parity: D2d
TEST_F(TracedModelTest, ResidualBlock) {
  expect_equal<testing::ResidualBlock>(torch::randn({2, 4, 8, 8}), int64_t{4}, int64_t{6},
                                       int64_t{2});
}
TEST_F(TracedModelTest, ResNet18) { expect_equal<testing::ResNet18>(torch::randn({2, 3, 64, 64})); }
TEST_F(TracedModelTest, Attention) {
  expect_equal<testing::Attention>(torch::randn({2, 5, 16}), int64_t{16}, int64_t{4});
}
TEST_F(TracedModelTest, GptBlock) { expect_equal<testing::GptBlock>(torch::randn({2, 5, 16})); }
TEST_F(TracedModelTest, LstmCells) {
  expect_equal<testing::LstmCells>(torch::randint(20, {3, 5}, at::kLong));
}
TEST_F(TracedModelTest, UNet) { expect_equal<testing::UNet>(torch::randn({1, 3, 16, 16})); }

// parity: D2d
TEST_F(TracedModelTest, MismatchedStateIsRejected) {
  const torch::nn::Linear theirs(3, 2);
  nn::LinearImpl wider(4, 2), same(3, 2);
  EXPECT_THAT(load_state(wider, *theirs), testing::StatusIs(absl::StatusCode::kInvalidArgument,
                                                            ::testing::HasSubstr("'weight'")));
  const torch::nn::Linear biasless(torch::nn::LinearOptions(3, 2).bias(false));
  EXPECT_THAT(load_state(same, *biasless),
              testing::StatusIs(absl::StatusCode::kNotFound, ::testing::HasSubstr("'bias'")));
  EXPECT_THAT(load_state(same, *theirs), IsOk());
  EXPECT_EQ(same.find_tensor("weight").values<float>()[5], theirs->weight[1][2].item<float>());
}

/// Two layers with one weight, and a buffer that is a part of it.
struct TiedLayers : torch::nn::Module {
  explicit TiedLayers(bool is_tied) {
    first = register_parameter("first", torch::arange(6.0f).view({2, 3}));
    register_parameter("second", is_tied ? first : first.detach().clone());
    register_buffer("row", first.detach()[1]);
  }
  at::Tensor first;
};

TEST_F(TracedModelTest, LoadedTensorsShareMemoryAsInTheLibtorchModule) {
  Module module;
  const Attribute weight = Attribute::parameter(*Tensor::zeros(DType::kFloat32, {2, 3}));
  ASSERT_THAT(module.register_parameter("first", weight.tensor), IsOk());
  ASSERT_THAT(module.register_parameter("second", weight.tensor), IsOk());
  ASSERT_THAT(module.register_buffer("row", *Tensor::zeros(DType::kFloat32, {3})), IsOk());
  EXPECT_THAT(load_state(module, TiedLayers(false)),
              testing::StatusIs(absl::StatusCode::kInvalidArgument,
                                ::testing::HasSubstr("'first' and 'second' are one tensor")));
  EXPECT_TRUE(module.find_tensor("first").is_same(weight.tensor));
  EXPECT_THAT(load_state(module, TiedLayers(true)), IsOk());
  EXPECT_TRUE(module.find_tensor("first").is_same(module.find_tensor("second")));
  EXPECT_EQ(module.find_tensor("first").storage(), module.find_tensor("row").storage());
  EXPECT_EQ(module.find_tensor("row").offset(), 3);
  EXPECT_THAT(SharedAttributes(&module).paths(0), ::testing::ElementsAre("first", "second", "row"));
  const TorchConstants constants = torch_constants(module);
  EXPECT_TRUE(constants.at("first").toTensor().is_same(constants.at("second").toTensor()));
  constants.at("second").toTensor()[1].zero_();
  EXPECT_EQ(module.find_tensor("row").values<float>()[0], 0);
}

// libtorch's enumerators can be passed as arguments.
TEST_F(TracedModelTest, LibtorchConstantsAreArguments) {
  FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<GraphModule> traced,
                          symbolic_trace(context_, [](Proxy x) {
                            return x.to(at::kDouble).contiguous(at::MemoryFormat::ChannelsLast);
                          }));
  const Node* to = traced->graph().find_node("to");
  EXPECT_EQ(to->arg(1).as_dtype(), DType::kFloat64);
  EXPECT_EQ(traced->graph().find_node("contiguous")->num_kwargs() +
                traced->graph().find_node("contiguous")->num_args(),
            2u);
}

// The types of a graph traced without leaves are inferred without a run, and equal the types of
// the values in a libtorch run.
TEST_F(TracedModelTest, TracedGraphsAreTyped) {
  const nn::ModuleHolder<testing::ResNet18<TracedLayers>> traced;
  traced->eval();
  struct Inlining : ShapedTracer {
    using ShapedTracer::ShapedTracer;
    bool is_leaf_module(const Module&, std::string_view) const override { return false; }
  };
  Inlining tracer(context_, [](const Node& n) { return infer_type(n); });
  TraceInputs inputs{"x"};
  inputs.types = {{"x", *context_.types().parse("f32[2, 3, 64, 64]")}};
  FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Graph> graph, tracer.trace(traced, inputs));
  const Node* result = graph->output_node()->arg(0).node();
  EXPECT_EQ(to_string(result->type()), "f32[2, 10]");
  for (const Node& node : graph->nodes())
    EXPECT_TRUE(node.is_output() || node.type()) << node.name();
}

}  // namespace
}  // namespace fx
