#include "fx/passes/inference/fold_constants.h"

#include "fx/interp/interpreter.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"
#include "fx/passes/inference/fuse_conv_bn.h"
#include "fx/passes/manager/pass_manager.h"
#include "tests/testing/status_matchers.h"

#include "fmt/format.h"
#include "gtest/gtest.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fx::fold_constants_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::StatusIs;

/// Interprets graphs that add and multiply vectors of floats; numbers are broadcast.
class Vectors : public Interpreter<std::vector<float>> {
 public:
  using Interpreter::Interpreter;
  absl::StatusOr<std::vector<float>> call_function(Call& call) override {
    const bool add = call.function.name() == "aten.add.Tensor";
    if (!add && call.function.name() != "aten.mul.Tensor") return Interpreter::call_function(call);
    std::vector<float> result = call.args[0];
    const std::vector<float>& y = call.args[1];
    for (size_t i = 0; i < result.size(); ++i) {
      const float by = y[y.size() == 1 ? 0 : i];
      result[i] = add ? result[i] + by : result[i] * by;
    }
    return result;
  }
  absl::StatusOr<std::vector<float>> attribute(std::string_view, const Attribute& a) override {
    const auto values = a.tensor.values<float>();
    return std::vector<float>(values.begin(), values.end());
  }
  absl::StatusOr<std::vector<float>> constant(const Argument& value) override {
    return std::vector<float>{static_cast<float>(value.as_int())};
  }
  absl::StatusOr<std::vector<float>> aggregate(const Argument&,
                                               std::vector<std::vector<float>>) override {
    return std::vector<float>();
  }
};

absl::StatusOr<std::vector<Tensor>> evaluate(const Graph& graph, const Module& root) {
  Vectors run(graph, &root);
  run.set_garbage_collect_values(false);
  FX_RETURN_IF_ERROR(run.run({}).status());
  std::vector<Tensor> tensors;
  const ArgumentRef results = graph.output_node()->arg(0);
  for (size_t i = 0; i < results.size(); ++i) {
    const std::vector<float>* value = run.value(*results[i].node());
    if (value == nullptr) return absl::InternalError("a value was freed");
    FX_ASSIGN_OR_RETURN(Tensor tensor,
                        Tensor::of<float>({static_cast<int64_t>(value->size())}, *value));
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

class FoldConstantsTest : public ::testing::Test {
 protected:
  void parse(const std::string& text) {
    graph_ = *parse_graph(context_, text);
    for (const auto& [name, value] : {std::pair("w", 2.0F), {"v", 3.0F}})
      ASSERT_THAT(root_.register_parameter(name, *Tensor::of<float>({2}, {value, 10 * value})),
                  IsOk());
  }
  Context context_;
  Module root_;
  std::unique_ptr<Graph> graph_;
};

// parity: E5
TEST_F(FoldConstantsTest, CallsOnConstantsAreFolded) {
  parse(R"(graph(%x : f32[2]) {
    %w = get_attr w
    %v = get_attr v
    %a : f32[2] = aten.add.Tensor(%w, %v) !{seq=4}
    %b : f32[2] = aten.mul.Tensor(%a, 2)
    %c : f32[2] = aten.mul.Tensor(%x, %b)
    %d : f32[2] = aten.add.Tensor(%c, %a)
    %r = aten.rand_like.default(%w)
    return (%d, %r)
  })");
  ASSERT_THAT(fold_constants(*graph_, root_, evaluate), testing::IsOkAndHolds(true));
  EXPECT_EQ(print(*graph_), R"(graph(%x : f32[2]) {
  %w = get_attr w
  %_folded_0 : f32[2] = get_attr _folded_0 !{seq=4}
  %_folded_1 : f32[2] = get_attr _folded_1
  %c : f32[2] = aten.mul.Tensor(%x, %_folded_1)
  %d : f32[2] = aten.add.Tensor(%c, %_folded_0)
  %r = aten.rand_like.default(%w)
  return (%d, %r)
}
)");
  EXPECT_THAT(root_.find_tensor("_folded_0").values<float>(), ElementsAre(5, 50));
  EXPECT_THAT(root_.find_tensor("_folded_1").values<float>(), ElementsAre(10, 100));
  EXPECT_THAT(fold_constants(*graph_, root_, evaluate), testing::IsOkAndHolds(false));
}

// parity: E5
TEST_F(FoldConstantsTest, CallsThatMustNotBeFoldedAreKept) {
  const std::string body = R"(
    %w = get_attr w
    %a : f32[2] = aten.mul.Tensor(%w, 2)
    %b : f32[2] = aten.mul.Tensor(%a, 3)
    %c : f32[2] = aten.add.Tensor(%x, %b)
    return %c
  })";
  parse("graph(%x : f32[2]) {" + body);
  const std::string before = print(*graph_);
  const auto skip = [](const Node& node) { return node.name() == "a"; };
  EXPECT_THAT(fold_constants(*graph_, root_, evaluate, {.skip = skip}),
              testing::IsOkAndHolds(false));
  EXPECT_THAT(fold_constants(*graph_, root_, evaluate, {.max_bytes = 7}),
              testing::IsOkAndHolds(false));
  Module none;
  EXPECT_THAT(fold_constants(*graph_, none, evaluate), testing::IsOkAndHolds(false));
  EXPECT_EQ(print(*graph_), before);
  graph_ = *parse_graph(context_, "graph(%x : f32[2]) { %u = aten.add_.Tensor(%x, 1)" + body);
  EXPECT_THAT(fold_constants(*graph_, root_, evaluate), testing::IsOkAndHolds(false));
  graph_ = *parse_graph(context_, "graph(%x : f32[2]) {" + body);
  for (const absl::Status& error :
       {absl::ResourceExhaustedError("no memory"), absl::UnavailableError("no library")}) {
    const auto failing = [&](const Graph&, const Module&) -> absl::StatusOr<std::vector<Tensor>> {
      return error;
    };
    EXPECT_EQ(fold_constants(*graph_, root_, failing).status(), error);
  }
}

TEST_F(FoldConstantsTest, TensorsThatLayersWriteToAreNotConstant) {
  const Tensor weight = *Tensor::of<float>({2}, {1, 2});
  const auto embedding = std::make_shared<Module>("torch.nn.modules.sparse.Embedding");
  embedding->set_hyperparameter("max_norm", 0.1);
  const auto norm = std::make_shared<Module>("torch.nn.modules.batchnorm.BatchNorm1d");
  const auto linear = std::make_shared<Module>("torch.nn.modules.linear.Linear");
  for (const auto& module : {embedding, linear})
    ASSERT_THAT(module->register_parameter("weight", weight), IsOk());
  ASSERT_THAT(norm->register_parameter("weight", *weight.clone()), IsOk());
  ASSERT_THAT(norm->register_buffer("running_mean", *weight.clone()), IsOk());
  ASSERT_THAT(root_.add_submodule("embedding", embedding), IsOk());
  ASSERT_THAT(root_.add_submodule("linear", linear), IsOk());
  ASSERT_THAT(root_.add_submodule("norm", norm), IsOk());
  const auto folds = [&](std::string_view calls, std::string_view member) {
    graph_ = *parse_graph(context_, fmt::format(R"(graph(%x) {{
      {}
      %w = get_attr {}
      %a : f32[2] = aten.mul.Tensor(%w, 2)
      return %a
    }})",
                                                calls, member));
    graph_->set_owning_module(&root_);
    return *fold_constants(*graph_, root_, evaluate);
  };
  constexpr std::string_view kEmbedding = "%e = call_module embedding(%x)";
  constexpr std::string_view kNorm = "%e = call_module norm(%x)";
  EXPECT_FALSE(folds(kEmbedding, "embedding.weight"));
  EXPECT_FALSE(folds(kEmbedding, "linear.weight"));  // the same tensor
  EXPECT_TRUE(folds(kEmbedding, "norm.weight"));
  EXPECT_FALSE(folds(kNorm, "norm.running_mean"));
  EXPECT_TRUE(folds(kNorm, "norm.weight"));
  EXPECT_TRUE(folds("%e = call_module linear(%x)", "linear.weight"));
  norm->eval();
  EXPECT_TRUE(folds(kNorm, "norm.running_mean"));
  embedding->set_hyperparameter("max_norm", Argument());
  EXPECT_TRUE(folds(kEmbedding, "embedding.weight"));
}

TEST_F(FoldConstantsTest, PipelinesFoldIfAnEvaluatorIsSet) {
  parse(R"(graph(%x : f32[2]) {
    %w = get_attr w
    %a : f32[2] = aten.mul.Tensor(%w, 2)
    %c : f32[2] = aten.add.Tensor(%x, %a)
    return %c
  })");
  FX_ASSERT_OK_AND_ASSIGN(const Pipeline pipeline,
                          parse_pipeline(standard_passes(), "fold_constants"));
  EXPECT_THAT(PassManager(pipeline).run(*graph_, &root_).status(),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("libtorch")));
  FX_ASSERT_OK_AND_ASSIGN(
      const PassReport report,
      PassManager(pipeline, {.check_changed = true, .evaluate = evaluate}).run(*graph_, &root_));
  EXPECT_TRUE(report.changed);
  EXPECT_EQ(graph_->size(), 4u);
}

// parity: E1
TEST_F(FoldConstantsTest, ModulesOfConvolutionsAndNormsAreFused) {
  const auto conv = std::make_shared<Module>("torch.nn.modules.conv.Conv2d");
  for (const char* sizes : {"stride", "padding", "dilation"})
    conv->set_hyperparameter(sizes, Argument::tuple({1, 1}));
  conv->set_hyperparameter("groups", 1);
  conv->set_hyperparameter("padding_mode", "zeros");
  ASSERT_THAT(conv->register_parameter("weight", *Tensor::of<float>({2, 1, 1, 1}, {1, 2})), IsOk());
  const auto norm = std::make_shared<Module>("torch.nn.modules.batchnorm.BatchNorm2d");
  norm->set_hyperparameter("eps", 1e-5);
  for (const char* name : {"weight", "bias"})
    ASSERT_THAT(norm->register_parameter(name, *Tensor::of<float>({2}, {1, 2})), IsOk());
  for (const char* name : {"running_mean", "running_var"})
    ASSERT_THAT(norm->register_buffer(name, *Tensor::of<float>({2}, {1, 2})), IsOk());
  ASSERT_THAT(root_.add_submodule("conv", conv), IsOk());
  ASSERT_THAT(root_.add_submodule("norm", norm), IsOk());
  const std::string text = R"(graph(%x) {
    %c = call_module conv(%x)
    %n = call_module norm(%c)
    return %n
  })";
  // In training mode, the statistics change. torch.fx raises an error in this case.
  graph_ = *parse_graph(context_, text);
  EXPECT_THAT(fuse_conv_bn(*graph_, &root_), testing::IsOkAndHolds(false));
  root_.eval();
  EXPECT_THAT(fuse_conv_bn(*graph_), testing::IsOkAndHolds(false));
  EXPECT_THAT(fuse_conv_bn(*graph_, &root_), testing::IsOkAndHolds(true));
  EXPECT_THAT(verify_status(*graph_), IsOk());
  const Node* result = graph_->output_node()->arg(0).node();
  EXPECT_EQ(result->target(), "aten.conv2d.default");
  EXPECT_EQ(to_string(result->arg(1).node()->type()), "f32[2, 1, 1, 1]");
  EXPECT_TRUE(graph_->find_nodes(Opcode::kCallModule).empty());
}

}  // namespace
}  // namespace fx::fold_constants_test
