// Captures every TorchScript file of the corpus, forward and with its backward pass, with both
// hooks and with fake tensors. Replays must be bit-equal to eager mode, and all captures must have
// the same types.
#include "fx/importers/torch/script/script.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/json/json.h"
#include "fx/ir/support/files.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"
#include "tests/testing/corpus.h"
#include "tests/torch/joint_testing.h"

#include <ATen/Functions.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace fx {
namespace {

using testing::check_joint;
using ::testing::Contains;
using testing::IsOk;

std::vector<std::string> models() {
  std::vector<std::string> names;
  if (!std::filesystem::is_directory(testing::corpus_dir())) return names;
  for (const auto& entry : std::filesystem::directory_iterator(testing::corpus_dir())) {
    if (std::filesystem::exists(entry.path() / "trace.pt")) {
      names.push_back(entry.path().filename().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// Returns a tensor of this type: random numbers, or small integers that are valid indices into all
/// tables.
at::Tensor example(Type type) {
  std::vector<int64_t> sizes;
  for (const Dim& size : type.sizes()) sizes.push_back(size.is_int() ? size.value() : 16);
  const at::ScalarType dtype = to_torch(type.dtype());
  if (at::isFloatingType(dtype) || at::isComplexType(dtype)) return at::randn(sizes, dtype);
  if (dtype == at::kBool) return at::ones(sizes, dtype);
  return at::randint(2, sizes, dtype);
}

class ScriptCorpus : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const std::filesystem::path folder = testing::corpus_dir() / GetParam();
    FX_ASSERT_OK_AND_ASSIGN(ScriptModule module,
                            ScriptModule::load((folder / "trace.pt").string()));
    module_.emplace(std::move(module));
    state_ = module_->state();
    FX_ASSERT_OK_AND_ASSIGN(const std::string text, read_file((folder / "forward.json").string()));
    FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Graph> graph, read_json(context_, text));
    testing::seed_torch(1);
    for (const Node& node : graph->nodes()) {
      if (!node.is_placeholder()) continue;
      const std::optional<Argument> input = node.meta().get(meta::kInput);
      if (!input || (*input)[0] != Argument("user_input") || !node.type().is_tensor()) continue;
      inputs_.push_back(example(node.type()));
    }
    ASSERT_GE(inputs_.size(), module_->num_inputs());
    inputs_.resize(module_->num_inputs());
  }
  /// Captures and replays the program, and compares the results bit by bit with eager mode.
  CapturedGraph check_replay(const CaptureOptions& options) {
    absl::StatusOr<CapturedGraph> joint = capture_joint(context_, state_, inputs_, loss(), options);
    EXPECT_THAT(joint, IsOk());
    if (!joint.ok()) return {};
    absl::StatusOr<TorchEvaluator> evaluator =
        TorchEvaluator::create(*joint->graph, joint->constants);
    EXPECT_THAT(evaluator, IsOk());
    if (!evaluator.ok()) return {};
    const std::vector<at::Tensor> inputs = clone_inputs(*joint);
    const auto values = evaluator->run({inputs.begin(), inputs.end()});
    EXPECT_THAT(values, IsOk());
    if (!values.ok()) return {};
    for (size_t i = 0; i < values->size(); ++i) {
      const at::Tensor got = (*values)[i].isTensor() ? (*values)[i].toTensor() : at::Tensor();
      EXPECT_TRUE(compare_tensors(got, joint->outputs[i].tensor).bit_equal) << i;
    }
    return *std::move(joint);
  }
  /// Returns a program whose result is the sum of all floating-point results and of the absolute
  /// values of all complex results.
  Program loss() const {
    return [program = module_->program()](Tensors in) -> std::vector<at::Tensor> {
      at::Tensor sum = at::zeros({});
      for (const at::Tensor& result : program(in)) {
        if (result.is_complex()) {
          sum = at::add(sum, at::abs(result).sum());
        } else if (result.is_floating_point()) {
          sum = at::add(sum, result.to(at::kFloat).sum());
        }
      }
      return {sum};
    };
  }

  Context context_;
  std::optional<ScriptModule> module_;
  ModuleState state_;
  std::vector<at::Tensor> inputs_;
};

INSTANTIATE_TEST_SUITE_P(Models, ScriptCorpus, ::testing::ValuesIn(models()),
                         [](const auto& test) { return test.param; });

// parity: S7
TEST_P(ScriptCorpus, JointReplaysAreBitEqual) {
  for (const HookKind hook : {HookKind::kFake, HookKind::kMode}) {
    SCOPED_TRACE(hook == HookKind::kFake ? "fake hook" : "mode hook");
    // Under a dispatch mode, libtorch differentiates prod() with a formula that does not depend on
    // data (FunctionsManual.cpp, prod_backward). Eager mode's gradients then differ in the last
    // bit.
    const bool as_eager = GetParam() != "spectral" || hook == HookKind::kFake;
    const CapturedGraph joint = as_eager
                                    ? check_joint(context_, state_, inputs_, loss(), {.hook = hook})
                                    : check_replay({.hook = hook});
    ASSERT_NE(joint.graph, nullptr);
    const VerifierReport report = verify(*joint.graph);
    EXPECT_TRUE(report.ok()) << report.str();
    const std::string text = print(*joint.graph);
    FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Graph> again, parse_graph(context_, text));
    EXPECT_EQ(print(*again), text);
  }
}

TEST_P(ScriptCorpus, ForwardReplaysAreBitEqual) {
  const TensorSnapshot start(state_, inputs_);
  FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph forward,
                          capture(context_, state_, inputs_, module_->program()));
  std::vector<at::Tensor> expected;
  for (const CapturedOutput& output : forward.outputs) {
    expected.push_back(output.tensor.detach().clone());
  }
  start.restore();
  FX_ASSERT_OK_AND_ASSIGN(TorchEvaluator evaluator,
                          TorchEvaluator::create(*forward.graph, forward.constants));
  const std::vector<at::Tensor> inputs = clone_inputs(forward);
  FX_ASSERT_OK_AND_ASSIGN(const auto values, evaluator.run({inputs.begin(), inputs.end()}));
  ASSERT_EQ(values.size(), expected.size());
  for (size_t i = 0; i < values.size(); ++i) {
    EXPECT_TRUE(compare_tensors(values[i].toTensor(), expected[i]).bit_equal) << i;
  }
}

TEST_P(ScriptCorpus, FakeTensorsResultInTheSameTypes) {
  FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph real,
                          capture_joint(context_, state_, inputs_, loss()));
  const absl::StatusOr<CapturedGraph> types =
      capture_joint(context_, state_, inputs_, loss(), {.execution = Execution::kFake});
  if (GetParam() == "index_ops" || GetParam() == "spectral") {  // masks; the gradient of prod()
    EXPECT_THAT(types, testing::StatusIs(absl::StatusCode::kInvalidArgument,
                                         ::testing::HasSubstr("depends on data")));
    return;
  }
  ASSERT_THAT(types, IsOk());
  const size_t symbolic = testing::copy_symbolic_types(*real.graph, *types->graph);
  EXPECT_EQ(symbolic > 0, GetParam() == "rnn_tagger");  // the workspace of mkldnn_rnn_layer
  EXPECT_EQ(print(*types->graph), print(*real.graph));
}

TEST(Script, NodesHaveTheirModules) {
  const std::filesystem::path path = testing::corpus_dir() / "resnet18_narrow" / "trace.pt";
  FX_ASSERT_OK_AND_ASSIGN(const ScriptModule module, ScriptModule::load(path.string()));
  Context context;
  FX_ASSERT_OK_AND_ASSIGN(
      const CapturedGraph forward,
      capture(context, module.state(), {{at::randn({2, 3, 32, 32})}}, module.program()));
  std::set<std::string> paths;
  for (const Node& node : forward.graph->nodes()) {
    if (const auto module_path = node.meta().get(meta::kModule)) {
      paths.insert(std::string(*module_path));
    }
  }
  EXPECT_THAT(paths, Contains("layers.0.conv1"));
  EXPECT_THAT(paths, Contains("layers.2.down.1"));
}

TEST(Script, ErrorsNameTheFile) {
  EXPECT_THAT(
      ScriptModule::load("/no/such/file.pt"),
      testing::StatusIs(absl::StatusCode::kNotFound,
                        ::testing::HasSubstr("/no/such/file.pt: cannot open: No such file")));
}

}  // namespace
}  // namespace fx
