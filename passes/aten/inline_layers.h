// inline_layers: replaces calls to torch.nn layers with the operators that they call.
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

/// Replaces calls to layers in `graph`, which must belong to a GraphModule, and returns true if
/// there were any. A layer with a training mode (dropout, batch norm) is replaced by its operators
/// in its current mode. Calls to unknown classes (see layer_classes, fx/tracer/nn/layer_graph.h)
/// and to GraphModules do not change. New nodes inherit the provenance of the call. Some layers
/// depend on the rank of their inputs: propagate types first, or use lower_to_aten, which does
/// both. Errors name the node, and leave the graph valid: those of layer_graph_of_call;
/// FailedPrecondition if the module of a call does not exist.
absl::StatusOr<bool> inline_layers(Graph& graph);

/// Inlines a call to a module, and erases the call. Returns false if the class of the module is
/// unknown.
absl::StatusOr<bool> inline_layer(Node& call);

}  // namespace fx
