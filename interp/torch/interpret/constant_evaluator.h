// Computes constants with libtorch, for fold_constants (passes/inference/fold_constants.h) and
// PassManagerOptions::evaluate.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/module/module.h"
#include "fx/ir/module/tensor.h"

#include "absl/status/statusor.h"

#include <vector>

namespace fx {

/// Runs a graph without placeholders whose get_attr nodes name tensors of `root`. Returns copies,
/// with the same strides, of the items of the tuple that the graph returns. Items that are not
/// dense tensors with data are undefined. Returns the errors of TorchInterpreter.
absl::StatusOr<std::vector<Tensor>> evaluate_constants(const Graph& graph, const Module& root);

}  // namespace fx
