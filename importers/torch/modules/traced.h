// importers/torch/modules/traced.h - traced models and libtorch: weights from a torch::nn::Module, and
// at::ScalarType, at::Device, ... as arguments of calls of fx::Proxy.
//
//   auto net = std::make_shared<Net<EagerLayers>>();         // one template, two sets of layers
//   fx::nn::ModuleHolder<Net<TracedLayers>> traced;
//   FX_RETURN_IF_ERROR(fx::load_state(*traced, *net));        // shares net's weights
//
// With this header `x.to(at::kDouble)` is the same text for at::Tensor and fx::Proxy.
#pragma once

#include "fx/interp/torch/dispatch/convert.h"
#include "fx/interp/torch/evaluator.h"
#include "fx/ir/module/module.h"
#include "fx/tracer/operand.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include <c10/core/Device.h>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/ScalarType.h>
#include <torch/nn/module.h>

namespace fx {

template <>
struct ForeignArgument<at::ScalarType> {
  static Argument to_argument(at::ScalarType value) { return Argument(from_torch(value)); }
};
template <>
struct ForeignArgument<at::Device> {
  static Argument to_argument(const at::Device& value) { return Argument(from_torch(value)); }
};
template <>
struct ForeignArgument<at::Layout> {
  static Argument to_argument(at::Layout value) { return Argument(from_torch(value)); }
};
template <>
struct ForeignArgument<at::MemoryFormat> {
  static Argument to_argument(at::MemoryFormat value) { return Argument(from_torch(value)); }
};

/// Gives every parameter and buffer of `module` the tensor that `source` has at the same path: the
/// data are shared, in-place changes of one are seen by the other. Training flags are taken over
/// too. NotFound when `source` lacks one, InvalidArgument when a shape or dtype differs or a tensor
/// is not dense and on the CPU; nothing is changed then.
absl::Status load_state(Module& module, const torch::nn::Module& source);

/// What get_attr nodes of a graph traced from `root` read: its parameters, buffers and constants.
TorchConstants torch_constants(const Module& root);

}  // namespace fx
