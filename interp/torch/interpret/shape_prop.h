// Concrete shape propagation: sets the types of nodes from a run on real tensors. torch.fx's
// ShapeProp. passes/shape/shape_prop.h infers types without a run.
#pragma once

#include "fx/interp/torch/evaluator.h"
#include "fx/ir/graph/graph.h"

#include "absl/status/status.h"
#include <ATen/core/ivalue.h>

#include <vector>

namespace fx {

/// Runs `graph` on one value per placeholder and sets the type of each node that runs, including in
/// nested graphs (where the last run counts): dtype, sizes, strides, offset, layout and device of
/// tensors, tuples and lists of them, and numbers. The output keeps its type. A type describes the
/// value right after its node, before later in-place operators.
///
/// requires_grad is set with AutogradUse::kRecord; with kNone it does not change.
///
/// Returns the error of the first node that fails, with its name; the nodes before it have their
/// types.
absl::Status propagate_concrete_types(Graph& graph, std::vector<c10::IValue> inputs,
                                      const TorchConstants& constants = {},
                                      AutogradUse autograd = AutogradUse::kNone);

}  // namespace fx
