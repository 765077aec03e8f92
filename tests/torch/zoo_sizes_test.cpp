// Graphs of all zoo models with symbolic sizes, each captured once and replayed at other sizes.
// Results and gradients must be bit-equal to eager mode, and the symbolic types must match the
// types of a capture at these sizes.
#include "tests/torch/zoo_sizes.h"

#include "fx/importers/torch/capture/capture.h"
#include "fx/importers/torch/capture/eager.h"
#include "fx/importers/torch/capture/step.h"
#include "fx/interp/torch/compare.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"
#include "fx/tools/torch/zoo/zoo.h"
#include "tests/torch/dynamic_testing.h"
#include "tests/torch/joint_testing.h"
#include "tests/torch/zoo_testing.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace fx::zoo_sizes_test {
namespace {

using ::testing::HasSubstr;
using testing::IsOk;
using testing::seed_torch;
using testing::StatusIs;

using testing::SizeCase;
using testing::Sizes;

class ZooSizes : public ::testing::TestWithParam<SizeCase> {
 protected:
  Context context_;
};

INSTANTIATE_TEST_SUITE_P(Models, ZooSizes, ::testing::ValuesIn(testing::size_cases()),
                         [](const auto& test) { return test.param.name; });

TEST_P(ZooSizes, ReplaysAtOtherSizesEqualEagerMode) {
  const SizeCase& c = GetParam();
  ModelInstance model = testing::make(c.model, c.settings);
  const TensorSnapshot start(model.state, model.inputs);
  FX_ASSERT_OK_AND_ASSIGN(
      const CapturedGraph graph,
      capture_joint(context_, model.state, model.inputs, model.loss, {.dynamic = c.dynamic}));
  start.restore();
  EXPECT_EQ(verify(*graph.graph).str(), "");
  const CaptureOptions options{.dynamic = c.dynamic};
  for (const Sizes& sizes : c.replays) {
    testing::check_replay(context_, {model.state, model.loss, options, graph}, model.inputs, sizes);
  }
}

TEST_P(ZooSizes, FakeTensorsResultInTheSameGraph) {
  const SizeCase& c = GetParam();
  ModelInstance model = testing::make(c.model, c.settings);
  const TensorSnapshot start(model.state, model.inputs);
  const auto text = [&](Execution execution) -> std::string {
    absl::StatusOr<CapturedGraph> graph =
        capture_joint(context_, model.state, model.inputs, model.loss,
                      {.execution = execution, .dynamic = c.dynamic});
    start.restore();
    EXPECT_THAT(graph, IsOk());
    return graph.ok() ? print(*graph->graph, {.meta = false}) : "";
  };
  EXPECT_EQ(text(Execution::kReal), text(Execution::kFake));
}

// ---- the interface

class DynamicCapture : public ::testing::Test {
 protected:
  using Forward = std::function<at::Tensor(Tensors)>;
  absl::StatusOr<CapturedGraph> run(const Forward& forward, std::vector<at::Tensor> inputs,
                                    DynamicSizes dynamic) {
    return capture(context_, ModuleState{}, inputs, make_program(forward),
                   {.dynamic = std::move(dynamic)});
  }
  /// Expects that the graph and the program return equal results for different inputs.
  void expect_equal(const CapturedGraph& graph, const Forward& forward,
                    const std::vector<at::Tensor>& inputs) {
    FX_ASSERT_OK_AND_ASSIGN(TorchEvaluator evaluator,
                            TorchEvaluator::create(*graph.graph, graph.constants));
    FX_ASSERT_OK_AND_ASSIGN(const std::vector<c10::IValue> values,
                            evaluator.run({inputs.begin(), inputs.end()}));
    EXPECT_TRUE(compare_tensors(values[0].toTensor(), forward(inputs)).bit_equal)
        << print(*graph.graph);
  }

  Context context_;
};

TEST_F(DynamicCapture, NumbersBecomeExpressions) {
  const Forward forward = [](Tensors in) {
    const at::Tensor& x = in[0];
    const int64_t n = x.size(0), m = x.size(1);
    at::Tensor y = x.reshape({n * m}).narrow(0, n / 2, m) / static_cast<double>(n);
    y = y * std::sqrt(static_cast<double>(m)) + at::arange(m) * (2 * n + 3);
    return at::cat({y, at::full({std::min<int64_t>(n, 4)}, 1.0 / std::sqrt(double(n * m)))});
  };
  FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph graph,
                          run(forward, {at::randn({9, 7})},
                              {.inputs = {"f32[n, m]"}, .ranges = {{"n", 2, 50}, {"m", 2, 40}}}));
  for (const auto& [n, m] : {std::pair{2, 3}, {3, 2}, {4, 17}, {31, 8}, {50, 40}})
    expect_equal(graph, forward, {at::randn({n, m})});
}

TEST_F(DynamicCapture, RecordsRangesAndGuards) {
  const at::Tensor table = at::randn({16, 4});
  const Forward forward = [&](Tensors in) { return in[0] + table.narrow(0, 0, in[0].size(0)); };
  FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph graph,
                          run(forward, {at::randn({12, 4})}, {.inputs = {"f32[seq, 4]"}}));
  expect_equal(graph, forward, {at::randn({16, 4})});
  FX_ASSERT_OK_AND_ASSIGN(TorchEvaluator evaluator,
                          TorchEvaluator::create(*graph.graph, graph.constants));
  EXPECT_THAT(evaluator.run({c10::IValue(at::randn({17, 4}))}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("seq")));

  FX_ASSERT_OK_AND_ASSIGN(
      const CapturedGraph narrow,
      run(forward, {at::randn({12, 4})}, {.inputs = {"f32[seq, 4]"}, .ranges = {{"seq", 8, 16}}}));
  FX_ASSERT_OK_AND_ASSIGN(TorchEvaluator checked,
                          TorchEvaluator::create(*narrow.graph, narrow.constants));
  EXPECT_THAT(checked.run({c10::IValue(at::randn({7, 4}))}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("seq")));
}

TEST_F(DynamicCapture, SizeDependentStructureIsReportedWithItsLocation) {
  const Forward loop = [](Tensors in) {
    at::Tensor h = at::zeros({4});
    for (int64_t t = 0; t < in[0].size(0); ++t) h = at::tanh(h + in[0].select(0, t));
    return h;
  };
  EXPECT_THAT(run(loop, {at::randn({8, 4})}, {.inputs = {"f32[seq, 4]"}}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("a loop has 8 iterations with seq=8, and 4 with seq=4; an "
                                 "iteration has 3 calls, from node select_3 (aten.select.int)")));
  const Forward parts = [](Tensors in) { return at::stack(in[0].unbind(0)).sum(); };
  EXPECT_THAT(
      run(parts, {at::randn({8, 4})}, {.inputs = {"f32[seq, 4]"}}),
      StatusIs(absl::StatusCode::kInvalidArgument,
               ::testing::AllOf(HasSubstr("node unbind (aten.unbind.int"), HasSubstr("seq=8"))));
}

TEST_F(DynamicCapture, SizeDependentDataIsAnError) {
  const Forward forward = [](Tensors in) {
    return in[0] * at::tensor(std::vector<float>{static_cast<float>(in[0].size(0))});
  };
  EXPECT_THAT(run(forward, {at::randn({8})}, {.inputs = {"f32[n]"}}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("without an operator")));
}

TEST_F(DynamicCapture, FakeLengthsAreRejected) {
  const at::Tensor scores = at::randn({6, 2, 5}), targets = at::ones({2, 3}, at::kLong);
  const Forward forward = [](Tensors in) { return at::ctc_loss(in[0], in[1], in[2], in[3]); };
  const at::Tensor lengths = at::full({2}, 6, at::kLong), of_targets = at::full({2}, 3, at::kLong);
  EXPECT_THAT(
      run(forward, {scores, targets, lengths, of_targets},
          {.inputs = {"f32[6, n, 5]", "i64[n, 3]", "i64[n]", "i64[n]"}}),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("ctc_loss has an input of length 0")));
}

TEST_F(DynamicCapture, WrongTypesAreErrors) {
  const Forward forward = [](Tensors in) { return in[0] * 2; };
  const at::Tensor x = at::randn({8, 4});
  const auto error = [&](DynamicSizes dynamic) {
    const absl::StatusOr<CapturedGraph> graph = run(forward, {x}, std::move(dynamic));
    return std::string(graph.status().message());
  };
  EXPECT_THAT(error({.inputs = {"i64[n, 4]"}}),
              HasSubstr("dtype and rank of the input, f32[8, 4]"));
  EXPECT_THAT(error({.inputs = {"f32[n, 5]"}}), HasSubstr("dimension 1 of the input is 4, not 5"));
  EXPECT_THAT(error({.inputs = {"f32[3*n, 4]"}}), HasSubstr("3*n"));
  EXPECT_THAT(error({.inputs = {"f32[n*m, 4]"}}), HasSubstr("no size of an input determines"));
  EXPECT_THAT(error({.inputs = {"", "f32[n]"}}), HasSubstr("2 types were specified"));
  EXPECT_THAT(error({.inputs = {"f32[n, 4]"}, .ranges = {{"m", 2, 4}}}),
              HasSubstr("a range was specified for the symbol m, which is not in the type"));
  EXPECT_THAT(error({.inputs = {"f32[n, 4]"}, .ranges = {{"n", 2, 4}}}), HasSubstr("n"));
}

TEST_F(DynamicCapture, StepsHaveSymbolicSizes) {
  const ModelInstance model = testing::make("mlp");
  const auto optimizer = make_optimizer("adamw", model.state);
  FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph step,
                          capture_step(context_, model.state, optimizer, model.inputs, model.loss,
                                       {.dynamic = {.inputs = {"f32[batch, 16]", "i64[batch]"}}}));
  EXPECT_EQ(verify(*step.graph).str(), "");
  // A second model and optimizer perform the same step in eager mode with a different batch.
  const ModelInstance twin = testing::make("mlp");
  const auto twin_optimizer = make_optimizer("adamw", twin.state);
  const Program train = make_step(twin_optimizer, twin.loss);
  train(twin.inputs);
  std::vector<c10::IValue> values;
  const std::vector<NamedTensor> states = optimizer_state(*twin_optimizer, twin.state);
  const std::vector<at::Tensor> batch{model.inputs[0].index_select(0, at::arange(5)),
                                      model.inputs[1].index_select(0, at::arange(5))};
  size_t parameter = 0, state = 0;
  std::vector<at::Tensor> updated;
  for (const CapturedInput& input : step.inputs) {
    switch (input.kind) {
      case InputKind::kParameter:
        updated.push_back(twin.state.parameters[parameter++].tensor.detach().clone());
        values.emplace_back(updated.back());
        break;
      case InputKind::kOptimizer:
        values.emplace_back(states[state++].tensor.detach().clone());
        break;
      case InputKind::kNumber:
        values.push_back(input.numbers[0]);
        break;
      default:
        values.emplace_back(batch[input.index]);
    }
  }
  const at::Tensor loss = train(batch)[0];
  FX_ASSERT_OK_AND_ASSIGN(TorchEvaluator evaluator, TorchEvaluator::create(*step.graph));
  FX_ASSERT_OK_AND_ASSIGN(const std::vector<c10::IValue> results, evaluator.run(values));
  EXPECT_TRUE(compare_tensors(results.back().toTensor(), loss).bit_equal);
  for (size_t i = 0; i < updated.size(); ++i) {
    EXPECT_TRUE(compare_tensors(updated[i], twin.state.parameters[i].tensor.detach()).bit_equal)
        << twin.state.parameters[i].name;
  }
}

}  // namespace
}  // namespace fx::zoo_sizes_test
