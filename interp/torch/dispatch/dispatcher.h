// Calls libtorch's operators below autograd, and finds them by name.
#pragma once

#include "absl/status/statusor.h"
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <exception>
#include <string>
#include <string_view>

namespace fx {

/// During its lifetime, operators are dispatched directly to their backend's kernels, without
/// autograd, ADInplaceOrView and capture. GradMode does not change, since some kernels depend on
/// it.
class KernelScope {
 public:
  KernelScope();

 private:
  c10::impl::ExcludeDispatchKeyGuard exclude_;
};

/// Returns the operator of a target such as `aten.add.Tensor`. NotFound if this libtorch does not
/// have it, Unimplemented if the target is not an operator.
absl::StatusOr<c10::OperatorHandle> find_operator(std::string_view target);

/// Returns the target of an operator: `aten.add.Tensor`, with "default" for an overload without a
/// name.
std::string target_name(const c10::OperatorHandle& op);

/// Returns the message of an exception from libtorch, without its C++ backtrace.
std::string torch_message(const std::exception& error);

}  // namespace fx
