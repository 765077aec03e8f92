// Replays a joint graph with symbolic sizes at other sizes, and compares the results with eager
// mode and the types with a capture at these sizes.
#pragma once

#include "fx/importers/torch/capture/capture.h"
#include "fx/importers/torch/capture/eager.h"
#include "fx/interp/torch/evaluator.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/edit/guards.h"
#include "fx/passes/shape/compare_types.h"
#include "tests/torch/joint_testing.h"
#include "tests/torch/zoo_sizes.h"

#include "absl/container/flat_hash_map.h"
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace fx::testing {

/// Expects that the symbolic types match those of a capture at these sizes. Nodes that compute
/// sizes have no counterpart in the capture.
inline void expect_types(const Graph& symbolic, const Graph& plain, const Sizes& sizes) {
  Context& context = symbolic.context();
  absl::flat_hash_map<Symbol, SymExpr> values;
  for (const auto& [name, value] : sizes)
    values.emplace(context.symbol(name), context.exprs().integer(value));
  const Node* node = symbolic.front();
  size_t compared = 0;
  for (const Node& expected : plain.nodes()) {
    const auto computes_a_size = [](const Node& n) {
      return n.type().kind() == TypeKind::kInt || n.type().kind() == TypeKind::kFloat;
    };
    while (node != nullptr && computes_a_size(*node) && node->target() != expected.target())
      node = node->next();
    ASSERT_NE(node, nullptr);
    ASSERT_EQ(node->target(), expected.target()) << node->name();
    if (node->is_output()) break;
    const Type type = context.types().substitute(node->type(), values);
    if (!has_symbols(type)) {
      EXPECT_TRUE(equal_types(expected.type(), type))
          << node->name() << ": " << to_string(node->type()) << " is " << to_string(type)
          << ", not " << to_string(expected.type());
      ++compared;
    }
    node = node->next();
  }
  EXPECT_GT(compared, 10u);
}

/// A program and the graph of its capture with symbolic sizes.
struct DynamicProgram {
  const ModuleState& state;
  const Program& loss;
  CaptureOptions options;
  const CapturedGraph& graph;
};

/// Replays the graph at these sizes. `inputs` are the inputs of the capture.
inline void check_replay(Context& context, const DynamicProgram& program,
                         const std::vector<at::Tensor>& inputs, const Sizes& sizes) {
  SCOPED_TRACE(::testing::PrintToString(sizes));
  std::vector<at::Tensor> others = inputs;
  for (size_t i = 0; i < program.options.dynamic.inputs.size(); ++i)
    others[i] = resized(context, inputs[i], program.options.dynamic.inputs[i], sizes);
  const TensorSnapshot start(program.state, others);
  CaptureOptions fixed = program.options;
  fixed.dynamic = {};
  seed_torch(3);
  FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph plain,
                          capture_joint(context, program.state, others, program.loss, fixed));
  expect_types(*program.graph.graph, *plain.graph, sizes);
  start.restore();
  const std::vector<at::Tensor> values = clone_inputs(plain);
  seed_torch(3);
  FX_ASSERT_OK_AND_ASSIGN(const std::vector<at::Tensor> eager,
                          run_eager(plain, others, program.loss));
  start.restore();
  FX_ASSERT_OK_AND_ASSIGN(TorchEvaluator evaluator,
                          TorchEvaluator::create(*program.graph.graph, program.graph.constants));
  seed_torch(3);
  FX_ASSERT_OK_AND_ASSIGN(const std::vector<c10::IValue> replayed,
                          evaluator.run({values.begin(), values.end()}));
  std::vector<at::Tensor> tensors;
  for (const c10::IValue& value : replayed)
    tensors.push_back(value.isTensor() ? value.toTensor() : at::Tensor());
  expect_equal_outputs(program.graph, "replay", eager, tensors);
}

}  // namespace fx::testing
