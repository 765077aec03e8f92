// Compares functionalize with libtorch: after functionalize, random and captured graphs have no
// writes, and their results are bit-equal.
#include "fx/passes/functionalize/functionalize.h"

#include "fx/importers/torch/capture/step.h"
#include "fx/interp/torch/interpret/check_equivalent.h"
#include "fx/ir/calls/call.h"
#include "fx/ir/text/text.h"
#include "fx/ir/types/strides.h"
#include "fx/ir/verify/verifier.h"
#include "fx/passes/shape/shape_prop.h"
#include "tests/torch/functionalize_programs.h"
#include "tests/torch/joint_testing.h"
#include "tests/torch/zoo_testing.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {
namespace {

using testing::make;
using testing::seed_torch;

/// Returns the number of calls that write to their arguments.
size_t count_writes(const Graph& graph) {
  size_t writes = 0;
  for (const Node& node : graph.nodes())
    writes += effects(node).has(ops::Effect::kWritesArguments) ? 1 : 0;
  return writes;
}

std::vector<c10::IValue> clones(const std::vector<c10::IValue>& values) {
  std::vector<c10::IValue> copies;
  for (const c10::IValue& value : values)
    copies.push_back(value.isTensor() ? c10::IValue(value.toTensor().clone()) : value);
  return copies;
}

absl::StatusOr<std::vector<c10::IValue>> replay(const Graph& graph, std::vector<c10::IValue> inputs,
                                                const TorchConstants& constants = {}) {
  absl::StatusOr<TorchEvaluator> evaluator = TorchEvaluator::create(graph, constants);
  if (!evaluator.ok()) return evaluator.status();
  seed_torch(11);
  return evaluator->run(std::move(inputs));
}

void expect_same_bits(const std::vector<c10::IValue>& expected, const std::vector<c10::IValue>& got,
                      const std::string& what) {
  ASSERT_EQ(expected.size(), got.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(expected[i].isTensor(), got[i].isTensor()) << what << i;
    if (!expected[i].isTensor()) continue;
    const at::Tensor a = expected[i].toTensor(), b = got[i].toTensor();
    const TensorDifference difference = compare_tensors(a, b);
    EXPECT_TRUE(difference.bit_equal) << what << i << ": " << to_string(difference);
  }
}

/// Expects that both graphs return the same results and leave the same contents in their inputs.
void expect_same_replay(const Graph& raw, const Graph& pure,
                        const std::vector<c10::IValue>& inputs) {
  const std::vector<c10::IValue> raw_inputs = clones(inputs), pure_inputs = clones(inputs);
  FX_ASSERT_OK_AND_ASSIGN(const auto expected, replay(raw, raw_inputs));
  FX_ASSERT_OK_AND_ASSIGN(const auto got, replay(pure, pure_inputs));
  expect_same_bits(expected, got, "result ");
  expect_same_bits(raw_inputs, pure_inputs, "input ");
  for (size_t i = 0; i < expected.size(); ++i) {
    // Kernels may use different algorithms for different strides.
    const at::Tensor a = expected[i].toTensor(), b = got[i].toTensor();
    for (int64_t d = 0; d < a.dim() && a.numel() > 0; ++d) {
      EXPECT_TRUE(a.size(d) == 1 || a.stride(d) == b.stride(d)) << "result " << i;
    }
  }
}

// ---- random programs

// libtorch's gradient of a list operator is wrong if an item reads what an earlier item wrote.
TEST(FunctionalizeTorchTest, ListWritesHaveTheGradientsOfSeparateCalls) {
  Context context;
  FX_ASSERT_OK_AND_ASSIGN(const auto list, parse_graph(context, R"(graph(%a : f64[3], %b : f64[3]) {
    %x : f64[3] = aten.mul.Tensor(%a, 2)
    %y : f64[3] = aten.mul.Tensor(%b, 3)
    %w = aten._foreach_add_.List([%x, %y], [%y, %x])
    return (%x, %y)
  })"));
  FX_ASSERT_OK_AND_ASSIGN(const auto calls,
                          parse_graph(context, R"(graph(%a : f64[3], %b : f64[3]) {
    %x : f64[3] = aten.mul.Tensor(%a, 2)
    %y : f64[3] = aten.mul.Tensor(%b, 3)
    %w : f64[3] = aten.add_.Tensor(%x, %y)
    %v : f64[3] = aten.add_.Tensor(%y, %x)
    return (%x, %y)
  })"));
  const std::vector<c10::IValue> inputs = {at::randn({3}, at::kDouble),
                                           at::randn({3}, at::kDouble)};
  EquivalenceOptions options;
  options.gradients = true;
  const auto are_equal = [&] {
    const absl::StatusOr<EquivalenceReport> report =
        check_equivalent(*calls, *list, inputs, options);
    return report.ok() && report->equivalent();
  };
  EXPECT_FALSE(are_equal());
  FX_ASSERT_OK_AND_ASSIGN(const bool changed, functionalize(*list));
  EXPECT_TRUE(changed);
  EXPECT_TRUE(are_equal());
}

TEST(FunctionalizeTorchTest, RandomProgramsAreBitEqual) {
  Context context;
  seed_torch(3);
  size_t written = 0, changed = 0;
  for (uint64_t seed = 0; seed < 3000 && !::testing::Test::HasFailure(); ++seed) {
    const testing::FunctionalizeProgram program =
        testing::functionalize_program(context, seed, {.basic = true});
    const std::unique_ptr<Graph>& raw = program.graph;
    const std::unique_ptr<Graph> pure = raw->clone();
    const absl::StatusOr<bool> done = functionalize(*pure);
    ASSERT_TRUE(done.ok()) << done.status() << "\nseed " << seed << "\n" << print(*raw);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + print(*raw) + print(*pure));
    EXPECT_EQ(verify(*pure, {.warnings = false}).str(), "");
    expect_same_replay(*raw, *pure, program.inputs);
    for (const Node& node : pure->nodes()) {
      if (!effects(node).has(ops::Effect::kWritesArguments)) continue;
      EXPECT_EQ(node.target(), "aten.copy_.default");
      EXPECT_TRUE(node.arg(0).as_node()->is_placeholder());
    }
    written += count_writes(*raw);
    changed += *done ? 1 : 0;
  }
  EXPECT_GT(changed, 2500u);
  EXPECT_GT(written, 8000u);
}

// ---- captured programs

/// Expects that the functionalized graph has no writes, and that its replay with the values of the
/// placeholders has bit-equal results and does not change its inputs.
void check_captured(const CapturedGraph& captured, const std::vector<c10::IValue>& inputs,
                    bool expect_writes) {
  const Graph& raw = *captured.graph;
  EXPECT_EQ(count_writes(raw) != 0, expect_writes);
  const std::unique_ptr<Graph> pure = raw.clone();
  FX_ASSERT_OK_AND_ASSIGN(const bool changed, functionalize(*pure));
  EXPECT_EQ(changed, expect_writes);
  EXPECT_EQ(count_writes(*pure), 0u);
  EXPECT_EQ(verify(*pure).str(), "");
  const std::vector<c10::IValue> raw_inputs = clones(inputs), pure_inputs = clones(inputs);
  FX_ASSERT_OK_AND_ASSIGN(const auto expected, replay(raw, raw_inputs, captured.constants));
  FX_ASSERT_OK_AND_ASSIGN(const auto got, replay(*pure, pure_inputs, captured.constants));
  expect_same_bits(expected, got, "output ");
  expect_same_bits(inputs, pure_inputs, "input ");
  // The types of the results match the tensors.
  const ArgumentRef results = pure->output_node()->arg(0);
  for (size_t i = 0; i < results.size(); ++i) {
    if (!results[i].is_node()) continue;
    const Type type = results[i].as_node()->type();
    EXPECT_EQ(type, type_of(pure->context().types(), got[i].toTensor(), type.requires_grad()))
        << results[i].as_node()->name();
  }
}

std::vector<c10::IValue> values_of(const CapturedGraph& captured,
                                   const std::vector<at::Tensor>& tensors) {
  std::vector<c10::IValue> values;
  for (size_t i = 0; i < tensors.size(); ++i) {
    values.push_back(captured.inputs[i].numbers.empty() ? c10::IValue(tensors[i])
                                                        : captured.inputs[i].numbers[0]);
  }
  return values;
}

class FunctionalizedZooModel : public ::testing::TestWithParam<std::string> {};

std::vector<std::string> functionalized_models() {
  std::vector<std::string> names;
  for (const ModelEntry& entry : zoo_models()) names.push_back(entry.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Zoo, FunctionalizedZooModel, ::testing::ValuesIn(functionalized_models()),
                         [](const auto& test) { return test.param; });

TEST_P(FunctionalizedZooModel, JointGraphIsPureAndBitEqual) {
  Context context;
  const ModelInstance model = make(GetParam());
  const TensorSnapshot start(model.state, model.inputs);
  seed_torch(11);
  FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph joint,
                          capture_joint(context, model.state, model.inputs, model.loss));
  start.restore();
  check_captured(joint, values_of(joint, clone_inputs(joint)), count_writes(*joint.graph) != 0);
}

TEST_P(FunctionalizedZooModel, TrainingStepIsPureAndBitEqual) {
  for (const std::string_view kind : {"sgd", "adamw"}) {
    SCOPED_TRACE(kind);
    Context context;
    const ModelInstance model = make(GetParam());
    const std::shared_ptr<torch::optim::Optimizer> optimizer = make_optimizer(kind, model.state);
    const Program step = make_step(optimizer, model.loss);
    ASSERT_FALSE(step(model.inputs).empty());  // the optimizer creates its state
    ModuleState state = model.state;
    state.optimizer = optimizer_state(*optimizer, model.state);
    const TensorSnapshot start(state, model.inputs);
    FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph graph,
                            capture_step(context, state, model.inputs, step, {}));
    start.restore();
    check_captured(graph, values_of(graph, clone_inputs(graph)), /*expect_writes=*/true);
  }
}

}  // namespace
}  // namespace fx
