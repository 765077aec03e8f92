// Calls libtorch's operators without autograd, and finds operators by name.
#pragma once

#include "absl/status/statusor.h"
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/grad_mode.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/util/ArrayRef.h>

#include <exception>
#include <string>
#include <string_view>

namespace fx {

/// During its lifetime, operators are dispatched directly to their backend's kernels, without
/// autograd, ADInplaceOrView and capture. GradMode does not change, because some kernels depend on
/// it. Call operators with `dispatch`.
class KernelScope {
 public:
  KernelScope();

 private:
  c10::impl::ExcludeDispatchKeyGuard exclude_;
};

/// During its lifetime, operators run as in eager mode without gradients. Operators that call other
/// operators (CompositeImplicitAutograd) then run before the dispatch key at which libtorch copies
/// conjugated and negated operands, and may thus return views of such operands. Reverts the part of
/// a KernelScope that prevents this.
class NoGradientScope {
 public:
  NoGradientScope();

 private:
  c10::impl::ForceDispatchKeyGuard keys_;
  at::NoGradGuard no_grad_;
};

/// Returns true if a tensor, or a tensor in a list, has its conjugate or negative bit set.
bool has_unresolved(c10::ArrayRef<c10::IValue> values);

/// Calls an operator, inside or outside a KernelScope. As in eager mode, results may share memory
/// with operands whose conjugate or negative bit is set.
void dispatch(const c10::OperatorHandle& op, torch::jit::Stack& stack);

/// Returns the operator of a target such as `aten.add.Tensor`. Returns NotFound if this libtorch
/// does not have the operator, and Unimplemented if the target is not an operator.
absl::StatusOr<c10::OperatorHandle> find_operator(std::string_view target);

/// Returns the target of an operator: `aten.add.Tensor`, with "default" for an overload without a
/// name.
std::string target_name(const c10::OperatorHandle& op);

/// Returns the message of an exception from libtorch, without its C++ backtrace.
std::string torch_message(const std::exception& error);

}  // namespace fx
