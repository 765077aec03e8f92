// Loads the weights of traced models from a torch::nn::Module, and accepts at::ScalarType,
// at::Device, ... as arguments of calls on fx::Proxy.
//
//   auto net = std::make_shared<Net<EagerLayers>>();         // one template, two sets of layers
//   fx::nn::ModuleHolder<Net<TracedLayers>> traced;
//   FX_RETURN_IF_ERROR(fx::load_state(*traced, *net));        // shares net's weights
//
// With this header, `x.to(at::kDouble)` compiles for at::Tensor and for fx::Proxy.
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
struct ArgumentConverter<at::ScalarType> {
  static Argument to_argument(at::ScalarType value) { return Argument(from_torch(value)); }
};
template <>
struct ArgumentConverter<at::Device> {
  static Argument to_argument(const at::Device& value) { return Argument(from_torch(value)); }
};
template <>
struct ArgumentConverter<at::Layout> {
  static Argument to_argument(at::Layout value) { return Argument(from_torch(value)); }
};
template <>
struct ArgumentConverter<at::MemoryFormat> {
  static Argument to_argument(at::MemoryFormat value) { return Argument(from_torch(value)); }
};

/// Sets each parameter and buffer of `module` to the tensor of `source` at the same path, and
/// shares its data. Tensors that share memory in `source` share it in `module`. Also copies the
/// training flags. Returns NotFound if `source` has no tensor at a path, and InvalidArgument if a
/// shape or dtype differs, a tensor is not dense and on the CPU, or a tensor with multiple paths in
/// `module` is multiple tensors in `source`. On error, `module` is unchanged.
absl::Status load_state(Module& module, const torch::nn::Module& source);

/// Returns the values of get_attr nodes in graphs traced from `root`: its parameters, buffers and
/// constants, except tensors without data on the CPU.
TorchConstants torch_constants(const Module& root);

}  // namespace fx
