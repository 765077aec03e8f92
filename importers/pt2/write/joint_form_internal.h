// Joint graphs in the form that torch.export has them: a loss, and gradients of it.
#pragma once

#include "fx/ir/graph/graph.h"

#include "absl/status/statusor.h"

#include <memory>

namespace fx::pt2 {

/// A copy of a joint graph with one tangent (docs/json.md: inputs of kind `tangent`), the gradient of
/// a result of one element, in which that result is the loss and the tangent is one. Null for other
/// graphs, whose tangents stay inputs.
absl::StatusOr<std::unique_ptr<Graph>> with_loss(const Graph& graph);

}  // namespace fx::pt2
