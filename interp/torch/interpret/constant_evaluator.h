// interp/torch/interpret/constant_evaluator.h - constants computed by libtorch: what fold_constants
// (passes/inference/fold_constants.h) and PassManagerOptions::evaluate ask for.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/module/module.h"
#include "fx/ir/module/tensor.h"

#include "absl/status/statusor.h"

#include <vector>

namespace fx {

/// Runs a graph without placeholders whose get_attr nodes name tensors of `root`, and gives the
/// items of the tuple that it returns, as tensors of their own with the strides that they have;
/// undefined where an item is no dense tensor. Errors of TorchInterpreter.
absl::StatusOr<std::vector<Tensor>> evaluate_constants(const Graph& graph, const Module& root);

}  // namespace fx
