// Captures a program, runs it in eager mode, replays the graph, and compares the results bit by
// bit.
#pragma once

#include "fx/importers/torch/capture/capture.h"
#include "fx/importers/torch/capture/eager.h"
#include "fx/interp/torch/compare.h"
#include "fx/interp/torch/dispatch/convert.h"
#include "fx/interp/torch/evaluator.h"
#include "fx/ir/graph/graph.h"
#include "tests/testing/status_matchers.h"

#include <ATen/Context.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx::testing {

inline void seed_torch(uint64_t seed) {
  auto generator = at::globalContext().defaultGenerator(at::kCPU);
  generator.set_current_seed(seed);
}

/// Returns a name for an output in messages, for example "gradient of fc1.weight".
inline std::string output_label(const CapturedGraph& captured, size_t i) {
  const CapturedOutput& output = captured.outputs[i];
  if (output.kind == OutputKind::kResult) return "result " + std::to_string(output.index);
  const CapturedInput& input = captured.inputs[output.index];
  const std::string name = input.name.empty() ? "input " + std::to_string(input.index) : input.name;
  return (output.kind == OutputKind::kMutation ? "mutation of " : "gradient of ") + name;
}

/// Expects that placeholders have the types of their tensors.
inline void expect_types_of_inputs(const CapturedGraph& captured) {
  TypeTable& types = captured.graph->context().types();
  size_t i = 0;
  for (const Node& node : captured.graph->nodes()) {
    if (!node.is_placeholder()) continue;
    EXPECT_EQ(node.type(), type_of(types, captured.inputs[i].tensor)) << node.name();
    ++i;
  }
  EXPECT_EQ(i, captured.inputs.size());
}

/// Expects that the types of the results match `tensors`, the results of the capture or of a
/// replay. Results of a replay do not require grad.
inline void expect_types_of_results(const CapturedGraph& captured,
                                    const std::vector<at::Tensor>& tensors) {
  TypeTable& types = captured.graph->context().types();
  const ArgumentRef results = captured.graph->output_node()->arg(0);
  ASSERT_EQ(results.size(), tensors.size());
  for (size_t k = 0; k < results.size(); ++k) {
    EXPECT_EQ(results[k].is_none(), !tensors[k].defined()) << output_label(captured, k);
    if (!tensors[k].defined()) continue;
    const Type type = results[k].as_node()->type();
    EXPECT_EQ(type, type_of(types, tensors[k], type.requires_grad())) << output_label(captured, k);
    EXPECT_EQ(type.requires_grad(), captured.outputs[k].tensor.requires_grad())
        << output_label(captured, k);
  }
}

inline void expect_equal_outputs(const CapturedGraph& captured, std::string_view what,
                                 const std::vector<at::Tensor>& expected,
                                 const std::vector<at::Tensor>& got) {
  ASSERT_EQ(expected.size(), got.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    const TensorDifference difference = compare_tensors(expected[i], got[i]);
    EXPECT_TRUE(difference.bit_equal)
        << what << ": " << output_label(captured, i) << ": " << to_string(difference);
  }
}

/// Captures `program` with its backward pass, runs it in eager mode, and replays the graph, each
/// with the same seed and state. Expects equal outputs and correct types. Returns the captured
/// graph; it is empty if the capture failed.
inline CapturedGraph check_joint(Context& context, const ModuleState& state,
                                 std::vector<at::Tensor> inputs, const Program& program,
                                 const CaptureOptions& options = {}) {
  const TensorSnapshot start(state, inputs);
  seed_torch(7);
  absl::StatusOr<CapturedGraph> captured = capture_joint(context, state, inputs, program, options);
  EXPECT_THAT(captured, IsOk());
  if (!captured.ok()) return {};
  expect_types_of_inputs(*captured);
  std::vector<at::Tensor> outputs, copies;
  for (const CapturedOutput& output : captured->outputs) {
    outputs.push_back(output.tensor);
    copies.push_back(output.tensor.defined() ? output.tensor.detach().clone() : at::Tensor());
  }
  expect_types_of_results(*captured, outputs);

  start.restore();
  const std::vector<at::Tensor> replay_inputs = clone_inputs(*captured);
  seed_torch(7);
  absl::StatusOr<std::vector<at::Tensor>> eager = run_eager(*captured, inputs, program);
  EXPECT_THAT(eager, IsOk());
  if (!eager.ok()) return *std::move(captured);
  expect_equal_outputs(*captured, "captured run", *eager, copies);

  absl::StatusOr<TorchEvaluator> evaluator =
      TorchEvaluator::create(*captured->graph, captured->constants);
  EXPECT_THAT(evaluator, IsOk());
  if (!evaluator.ok()) return *std::move(captured);
  seed_torch(7);
  absl::StatusOr<std::vector<c10::IValue>> values =
      evaluator->run({replay_inputs.begin(), replay_inputs.end()});
  EXPECT_THAT(values, IsOk());
  if (!values.ok()) return *std::move(captured);
  std::vector<at::Tensor> replayed;
  for (const c10::IValue& value : *values) {
    replayed.push_back(value.isTensor() ? value.toTensor() : at::Tensor());
  }
  expect_equal_outputs(*captured, "replay", *eager, replayed);
  expect_types_of_results(*captured, replayed);
  start.restore();
  return *std::move(captured);
}

/// Returns the number of calls to each operator by the name of its packet, for example
/// {"aten.add_": 1, "aten.mm": 2}.
inline std::map<std::string, int> operator_counts(const Graph& graph) {
  std::map<std::string, int> counts;
  for (const Node& node : graph.nodes()) {
    if (node.op() != Opcode::kCallFunction) continue;
    const std::string_view target = node.target();
    ++counts[std::string(target.starts_with("aten.") ? target.substr(0, target.rfind('.'))
                                                     : target)];
  }
  return counts;
}

inline bool is_symbolic(Type type) {
  if (type.is_tensor()) {
    return std::ranges::any_of(type.sizes(), [](const Dim& size) { return size.is_symbolic(); });
  }
  return std::ranges::any_of(type.items(), &is_symbolic);
}

/// Copies symbolic types from nodes of `from` to their counterparts in `graph`. Returns the number
/// of copied types.
inline size_t copy_symbolic_types(const Graph& from, Graph& graph) {
  size_t copied = 0;
  const Node* source = from.front();
  for (Node& node : graph.nodes()) {
    if (source == nullptr) break;
    if (is_symbolic(node.type())) {
      node.set_type(source->type());
      ++copied;
    }
    source = source->next();
  }
  return copied;
}

}  // namespace fx::testing
