// layer_graph: what a layer of torch.nn computes, from what its module says of itself.
//
//   FX_ASSIGN_OR_RETURN(auto conv, fx::layer_graph(context, *gm->find_module("layer1.conv")));
//   conv->graph();    // %weight = get_attr weight; ... aten.conv2d.default(%input, %weight, ...)
//
// A module that was read from a file, or imported, has no code: its class name, hyper-parameters
// and tensors say what it does. fx::nn (tracer/nn/nn.h) has the code.
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

/// The classes that layer_graph knows, by name: "torch.nn.modules.conv.Conv2d".
std::vector<std::string_view> layer_classes();
/// Whether `module` is of one of them.
bool is_known_layer(const Module& module);

/// A graph that computes what `layer` does in the mode that it is in. It reads the layer's own
/// tensors, by the names that they have there: nothing is copied. `inputs`, where they are known,
/// are the types of what it is called with: some layers (Upsample with one factor) do by rank. What
/// its forward may be given beside (the first state of an LSTM, a mask) is left out.
/// NotFound for a class that is not known, InvalidArgument for hyper-parameters or tensors that do
/// not fit the class, Unimplemented for a setting that is missing here (padding_mode="reflect").
absl::StatusOr<std::unique_ptr<GraphModule>> layer_graph(
    Context& context, const Module& layer,
    const RecordOptions& options = {.targets = Targets::kAten}, absl::Span<const Type> inputs = {});

/// The same for a call of the layer, with all that it gives: the graph has a placeholder for each
/// of call.all_input_nodes(), in that order, of its type. InvalidArgument also for arguments that
/// the layer's forward does not take.
absl::StatusOr<std::unique_ptr<GraphModule>> layer_graph_of_call(const Node& call,
                                                                 const Module& layer,
                                                                 const RecordOptions& options = {
                                                                     .targets = Targets::kAten});

}  // namespace fx
