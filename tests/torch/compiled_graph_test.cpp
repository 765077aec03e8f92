// Runs graphs as compiled C++: the results equal those of TorchEvaluator, compiled code is cached,
// and edited graphs are recompiled. test_cpp.py and cpp_models.py run more graphs.
#include "fx/codegen/cpp/torch/compiled_graph.h"

#include "fx/importers/torch/capture/capture.h"
#include "fx/interp/torch/compare.h"
#include "fx/interp/torch/evaluator.h"
#include "fx/interp/torch/interpret/torch_interpreter.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/text/text.h"
#include "tests/testing/status_matchers.h"

#include "fmt/format.h"
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {
namespace {

using ::testing::HasSubstr;
using testing::IsOk;

class CompiledGraphTest : public ::testing::Test {
 protected:
  static std::filesystem::path folder() {
    return std::filesystem::temp_directory_path() / fmt::format("fxcpp_compiled_{}", getpid());
  }
  static void TearDownTestSuite() { std::filesystem::remove_all(folder()); }

  static CompileOptions options() {
    return {.flags = {"-O0"}, .cache_folder = folder().string(), .precompile = true};
  }
  std::unique_ptr<Graph> parse(std::string_view text) {
    absl::StatusOr<std::unique_ptr<Graph>> graph = parse_graph(context_, text);
    EXPECT_THAT(graph, IsOk());
    return graph.ok() ? *std::move(graph) : nullptr;
  }

  Context context_;
};

constexpr std::string_view kNet =
    "graph(%x : f32[2, 3], %n : int) {\n"
    "  %w = get_attr w\n"
    "  %mm : f32[2, 3] = aten.mm.default(%x, %w)\n"
    "  %relu : f32[2, 3] = aten.relu.default(%mm)\n"
    "  %add : f32[2, 3] = aten.add.Tensor(%relu, %n)\n"
    "  return [%add, None, %n]\n"
    "}\n";

// parity: M6
TEST_F(CompiledGraphTest, RunsTheCurrentGraph) {
  const std::unique_ptr<Graph> graph = parse(kNet);
  const at::Tensor x = at::randn({2, 3}), w = at::randn({3, 3});
  const TorchConstants constants = {{"w", w}};
  FX_ASSERT_OK_AND_ASSIGN(CompiledGraph compiled,
                          CompiledGraph::create(*graph, constants, options()));
  EXPECT_TRUE(compiled.is_compiled());
  EXPECT_FALSE(compiled.is_cached());
  FX_ASSERT_OK_AND_ASSIGN(std::vector<c10::IValue> results, compiled.run({x, int64_t{4}}));
  ASSERT_EQ(results.size(), 3u);
  EXPECT_TRUE(at::equal(results[0].toTensor(), at::add(at::relu(at::mm(x, w)), 4)));
  EXPECT_TRUE(results[1].isNone());
  EXPECT_EQ(results[2].toInt(), 4);

  // After an edit, the next run uses the new graph.
  Node* relu = graph->find_node("relu");
  relu->replace_all_uses_with(graph->find_node("mm"));
  EXPECT_THAT(graph->erase_node(relu), IsOk());
  FX_ASSERT_OK_AND_ASSIGN(results, compiled.run({x, int64_t{4}}));
  EXPECT_TRUE(at::equal(results[0].toTensor(), at::add(at::mm(x, w), 4)));

  // Compiled code is cached.
  const std::unique_ptr<Graph> same = parse(kNet);
  FX_ASSERT_OK_AND_ASSIGN(CompiledGraph again, CompiledGraph::create(*same, constants, options()));
  EXPECT_TRUE(again.is_cached());

  // Gradients are recorded only if requested.
  at::Tensor leaf = x.clone().requires_grad_(true);
  FX_ASSERT_OK_AND_ASSIGN(results, again.run({leaf, int64_t{4}}, AutogradUse::kRecord));
  EXPECT_TRUE(results[0].toTensor().requires_grad());
  FX_ASSERT_OK_AND_ASSIGN(results, again.run({x, int64_t{4}}));
  EXPECT_FALSE(results[0].toTensor().requires_grad());

  EXPECT_THAT(again.run({x}).status().message(), HasSubstr("has 2 inputs, but received 1"));
  EXPECT_THAT(again.run({at::randn({5, 5}), int64_t{1}}).status().message(), HasSubstr("shapes"));
  EXPECT_THAT(CompiledGraph::create(*same, {}, options()).status().message(),
              HasSubstr("missing tensors: w"));
}

// parity: G20
TEST_F(CompiledGraphTest, CompilersAndGeneratorsAreConfigurable) {
  const std::unique_ptr<Graph> graph =
      parse("graph(%x : f32[2]) {\n  %relu = aten.relu.default(%x)\n  return %relu\n}\n");
  const at::Tensor x = at::randn({2});
  CompileOptions none = options();
  none.compiler = "no-such-compiler";
  FX_ASSERT_OK_AND_ASSIGN(CompiledGraph interpreted, CompiledGraph::create(*graph, {}, none));
  EXPECT_FALSE(interpreted.is_compiled());
  FX_ASSERT_OK_AND_ASSIGN(std::vector<c10::IValue> results, interpreted.run({x}));
  EXPECT_TRUE(at::equal(results[0].toTensor(), at::relu(x)));
  none.fall_back = false;
  EXPECT_THAT(CompiledGraph::create(*graph, {}, none).status().message(),
              HasSubstr("the compiler \"no-such-compiler\" cannot be found"));

  CompileOptions changed = options();
  changed.transform = [](std::string source) {
    const size_t at = source.find("at::relu(x)");
    return source.replace(at, 11, "x.neg()");
  };
  FX_ASSERT_OK_AND_ASSIGN(CompiledGraph negated, CompiledGraph::create(*graph, {}, changed));
  FX_ASSERT_OK_AND_ASSIGN(results, negated.run({x}));
  EXPECT_TRUE(at::equal(results[0].toTensor(), x.neg()));

  // Compiler errors refer to lines of the graph.
  changed.transform = [](std::string source) {
    const size_t at = source.find("at::relu(x)");
    return source.replace(at, 11, "nonsense(x)");
  };
  const absl::Status failed = CompiledGraph::create(*graph, {}, changed).status();
  EXPECT_THAT(failed.message(), HasSubstr("graph.fx:2 is `  %relu = aten.relu.default(%x)`"));
  EXPECT_THAT(failed.message(), HasSubstr("nonsense"));
}

std::string loop_text(std::string_view loop, std::string_view type) {
  return fmt::format(R"(graph(%x : f32[3], %n : i64[]) {{
    graph @test(%i : i64[], %a : f32[3]) {{
      %lt : b8[] = aten.lt.Scalar(%i, 3)
      return %lt
    }}
    graph @body(%i : i64[], %a : f32[3]) {{
      %next : i64[] = aten.add.Tensor(%i, 1)
      %b : f32[3] = aten.mul.Tensor(%a, 2)
      return (%next, %b)
    }}
    %loop = higher_order.{}(@test, @body, (%n, %x), ())
    %r : f32[{}3] = operator.getitem(%loop, 1)
    return [%r]
  }})",
                     loop, type);
}

// As in eager mode, a loop with no iterations returns copies.
TEST_F(CompiledGraphTest, LoopsThatDoNotRunReturnCopies) {
  const std::unique_ptr<Graph> graph = parse(loop_text("while_loop", ""));
  FX_ASSERT_OK_AND_ASSIGN(CompiledGraph compiled, CompiledGraph::create(*graph, {}, options()));
  const at::Tensor x = at::ones({3});
  for (const int64_t start : {0, 3}) {
    FX_ASSERT_OK_AND_ASSIGN(const auto results,
                            compiled.run({x, at::scalar_tensor(start, at::kLong)}));
    EXPECT_TRUE(at::equal(results[0].toTensor(), start == 0 ? x * 8 : x));
    EXPECT_FALSE(results[0].toTensor().is_alias_of(x));
  }
}

// A loop returns the values of each step; without steps, it returns a copy of the inputs as one
// row.
TEST_F(CompiledGraphTest, LoopsReturnTheValuesOfAllSteps) {
  const std::unique_ptr<Graph> graph = parse(loop_text("while_loop_stack_output", "u0, "));
  FX_ASSERT_OK_AND_ASSIGN(CompiledGraph compiled, CompiledGraph::create(*graph, {}, options()));
  const at::Tensor x = at::ones({3});
  for (const int64_t start : {0, 3}) {
    FX_ASSERT_OK_AND_ASSIGN(const auto results,
                            compiled.run({x, at::scalar_tensor(start, at::kLong)}));
    const at::Tensor rows = results[0].toTensor();
    EXPECT_TRUE(at::equal(rows, start == 0 ? at::stack({x * 2, x * 4, x * 8}) : x.unsqueeze(0)));
    EXPECT_FALSE(rows.is_alias_of(x));
  }
}

// As in eager mode, results share memory with operands that have the conjugate bit.
TEST_F(CompiledGraphTest, ResultsShareMemoryWithConjugatedOperands) {
  const std::unique_ptr<Graph> graph = parse(R"(graph(%x : c64[2, 3]) {
    %conj : c64[2, 3] = aten.conj.default(%x)
    %dropout : c64[2, 3] = aten.dropout.default(%conj, 0.5, False)
    %same : c64[2, 3] = aten.feature_dropout.default(%dropout, 0.0, True)
    %atleast_3d : c64[1, 2, 3] = aten.atleast_3d.default(%same)
    return [%same, %atleast_3d]
  })");
  FX_ASSERT_OK_AND_ASSIGN(CompiledGraph compiled, CompiledGraph::create(*graph, {}, options()));
  FX_ASSERT_OK_AND_ASSIGN(TorchEvaluator evaluator, TorchEvaluator::create(*graph));
  TorchInterpreter interpreter(*graph, TorchConstants());
  const at::Tensor x = at::randn({2, 3}, at::kComplexFloat);
  const at::Tensor with_gradient = x.clone().requires_grad_();
  for (const at::Tensor& input : {x, with_gradient}) {
    FX_ASSERT_OK_AND_ASSIGN(const auto compiled_results, compiled.run({input}));
    FX_ASSERT_OK_AND_ASSIGN(const auto evaluated, evaluator.run({input}));
    FX_ASSERT_OK_AND_ASSIGN(const c10::IValue list, interpreter.run({input}));
    const std::vector<c10::IValue> interpreted = list.toList().vec();
    for (const auto* results : {&compiled_results, &evaluated, &interpreted}) {
      for (const c10::IValue& result : *results) {
        EXPECT_TRUE(result.toTensor().is_alias_of(input));
        EXPECT_FALSE(result.toTensor().requires_grad());
        EXPECT_TRUE(at::equal(result.toTensor().reshape({2, 3}), at::conj(x)));
      }
    }
  }
  FX_ASSERT_OK_AND_ASSIGN(const auto recorded,
                          evaluator.run({with_gradient}, AutogradUse::kRecord));
  EXPECT_TRUE(recorded[0].toTensor().requires_grad());
}

/// Returns the precompiled headers in the cache folder.
std::vector<std::filesystem::path> precompiled_headers(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".pch") found.push_back(entry.path());
  return found;
}

// The last test of the suite, because other tests would create the header again, which takes
// seconds.
TEST_F(CompiledGraphTest, ARejectedPrecompiledHeaderIsRemoved) {
  const auto compile = [&](std::string_view function) {
    const std::unique_ptr<Graph> graph = parse(fmt::format(
        "graph(%x : f32[2]) {{\n  %y = aten.{}.default(%x)\n  return %y\n}}\n", function));
    return CompiledGraph::create(*graph, {}, options()).status();
  };
  EXPECT_THAT(compile("exp"), IsOk());
  const std::vector<std::filesystem::path> headers = precompiled_headers(folder());
  const char* compiler = std::getenv("CXX");
  if (compiler == nullptr || std::string_view(compiler).find("clang") == std::string_view::npos) {
    EXPECT_TRUE(headers.empty());
    GTEST_SKIP() << "only clang uses precompiled headers; CXX names the compiler";
  }
  ASSERT_EQ(headers.size(), 1u);
  std::filesystem::resize_file(headers[0], std::filesystem::file_size(headers[0]) / 2);
  EXPECT_THAT(compile("sin"), IsOk());
  EXPECT_TRUE(precompiled_headers(folder()).empty());
}

}  // namespace
}  // namespace fx
