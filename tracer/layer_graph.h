// layer_graph: what a layer of torch.nn computes, from what its module says of itself.
//
//   FX_ASSIGN_OR_RETURN(auto conv, fx::layer_graph(context, *gm->find_module("layer1.conv")));
//   conv->graph();    // %weight = get_attr weight; ... aten.conv2d.default(%input, %weight, ...)
//
// A module that was read from a file, or imported, has no code: its class name, hyper-parameters
// and tensors say what it does. fx::nn (tracer/nn.h) has the code.
#pragma once

#include "fx/ir/context.h"
#include "fx/ir/graph_module.h"
#include "fx/ir/module.h"
#include "fx/ir/type.h"
#include "fx/tracer/tracer_base.h"

#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace fx {

/// The classes that layer_graph knows, by name: "torch.nn.modules.conv.Conv2d".
std::vector<std::string_view> layer_classes();
/// Whether `module` is of one of them.
bool is_known_layer(const Module& module);
/// How many inputs its layer takes: 2 of a loss. None of an unknown class.
std::optional<size_t> num_layer_inputs(const Module& module);

/// A graph that computes what `layer` does in the mode that it is in. It reads the layer's own
/// tensors, by the names that they have there: nothing is copied. `inputs`, where they are known,
/// are the types of what it is called with: some layers (Upsample with one factor) do by rank.
/// NotFound for a class that is not known, InvalidArgument for hyper-parameters or tensors that do
/// not fit the class, Unimplemented for a setting that is missing here (padding_mode="reflect").
absl::StatusOr<std::unique_ptr<GraphModule>> layer_graph(
    Context& context, const Module& layer,
    const RecordOptions& options = {.targets = Targets::kAten}, absl::Span<const Type> inputs = {});

}  // namespace fx
