// inline_layers: replaces calls of torch.nn layers by the operators that they call.
//
//   %fc = call_module fc(%x)
// becomes
//   %fc_weight = get_attr fc.weight
//   %fc_bias = get_attr fc.bias
//   %linear = aten.linear.default(%x, %fc_weight, %fc_bias)
#pragma once

#include "fx/ir/graph/graph.h"

#include "absl/status/statusor.h"

namespace fx {

/// Replaces them in `graph`, which must belong to a GraphModule, and returns whether there were
/// any. A layer that trains (dropout, batch norm) becomes what it does in the mode that it is in
/// now. Calls of classes that are not known (layer_classes, fx/tracer/nn/layer_graph.h) and of
/// GraphModules stay. New nodes inherit where the call came from. Errors, which name the node and
/// leave the graph valid: those of layer_graph_of_call; FailedPrecondition when a call's module is
/// not at hand. Some layers do by the rank of their inputs: propagate types first, or
/// lower_to_aten, which does both at once.
absl::StatusOr<bool> inline_layers(Graph& graph);

/// The same for one call of a module, which is erased; false where its class is not known.
absl::StatusOr<bool> inline_layer(Node& call);

}  // namespace fx
