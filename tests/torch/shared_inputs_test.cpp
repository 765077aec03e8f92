// Inputs that share memory: how captures and files record them, and how replay and functionalize
// handle them. Also tests inputs with a storage offset.
#include "fx/interp/shared_inputs.h"

#include "fx/importers/torch/capture/capture.h"
#include "fx/importers/torch/capture/eager.h"
#include "fx/interp/torch/evaluator.h"
#include "fx/interp/torch/graph_data.h"
#include "fx/interp/torch/graph_tables.h"
#include "fx/interp/torch/interpret/check_equivalent.h"
#include "fx/interp/torch/interpret/torch_interpreter.h"
#include "fx/ir/files/binary.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/json/json.h"
#include "fx/ir/text/text.h"
#include "fx/passes/functionalize/functionalize.h"
#include "tests/torch/joint_testing.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace fx {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::StatusIs;

/// A program whose inputs share memory.
struct Case {
  std::string name;
  ModuleState state = {};
  std::vector<at::Tensor> inputs = {};
  Program program;
  bool functionalizes = true;  ///< if false, functionalize rejects the program
};

at::Tensor numbers(int64_t count) { return at::arange(count, at::kFloat); }

std::vector<Case> make_cases() {
  std::vector<Case> cases;
  const at::Tensor base = numbers(20).view({5, 4});
  cases.push_back({"a tensor and its slice", {}, {base, base.slice(0, 2)}, [](Tensors in) {
                     in[0].mul_(3);
                     return std::vector<at::Tensor>{in[1].select(0, 0).clone()};
                   }});
  const at::Tensor whole = numbers(20).view({5, 4});
  cases.push_back(
      {"a slice that comes first, and is written", {}, {whole.slice(0, 2), whole}, [](Tensors in) {
         in[0].add_(100);
         return std::vector<at::Tensor>{in[1].sum(1)};
       }});
  const at::Tensor w = numbers(6).view({2, 3});
  const at::Tensor row = w[0];
  cases.push_back({"a buffer that is a row of a parameter",
                   {.parameters = {{"w", w}}, .buffers = {{"row", row}}},
                   {at::ones({3})},
                   [w, row](Tensors in) {
                     row.add_(in[0]);
                     return std::vector<at::Tensor>{at::mv(w, in[0])};
                   }});
  const at::Tensor matrix = numbers(6).view({2, 3});
  const at::Tensor transposed = matrix.t();
  cases.push_back({"a parameter and its transpose",
                   {.parameters = {{"w", matrix}, {"wt", transposed}}},
                   {at::ones({3})},
                   [matrix, transposed](Tensors in) {
                     matrix.add_(1);
                     return std::vector<at::Tensor>{at::matmul(in[0], transposed)};
                   }});
  const at::Tensor long_one = numbers(12);
  cases.push_back({"two slices, neither of which contains the other",
                   {},
                   {long_one.slice(0, 0, 8), long_one.slice(0, 4, 12)},
                   [](Tensors in) {
                     in[0].mul_(2);
                     return std::vector<at::Tensor>{in[1] + 1};
                   },
                   false});
  const at::Tensor complex = at::complex(numbers(4), numbers(4) + 1);
  cases.push_back({"a complex tensor and its real view",
                   {},
                   {complex, at::view_as_real(complex)},
                   [](Tensors in) {
                     in[1].mul_(2);
                     return std::vector<at::Tensor>{in[0] * 1};
                   },
                   false});
  const at::Tensor columns = numbers(12).view({3, 4});
  cases.push_back({"three views of one tensor",
                   {},
                   {columns, columns.select(1, 1), columns.diagonal()},
                   [](Tensors in) {
                     in[1].fill_(-1);
                     in[2].mul_(3);
                     return std::vector<at::Tensor>{in[0].clone(), in[1] * 2};
                   }});
  return cases;
}

class SharedInputs : public ::testing::Test {
 protected:
  /// Captures the program, and restores the inputs. Sets `expected_` to the outputs of the program.
  CapturedGraph capture_case(const Case& c) {
    const TensorSnapshot start(c.state, c.inputs);
    absl::StatusOr<CapturedGraph> captured = capture(context_, c.state, c.inputs, c.program);
    EXPECT_THAT(captured, IsOk());
    expected_.clear();
    for (const CapturedOutput& output : captured->outputs)
      expected_.push_back(output.tensor.detach().clone());
    start.restore();
    return *std::move(captured);
  }
  void expect_results(const std::vector<c10::IValue>& values, const std::string& what) {
    ASSERT_EQ(values.size(), expected_.size()) << what;
    for (size_t i = 0; i < values.size(); ++i)
      EXPECT_TRUE(at::equal(values[i].toTensor(), expected_[i])) << what << ", result " << i;
  }

  Context context_;
  std::vector<at::Tensor> expected_;
};

TEST_F(SharedInputs, ReplayAndFilesPreserveSharing) {
  for (const Case& c : make_cases()) {
    SCOPED_TRACE(c.name);
    const CapturedGraph captured = capture_case(c);
    const Graph& graph = *captured.graph;
    ASSERT_EQ(shared_inputs(graph).size(), 1u) << print(graph);
    // Copies in memory preserve sharing.
    FX_ASSERT_OK_AND_ASSIGN(TorchEvaluator evaluator, TorchEvaluator::create(graph));
    const std::vector<at::Tensor> clones = clone_inputs(captured);
    FX_ASSERT_OK_AND_ASSIGN(auto values, evaluator.run({clones.begin(), clones.end()}));
    expect_results(values, "evaluator");
    // Tensor files and each graph format preserve sharing.
    const std::string path = ::testing::TempDir() + "/shared_inputs.safetensors";
    GraphData data;
    for (const at::Tensor& clone : clone_inputs(captured)) data.inputs.emplace_back(clone);
    ASSERT_THAT(save_graph_data(graph, data, path), IsOk());
    FX_ASSERT_OK_AND_ASSIGN(const std::string json, write_json(graph));
    std::vector<std::pair<std::string, std::unique_ptr<Graph>>> forms;
    FX_ASSERT_OK_AND_ASSIGN(auto from_text, parse_graph(context_, print(graph)));
    FX_ASSERT_OK_AND_ASSIGN(auto from_json, read_json(context_, json));
    FX_ASSERT_OK_AND_ASSIGN(const std::string binary, write_binary(graph));
    FX_ASSERT_OK_AND_ASSIGN(auto from_binary, read_binary(context_, binary));
    forms.emplace_back("text", std::move(from_text));
    forms.emplace_back("JSON", std::move(from_json));
    forms.emplace_back("binary", std::move(from_binary));
    for (const auto& [form, read] : forms) {
      FX_ASSERT_OK_AND_ASSIGN(GraphData loaded, load_graph_data(*read, {path}));
      FX_ASSERT_OK_AND_ASSIGN(TorchEvaluator again, TorchEvaluator::create(*read));
      FX_ASSERT_OK_AND_ASSIGN(values, again.run(loaded.inputs));
      expect_results(values, form);
    }
    std::remove(path.c_str());
  }
}

TEST_F(SharedInputs, FunctionalizeKeepsTheValuesOrNamesTheInputs) {
  for (const Case& c : make_cases()) {
    for (const bool copy_back : {false, true}) {
      SCOPED_TRACE(c.name);
      const CapturedGraph captured = capture_case(c);
      Graph& graph = *captured.graph;
      const std::string before = print(graph);
      const absl::StatusOr<bool> changed = functionalize(graph, {.copy_back = copy_back});
      if (!c.functionalizes) {
        EXPECT_THAT(changed.status(),
                    StatusIs(absl::StatusCode::kFailedPrecondition,
                             AllOf(HasSubstr("%input_1"), HasSubstr("%input_2"))));
        EXPECT_EQ(print(graph), before);
        continue;
      }
      ASSERT_THAT(changed, testing::IsOkAndHolds(true));
      FX_ASSERT_OK_AND_ASSIGN(TorchEvaluator evaluator, TorchEvaluator::create(graph));
      const std::vector<at::Tensor> clones = clone_inputs(captured);
      FX_ASSERT_OK_AND_ASSIGN(const auto values, evaluator.run({clones.begin(), clones.end()}));
      expect_results(values, print(graph));
    }
  }
}

TEST_F(SharedInputs, ARunOnSeparateMemoryIsRejected) {
  const CapturedGraph captured = capture_case(make_cases()[0]);
  std::vector<c10::IValue> separate;
  for (const at::Tensor& tensor : clone_inputs(captured)) separate.emplace_back(tensor.clone());
  const auto rejected = StatusIs(absl::StatusCode::kInvalidArgument,
                                 HasSubstr("the inputs %input_1 and %input_2 share memory"));
  FX_ASSERT_OK_AND_ASSIGN(TorchEvaluator evaluator, TorchEvaluator::create(*captured.graph));
  EXPECT_THAT(evaluator.run(separate).status(), rejected);
  EXPECT_THAT(TorchInterpreter(*captured.graph).run(separate).status(), rejected);
  // The second input shares memory, but starts at the wrong offset.
  std::vector<at::Tensor> clones = clone_inputs(captured);
  clones[1] = clones[0].slice(0, 0, 3);
  EXPECT_THAT(
      evaluator.run({clones.begin(), clones.end()}).status(),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("%input_2 must begin 32 bytes")));
}

TEST_F(SharedInputs, ConflictingDataInOverlappingInputsIsRejected) {
  const CapturedGraph captured = capture_case(make_cases()[0]);
  const std::string path = ::testing::TempDir() + "/shared_inputs_differ.safetensors";
  GraphData data;
  for (const at::Tensor& clone : clone_inputs(captured)) data.inputs.emplace_back(clone);
  data.inputs[1] = data.inputs[1].toTensor() + 1;
  ASSERT_THAT(save_graph_data(*captured.graph, data, path), IsOk());
  EXPECT_THAT(load_graph_data(*captured.graph, {path}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("the inputs %input_1, %input_2 share memory")));
  std::remove(path.c_str());
}

TEST_F(SharedInputs, ComparedGraphsRunOnCopiesThatShareMemory) {
  const CapturedGraph captured = capture_case(make_cases()[0]);
  const std::unique_ptr<Graph> pure = captured.graph->clone();
  ASSERT_THAT(functionalize(*pure), IsOk());
  std::vector<c10::IValue> inputs;
  for (const at::Tensor& clone : clone_inputs(captured)) inputs.emplace_back(clone);
  // The graph returns the tensor that it writes to, so functionalize does not copy it back.
  EquivalenceOptions options;
  options.written_inputs = false;
  FX_ASSERT_OK_AND_ASSIGN(const EquivalenceReport report,
                          check_equivalent(*captured.graph, *pure, inputs, options));
  EXPECT_TRUE(report.equivalent()) << report.str();
}

TEST_F(SharedInputs, SeparateMemoryIsNotRecorded) {
  const at::Tensor storage = numbers(12);
  const Case separate{"halves", {}, {storage.slice(0, 0, 6), storage.slice(0, 6)}, [](Tensors in) {
                        in[0].mul_(2);
                        return std::vector<at::Tensor>{in[1] + 1};
                      }};
  EXPECT_THAT(shared_inputs(*capture_case(separate).graph), IsEmpty());
}

TEST_F(SharedInputs, GroupsAreNumberedByTheirFirstInputs) {
  const at::Tensor a = numbers(4), b = numbers(4);
  const Case two{"two", {}, {a, b, b.slice(0, 1), a.slice(0, 2)}, [](Tensors in) {
                   return std::vector<at::Tensor>{in[0] + in[1]};
                 }};
  const CapturedGraph captured = capture_case(two);
  std::vector<int64_t> numbers;
  for (const Node* node : captured.graph->find_nodes(Opcode::kPlaceholder))
    numbers.push_back(node->meta().get(meta::kSharedMemory).value_or(-1));
  EXPECT_THAT(numbers, ElementsAre(0, 1, 1, 0));
}

// ---- inputs with a storage offset

/// Saves `data` to a file and loads it, or creates data from the types of the graph if `data` is
/// empty.
absl::StatusOr<GraphData> save_and_load(
    const Graph& graph, const std::vector<std::pair<std::string, at::Tensor>>& data) {
  const std::string path = ::testing::TempDir() + "/input_offset.safetensors";
  GraphData saved;
  for (const auto& [name, tensor] : data) saved.inputs.emplace_back(tensor);
  if (data.empty()) return load_graph_data(graph, {}, {.generate_missing = true});
  EXPECT_THAT(save_graph_data(graph, saved, path), IsOk());
  absl::StatusOr<GraphData> loaded = load_graph_data(graph, {path});
  std::remove(path.c_str());
  return loaded;
}

/// Runs a graph on the data of save_and_load().
std::vector<at::Tensor> run_text(Context& context, const std::string& text,
                                 const std::vector<std::pair<std::string, at::Tensor>>& data) {
  absl::StatusOr<std::unique_ptr<Graph>> graph = parse_graph(context, text);
  EXPECT_THAT(graph, IsOk());
  absl::StatusOr<GraphData> loaded = save_and_load(**graph, data);
  EXPECT_THAT(loaded, IsOk());
  if (!loaded.ok()) return {};
  absl::StatusOr<TorchEvaluator> evaluator = TorchEvaluator::create(**graph);
  EXPECT_THAT(evaluator, IsOk());
  const absl::StatusOr<std::vector<c10::IValue>> values = evaluator->run(loaded->inputs);
  EXPECT_THAT(values, IsOk());
  std::vector<at::Tensor> results;
  if (values.ok())
    for (const c10::IValue& value : *values) results.push_back(value.toTensor());
  return results;
}

constexpr const char* kOffset = R"(graph(%x : f32[2, 3]{offset=4}) {
  %s = aten.as_strided.default(%x, [3], [1], 4)
  %w = aten.add_.Tensor(%s, 100)
  return (%x, %s)
})";

TEST(InputOffset, OfLoadedData) {
  Context context;
  const at::Tensor x = numbers(6).view({2, 3});
  const std::vector<at::Tensor> results = run_text(context, kOffset, {{"x", x}});
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].storage_offset(), 4);
  EXPECT_TRUE(at::equal(results[1], numbers(3) + 100));
  EXPECT_TRUE(at::equal(results[0][1], x[1]));
}

TEST(InputOffset, OfGeneratedData) {
  Context context;
  const std::vector<at::Tensor> results = run_text(context, kOffset, {});
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].storage_offset(), 4);
  EXPECT_TRUE(at::equal(results[0][0], results[1]));
}

TEST(InputOffset, WithStrides) {
  Context context;
  const at::Tensor x = numbers(6).view({2, 3});
  const std::vector<at::Tensor> results =
      run_text(context, R"(graph(%x : f32[2, 3][1, 2]{offset=3}) {
    %s = aten.as_strided.default(%x, [2], [1], 5)
    return (%x, %s)
  })",
               {{"x", x}});
  ASSERT_EQ(results.size(), 2u);
  EXPECT_TRUE(at::equal(results[0], x));
  EXPECT_TRUE(at::equal(results[1], x.select(1, 1)));
}

TEST(InputOffset, OfASliceThatExpands) {
  Context context;
  const at::Tensor x = at::full({2, 3}, 7.0);
  const std::vector<at::Tensor> results =
      run_text(context, R"(graph(%x : f32[2, 3][0, 0]{offset=2}) {
    %s = aten.as_strided.default(%x, [1], [1], 2)
    return (%x, %s)
  })",
               {{"x", x.to(at::kFloat)}});
  ASSERT_EQ(results.size(), 2u);
  EXPECT_TRUE(at::equal(results[0], x.to(at::kFloat)));
  EXPECT_EQ(results[1].item<float>(), 7);
}

TEST(InputOffset, SizesDetermineStridesAndTheOffset) {
  Context context;
  const at::Tensor x = numbers(6).view({2, 3});
  const std::vector<at::Tensor> results =
      run_text(context, R"(graph(%x : f32[n, m][1, n]{offset=2*n}, %t : f32[m]) {
    %s = aten.as_strided.default(%x, [2], [1], 6)
    return (%x, %s, %t)
  })",
               {{"x", x}, {"t", numbers(3)}});
  ASSERT_EQ(results.size(), 3u);
  EXPECT_TRUE(at::equal(results[0], x));
  EXPECT_EQ(results[0].stride(1), 2);
  EXPECT_TRUE(at::equal(results[1], x.select(1, 1)));
}

TEST(InputOffset, OfATypeWithoutDtype) {
  Context context;
  const at::Tensor x = at::arange(6).view({2, 3});
  const std::vector<at::Tensor> results = run_text(
      context, "graph(%x : tensor[2, 3][1, 2]{offset=1}, %y : tensor[3]) { return (%x, %y) }",
      {{"x", x}, {"y", numbers(3)}});
  ASSERT_EQ(results.size(), 2u);
  EXPECT_TRUE(at::equal(results[0], x));
  EXPECT_EQ(results[0].storage_offset(), 1);
  EXPECT_EQ(results[1].scalar_type(), at::kFloat);
}

TEST(InputOffset, OfATangent) {
  Context context;
  FX_ASSERT_OK_AND_ASSIGN(
      const std::unique_ptr<Graph> graph,
      parse_graph(context,
                  "graph(%x : f32[n, 3], %t : f32[3, n][1, 3] "
                  "!{input={\"kind\": \"tangent\", \"of\": {\"index\": 0}}}) { return (%x, %t) }"));
  TensorTable table{"data", {}};
  EXPECT_THAT(graph_data_of(*graph, {&table, 1}),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("missing data for x, tangent.0")));
  table.file.tensors.set("x", from_torch(numbers(6).view({2, 3})));
  FX_ASSERT_OK_AND_ASSIGN(const GraphData data, graph_data_of(*graph, {&table, 1}));
  EXPECT_TRUE(at::equal(data.inputs.at(1).toTensor(), at::ones({3, 2})));
  EXPECT_EQ(data.inputs.at(1).toTensor().stride(1), 3);
}

TEST(InputOffset, DifferentDataAtOneLocationIsRejected) {
  Context context;
  const at::Tensor rows = numbers(3).expand({2, 3});
  const at::Tensor windows = numbers(4).unfold(0, 3, 1);  // strides 1, 1
  for (const auto& [strides, fits] :
       std::vector<std::pair<std::string, at::Tensor>>{{"0, 1", rows}, {"1, 1", windows}}) {
    const std::string text = "graph(%x : f32[2, 3][" + strides + "]) { return %x }";
    FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Graph> graph, parse_graph(context, text));
    FX_ASSERT_OK_AND_ASSIGN(const GraphData loaded, save_and_load(*graph, {{"x", fits}}));
    EXPECT_TRUE(at::equal(loaded.inputs.at(0).toTensor(), fits));
    EXPECT_THAT(save_and_load(*graph, {{"x", numbers(6).view({2, 3})}}),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         AllOf(HasSubstr("node x"), HasSubstr("strides " + strides),
                               HasSubstr("have different values"))));
  }
}

TEST(InputOffset, TypesThatRequireTooMuchMemoryAreRejected) {
  Context context;
  for (const char* const layout : {"[1000000000000000, 1]", "[4000000000000000000, 1]", "[-1, 1]",
                                   "{offset=4000000000000000}"}) {
    const std::string text = std::string("graph(%x : f32[2, 3]") + layout + ") { return %x }";
    const absl::StatusOr<std::unique_ptr<Graph>> graph = parse_graph(context, text);
    ASSERT_THAT(graph, IsOk()) << text;
    for (const auto& data :
         {std::vector<std::pair<std::string, at::Tensor>>{}, {{"x", numbers(6).view({2, 3})}}}) {
      EXPECT_THAT(save_and_load(**graph, data),
                  StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("node x")))
          << text;
    }
  }
}

}  // namespace
}  // namespace fx
