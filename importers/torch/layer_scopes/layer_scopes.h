// Names the operators of libtorch's own layers, with or without parameters, in captured graphs.
//
// A program that links the CMake target fxcpp::torch_layer_scopes defines the `forward` functions of
// torch::nn's layers, which open a ModuleScope (importers/torch/capture/scope.h) and call libtorch's.
// The program itself does not change. The functions replace libtorch's for calls from the program and
// from libtorch, if they are in the executable, or in a library that the executable links before
// libtorch. Batch and instance norms are templates, which the program compiles, so they are not
// replaced; capture finds their module from their parameters.
#pragma once

#include "absl/status/status.h"

namespace fx {

/// Returns OK if the layers of this program open scopes. Errors: FailedPrecondition, which names a
/// layer, if this libtorch does not export its `forward`, or if the program calls libtorch's.
absl::Status check_layer_scopes();

}  // namespace fx
