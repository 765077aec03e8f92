// check_grad: compares the gradients of a graph with finite differences. The counterpart of
// torch.autograd.gradcheck.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/passes/autodiff/autodiff.h"

#include "absl/status/statusor.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace fx {

/// The elements of a tensor, in row-major order.
using TensorElements = std::vector<double>;

/// Runs a graph with an input for each placeholder. Returns the results in order. The leaves of a
/// nested result are separate results, and None has no elements.
using RunGraph = std::function<absl::StatusOr<std::vector<TensorElements>>(
    const Graph& graph, const std::vector<TensorElements>& inputs)>;

struct CheckGradOptions {
  GradOptions grad = {};
  double step = 1e-6;               ///< the step of the finite differences, in float64
  double rtol = 1e-3, atol = 1e-5;  ///< an element may differ by atol + rtol * |difference|
  uint64_t seed = 0;                ///< the seed of the weights of the results
};

struct GradCheck {
  size_t compared = 0;   ///< number of elements
  double max_error = 0;  ///< the largest absolute difference
  /// Descriptions of elements that differ: `x[3]: the gradient is 2, but the slope is 1.999`.
  std::vector<std::string> wrong = {};
  bool ok() const { return wrong.empty(); }
};

/// Compares the gradients of a randomly weighted sum of all results with central differences, for
/// each element of the inputs to differentiate. These inputs, which must be placeholders, and the
/// results that depend on them must be float64. Runs the graph twice for each element. `inputs` has
/// an item for each placeholder. Returns InvalidArgument if a dtype is wrong, or if the
/// number of inputs, elements or returned values is, and the errors of vjp and `run`.
absl::StatusOr<GradCheck> check_grad(const Graph& graph, const std::vector<TensorElements>& inputs,
                                     const RunGraph& run, const CheckGradOptions& options = {});

}  // namespace fx
