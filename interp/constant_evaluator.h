// ConstantEvaluator: computes the values of a graph that has no inputs.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/module/module.h"
#include "fx/ir/module/tensor.h"

#include "absl/status/statusor.h"

#include <functional>
#include <vector>

namespace fx {

/// Runs a graph without placeholders whose get_attr nodes name members of `root`, and returns the
/// items of the tuple that the graph returns. An item that is not a tensor is an undefined Tensor.
/// Returns Unavailable if it can run no graph, for example since a library is missing.
/// fx::evaluate_constants (interp/torch/interpret/constant_evaluator.h) implements it with
/// libtorch.
using ConstantEvaluator =
    std::function<absl::StatusOr<std::vector<Tensor>>(const Graph& graph, const Module& root)>;

}  // namespace fx
