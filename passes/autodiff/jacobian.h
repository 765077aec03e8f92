// Jacobians and Hessians: all first or second derivatives of a graph, computed in one pass over a
// batch of basis vectors (vmap).
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/passes/autodiff/autodiff.h"
#include "fx/passes/vmap/vmap.h"

#include "absl/status/statusor.h"

#include <cstdint>
#include <memory>

namespace fx {

enum class JacobianMode : uint8_t {
  kReverse,  ///< a row for each element of the results: torch.func.jacrev
  kForward,  ///< a column for each element of the inputs: torch.func.jacfwd
};

struct JacobianOptions {
  GradOptions grad = {};
  JacobianMode mode = JacobianMode::kReverse;
};

/// Returns a graph of the derivatives of each result with respect to each of GradOptions::wrt:
/// graph(inputs...) -> ((result 1 by input 1, result 1 by input 2, ...), (result 2 by input 1,
/// ...), ...). Each Jacobian has the sizes of the result, then the sizes of the input; it is None
/// if the result does not depend on the input. `report`, if not null, receives the operators that
/// are called once for each basis vector.
///
/// Errors: those of vjp, jvp and vmap; InvalidArgument for complex values; Unimplemented if the
/// sizes of the results (in forward mode, of the inputs) are unknown.
absl::StatusOr<std::unique_ptr<Graph>> jacobian(const Graph& graph,
                                                const JacobianOptions& options = {},
                                                VmapReport* report = nullptr);

/// Returns a graph of the second derivatives of a real result with one element: the Jacobian of
/// grad(), in the form that jacobian() returns. Uses forward mode, or reverse mode if an operator
/// has no forward rule.
absl::StatusOr<std::unique_ptr<Graph>> hessian(const Graph& graph, const GradOptions& options = {},
                                               VmapReport* report = nullptr);

}  // namespace fx
