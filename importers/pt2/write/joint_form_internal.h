// Converts joint graphs to the form of torch.export, which returns a loss and its gradients.
#pragma once

#include "fx/ir/graph/graph.h"

#include "absl/status/statusor.h"

#include <memory>

namespace fx::pt2 {

/// Returns a copy of a joint graph with one tangent (docs/json.md: inputs of kind `tangent`), which
/// is the gradient of a result with one element. In the copy, this result is the loss, and the
/// tangent is the constant 1. Returns null for other graphs, whose tangents remain inputs.
absl::StatusOr<std::unique_ptr<Graph>> with_loss(const Graph& graph);

}  // namespace fx::pt2
