// inline_layers: replaces calls of torch.nn layers by the operators that they call.
//
//   %fc = call_module fc(%x)
// becomes
//   %fc_weight = get_attr fc.weight
//   %fc_bias = get_attr fc.bias
//   %linear = aten.linear.default(%x, %fc_weight, %fc_bias)
#pragma once

#include "fx/ir/graph.h"

#include "absl/status/statusor.h"

namespace fx {

/// Replaces them in `graph`, which must belong to a GraphModule, and returns whether there were
/// any. A layer that trains (dropout, batch norm) becomes what it does in the mode that it is in
/// now. Calls of classes that are not known (layer_classes, fx/tracer/layer_graph.h) and of
/// GraphModules stay. New nodes inherit where the call came from. Errors, which name the node and
/// leave the graph valid: those of layer_graph; InvalidArgument for a call with other than one
/// input; FailedPrecondition when a call's module is not at hand.
absl::StatusOr<bool> inline_layers(Graph& graph);

}  // namespace fx
