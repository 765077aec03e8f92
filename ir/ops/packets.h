// The operators that Python functions call.
#pragma once

#include "fx/ir/ops/op_info.h"

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/types/span.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace fx::ops {

/// The packet that a Python function calls with tensors: by PyTorch's naming rules
/// (`aten.relu` for `torch.relu`, `aten.fft_fft` for `torch.fft.fft`, `aten.add_` for
/// `torch.Tensor.add_`) or, for Python's operators, as torch.Tensor overloads them
/// (`aten.bitwise_and` for `operator.and_`). Empty for other names; the packet need not exist.
std::string packet_of_function(std::string_view name);

/// True for a Python function whose arguments torch's bindings parse, such as torch.kl_div: its
/// parameter `reduction` is 0 (none) by default, because the parser reads the operator's default
/// `Mean` as a number.
bool defaults_to_no_reduction(std::string_view function);

/// The differences between the keyword arguments of a call to a function of torch's bindings and
/// those of the operator that it calls.
struct BindingKeywords {
  bool adds_reduction = false;  ///< `reduction=0` (defaults_to_no_reduction)
  /// `requires_grad` is an argument of only the binding, which creates a tensor: None and False have
  /// no effect, other values are an error (unsupported_requires_grad).
  bool drops_requires_grad = false;
};
/// `has_keyword` returns whether the call, which has `num_args` positional arguments, has a keyword
/// argument. `overloads` are those of the operator.
BindingKeywords binding_keywords(std::string_view function,
                                 absl::Span<const OpInfo* const> overloads, size_t num_args,
                                 absl::FunctionRef<bool(std::string_view)> has_keyword);
absl::Status unsupported_requires_grad(std::string_view function);

}  // namespace fx::ops
