// Concrete shape propagation: sets the types of nodes from a run on real tensors. The
// counterpart of torch.fx's ShapeProp. passes/shape/shape_prop.h infers types without a run.
#pragma once

#include "fx/interp/torch/evaluator.h"
#include "fx/ir/graph/graph.h"

#include "absl/status/status.h"
#include <ATen/core/ivalue.h>

#include <vector>

namespace fx {

/// Runs `graph` on one value for each placeholder, and sets the type of each node that runs: dtype,
/// sizes, strides, offset, layout and device of tensors, including tensors in tuples and lists, and
/// the values of numbers. Includes nodes in nested graphs; their last run determines the type. The
/// type of the output does not change. A type describes the value right after its node, before
/// later in-place operators.
///
/// requires_grad is set with AutogradUse::kRecord, and does not change with kNone.
///
/// Returns the error of the first node that fails, with its name. The types of the nodes before it
/// are set.
absl::Status propagate_concrete_types(Graph& graph, std::vector<c10::IValue> inputs,
                                      const TorchConstants& constants = {},
                                      AutogradUse autograd = AutogradUse::kNone);

}  // namespace fx
