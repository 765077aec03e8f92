// Every model of the zoo is trained, and its graphs are captured, verified, written, read, and
// replayed with bit-equal results. Models that are added to the zoo are tested automatically.
#include "fx/importers/torch/capture/capture.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/diff.h"
#include "fx/ir/verify/verifier.h"
#include "fx/passes/shape/check/compare_graph.h"
#include "fx/tools/torch/zoo/zoo.h"
#include "tests/torch/joint_testing.h"
#include "tests/torch/zoo_testing.h"

#include <ATen/Functions.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace fx {
namespace {

using testing::check_joint;
using testing::make;
using testing::make_fake_model;
using testing::seed_torch;
using testing::Settings;
using testing::test_settings;

/// Expects that the graph is valid, and that its text contains the complete graph.
void expect_valid(const Graph& graph) {
  EXPECT_EQ(verify(graph).str(), "");
  const std::string text = print(graph);
  Context other_context;
  FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Graph> parsed, parse_graph(other_context, text));
  const auto difference = first_difference(graph, *parsed);
  EXPECT_FALSE(difference.has_value()) << difference->message;
  EXPECT_EQ(print(*parsed), text);
}

/// Expects that type functions infer the types of the results in a real run. `sizes_from_data` is
/// the number of sizes that depend on data.
void expect_native_types(const Graph& graph, size_t sizes_from_data) {
  const GraphComparison comparison = compare_with_recorded(graph);
  EXPECT_TRUE(comparison.report.ok()) << comparison.report.str();
  EXPECT_GT(comparison.compared, 0u);
  EXPECT_EQ(comparison.report.unknown, 0u);
  EXPECT_EQ(comparison.sizes_from_data, sizes_from_data);
  for (const TypeDifference& d : comparison.different) {
    ADD_FAILURE() << d.node->name() << " = " << d.node->target() << ": libtorch returned "
                  << to_string(d.expected) << ", native " << to_string(d.got);
  }
}

// ---- all models

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const ModelEntry& entry : zoo_models()) names.push_back(entry.name);
  return names;
}

class ZooModel : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Zoo, ZooModel, ::testing::ValuesIn(model_names()),
                         [](const auto& test) { return test.param; });

class CapturedZooModel : public ::testing::TestWithParam<std::tuple<std::string, HookKind>> {
 protected:
  const std::string& name() const { return std::get<0>(GetParam()); }
  /// Only oneDNN determines the size of the workspace of mkldnn_rnn_layer: two layers with two
  /// directions each.
  size_t workspaces() const { return name() == "lstm_tagger" ? 4 : 0; }
  CaptureOptions options() const { return {.hook = std::get<1>(GetParam())}; }
};

INSTANTIATE_TEST_SUITE_P(Zoo, CapturedZooModel,
                         ::testing::Combine(::testing::ValuesIn(model_names()),
                                            ::testing::Values(HookKind::kFake, HookKind::kMode)),
                         [](const auto& test) {
                           const bool fake = std::get<1>(test.param) == HookKind::kFake;
                           return std::get<0>(test.param) + (fake ? "_fake" : "_mode");
                         });

TEST_P(CapturedZooModel, JointGraphReplaysAreBitEqual) {
  Context context;
  const ModelInstance model = make(name());
  const CapturedGraph joint =
      check_joint(context, model.state, model.inputs, model.loss, options());
  ASSERT_NE(joint.graph, nullptr);
  expect_valid(*joint.graph);
  expect_native_types(*joint.graph, workspaces());
  // All calls to autograd are recorded, and tensors other than parameters were listed or created by
  // the program.
  for (const CapturedOutput& output : joint.outputs) {
    if (output.kind == OutputKind::kGradient &&
        joint.inputs[output.index].kind == InputKind::kParameter) {
      EXPECT_TRUE(output.tensor.defined()) << joint.inputs[output.index].name;
    }
  }
  EXPECT_TRUE(joint.constants.empty());
}

TEST_P(CapturedZooModel, ForwardGraphReplaysAreBitEqual) {
  Context context;
  const ModelInstance model = make(name());
  const Tensors inputs = model.forward_inputs();
  const TensorSnapshot start(model.state, inputs);
  const auto results_and_mutations = [](const CapturedGraph& captured,
                                        const std::vector<at::Tensor>& results) {
    std::vector<at::Tensor> all;
    for (const CapturedOutput& output : captured.outputs) {
      const at::Tensor& tensor = output.kind == OutputKind::kResult
                                     ? results.at(output.index)
                                     : captured.inputs[output.index].tensor;
      all.push_back(tensor.detach().clone());
    }
    return all;
  };
  seed_torch(7);
  FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph forward,
                          capture(context, model.state, inputs, model.forward, options()));
  expect_valid(*forward.graph);
  expect_native_types(*forward.graph, workspaces());
  std::vector<at::Tensor> outputs;
  for (const CapturedOutput& output : forward.outputs) {
    outputs.push_back(output.tensor.detach().clone());
  }

  start.restore();
  const std::vector<at::Tensor> replay_inputs = clone_inputs(forward);
  seed_torch(7);
  const std::vector<at::Tensor> eager = results_and_mutations(forward, model.forward(inputs));
  testing::expect_equal_outputs(forward, "captured run", eager, outputs);

  FX_ASSERT_OK_AND_ASSIGN(TorchEvaluator evaluator,
                          TorchEvaluator::create(*forward.graph, forward.constants));
  seed_torch(7);
  FX_ASSERT_OK_AND_ASSIGN(const std::vector<c10::IValue> values,
                          evaluator.run({replay_inputs.begin(), replay_inputs.end()}));
  std::vector<at::Tensor> replayed;
  for (const c10::IValue& value : values) replayed.push_back(value.toTensor());
  testing::expect_equal_outputs(forward, "replay", eager, replayed);
}

TEST_P(CapturedZooModel, FakeTensorsResultInTheSameGraphs) {
  Context context;
  const ModelInstance real = make(name());
  const ModelInstance fake = make_fake_model(context, name(), test_settings(name()));
  CaptureOptions without_memory = options();
  without_memory.execution = Execution::kFake;
  const auto expect_same = [&](const CapturedGraph& a, const CapturedGraph& b) {
    // Only oneDNN determines the size of the workspace of mkldnn_rnn_layer: the call of each layer
    // and its getitem have a symbol for it.
    const size_t symbolic = testing::copy_symbolic_types(*a.graph, *b.graph);
    EXPECT_EQ(symbolic > 0, name() == "lstm_tagger");
    const auto difference = first_difference(*a.graph, *b.graph);
    EXPECT_FALSE(difference.has_value()) << difference->message;
    EXPECT_EQ(print(*a.graph), print(*b.graph));
  };
  {
    FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph a,
                            capture_joint(context, real.state, real.inputs, real.loss, options()));
    FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph b, capture_joint(context, fake.state, fake.inputs,
                                                                 fake.loss, without_memory));
    expect_same(a, b);
  }
  FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph a, capture(context, real.state, real.forward_inputs(),
                                                         real.forward, options()));
  FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph b, capture(context, fake.state, fake.forward_inputs(),
                                                         fake.forward, without_memory));
  expect_same(a, b);
}

// The scopes that the models open must match the paths of their parameters.
TEST_P(ZooModel, OperatorsBelongToExistingModules) {
  Context context;
  Settings settings = test_settings(GetParam());
  if (GetParam() == "gpt")
    settings.emplace_back("tied", 0);  // otherwise, the output layer has no parameter
  const ModelInstance model = make(GetParam(), settings);
  std::set<std::string, std::less<>> paths;  // all modules with tensors, including in submodules
  for (const auto* tensors : {&model.state.parameters, &model.state.buffers}) {
    for (const NamedTensor& t : *tensors) {
      for (size_t dot = t.name.find('.'); dot != std::string::npos;
           dot = t.name.find('.', dot + 1)) {
        paths.insert(t.name.substr(0, dot));
      }
    }
  }
  FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph joint,
                          capture_joint(context, model.state, model.inputs, model.loss));
  int known = 0, calls = 0;
  for (const Node& node : joint.graph->nodes()) {
    if (node.op() != Opcode::kCallFunction) continue;
    ++calls;
    const std::string path(node.meta().get(meta::kModule).value_or(""));
    if (path.empty()) continue;
    ++known;
    // The module itself, or (for a ReLU in a Sequential) its parent.
    const std::string parent = path.substr(0, std::min(path.rfind('.'), path.size()));
    EXPECT_TRUE(paths.contains(path) || paths.contains(parent)) << node.name() << ": " << path;
  }
  EXPECT_GT(known, calls / 2);
}

TEST_P(ZooModel, GradientStepsLowerTheLoss) {
  Settings settings = test_settings(GetParam());
  settings.emplace_back("batch", 8);  // with a batch of two, batch norms keep only signs
  const ModelInstance model = make(GetParam(), settings);
  std::vector<double> losses;
  for (int step = 0; step < 4; ++step) {
    seed_torch(7);
    const at::Tensor loss = model.loss(model.inputs)[0];
    losses.push_back(loss.item<double>());
    loss.backward();
    const at::NoGradGuard no_grad;
    double squares = 0;
    for (const NamedTensor& p : model.state.parameters) {
      squares += p.tensor.grad().square().sum().item<double>();
    }
    for (const NamedTensor& p : model.state.parameters) {
      p.tensor.sub_(p.tensor.grad(), 0.01 / std::sqrt(squares));
      p.tensor.mutable_grad() = at::Tensor();
    }
  }
  EXPECT_TRUE(std::isfinite(losses.front()));
  EXPECT_LT(losses.back(), losses.front());
}

}  // namespace
}  // namespace fx
