// interp/torch/dispatch/dispatcher.h - calling libtorch's operators the way a graph means them: below
// autograd.
#pragma once

#include "absl/status/statusor.h"
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <exception>
#include <string>
#include <string_view>

namespace fx {

/// For the current scope, operators go straight to the kernels of their backend: autograd, views'
/// bookkeeping and capture are left out. GradMode stays as it is, since some kernels look at it.
class KernelScope {
 public:
  KernelScope();

 private:
  c10::impl::ExcludeDispatchKeyGuard exclude_;
};

/// The operator of a target like `aten.add.Tensor`. NotFound when this libtorch does not have it,
/// Unimplemented when the target is no operator.
absl::StatusOr<c10::OperatorHandle> find_operator(std::string_view target);

/// The target of an operator: `aten.add.Tensor`, with "default" for an overload without a name.
std::string target_name(const c10::OperatorHandle& op);

/// The message of an exception from libtorch, without the C++ stack that it carries.
std::string torch_message(const std::exception& error);

}  // namespace fx
