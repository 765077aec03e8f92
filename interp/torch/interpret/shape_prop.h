// interp/torch/interpret/shape_prop.h - concrete shape propagation: the types that nodes have when the graph
// runs on real tensors. torch.fx's ShapeProp. Without running anything: passes/shape/shape_prop.h.
#pragma once

#include "fx/interp/torch/evaluator.h"
#include "fx/ir/graph/graph.h"

#include "absl/status/status.h"
#include <ATen/core/ivalue.h>

#include <vector>

namespace fx {

/// Runs `graph` on one value per placeholder and gives every node that runs, in nested graphs too
/// (there the last time counts), the type of its value: dtype, sizes, strides, offset, layout and
/// device of tensors, tuples and lists of them, numbers. The output keeps its type. A value is
/// looked at right behind its node, so that what later nodes do to it in place does not count.
///
/// requires_grad is recorded with AutogradUse::kRecord; below autograd it stays what the graph
/// says.
///
/// An error is that of the first node that fails, and names it; those before it have their types.
absl::Status propagate_concrete_types(Graph& graph, std::vector<c10::IValue> inputs,
                                      const TorchConstants& constants = {},
                                      AutogradUse autograd = AutogradUse::kNone);

}  // namespace fx
