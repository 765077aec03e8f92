// Removes redundant nodes from a graph with derivatives.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/passes/autodiff/derivative.h"

#include "absl/status/status.h"

namespace fx {

/// Erases dead calls. In the readable style, also removes the derivative's products with ones and
/// sums with zeros, applies the algebra of `simplify`, and merges equal calls.
absl::Status tidy(Graph& graph, GradStyle style);

}  // namespace fx
