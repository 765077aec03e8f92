// Names the operators of libtorch's own layers, with or without parameters, in captured graphs.
//
// A program that links the CMake target fxcpp::torch_layer_scopes defines the `forward` functions
// of torch::nn's layers. They open a ModuleScope (importers/torch/capture/scope.h) and call
// libtorch's functions. The program itself does not change. If the functions are in the executable,
// or in a library that the executable links before libtorch, they replace libtorch's functions for
// calls from the program and from libtorch. Batch and instance norms are templates that the program
// compiles, so they are not replaced; capture finds their modules through their parameters.
#pragma once

#include "absl/status/status.h"

namespace fx {

/// Returns OK if the layers of this program open scopes. Returns FailedPrecondition, naming a
/// layer, if this libtorch does not export the layer's `forward`, or if the program calls
/// libtorch's definition.
absl::Status check_layer_scopes();

}  // namespace fx
