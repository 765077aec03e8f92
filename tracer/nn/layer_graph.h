// layer_graph: the graph of a torch.nn layer, created from the data of its module.
//
//   FX_ASSIGN_OR_RETURN(auto conv, fx::layer_graph(context, *gm->find_module("layer1.conv")));
//   conv->graph();    // %weight = get_attr weight; ... aten.conv2d.default(%input, %weight, ...)
//
// A module that was read from a file, or imported, has no code: its class name, hyperparameters
// and tensors determine its behavior. fx::nn (tracer/nn/nn.h) has the code.
#pragma once

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/node.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/module/module.h"
#include "fx/ir/types/type.h"
#include "fx/tracer/tracer_base.h"

#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <memory>
#include <string_view>
#include <vector>

namespace fx {

/// Returns the names of the classes that layer_graph supports: "torch.nn.modules.conv.Conv2d".
std::vector<std::string_view> layer_classes();
/// True if layer_classes() contains the class of `module`.
bool is_known_layer(const Module& module);

/// Returns the graph of a layer in its current mode. It refers to the layer's tensors by their
/// names; they are not copied. `inputs` are the types of the layer's arguments, if known: some
/// layers (Upsample with one factor) depend on the rank. Optional arguments of its forward (the
/// first state of an LSTM, a mask) are omitted. Returns NotFound for an unknown class,
/// InvalidArgument for hyperparameters or tensors that do not match the class, and Unimplemented
/// for an unsupported setting (recompute_scale_factor=True).
absl::StatusOr<std::unique_ptr<GraphModule>> layer_graph(
    Context& context, const Module& layer,
    const RecordOptions& options = {.targets = Targets::kAten}, absl::Span<const Type> inputs = {});

/// Like layer_graph, for a call to the layer with all its arguments. The graph has a placeholder
/// for each node in call.all_input_nodes(), in that order, with its type. Also returns
/// InvalidArgument for arguments that the layer's forward does not have.
absl::StatusOr<std::unique_ptr<GraphModule>> layer_graph_of_call(const Node& call,
                                                                 const Module& layer,
                                                                 const RecordOptions& options = {
                                                                     .targets = Targets::kAten});

}  // namespace fx
