// The operators that Python functions call.
#pragma once

#include "fx/ir/ops/op_info.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace fx::ops {

/// The packet that a Python function calls with tensors: by PyTorch's naming rules
/// (`aten.relu` for `torch.relu`, `aten.fft_fft` for `torch.fft.fft`, `aten.add_` for
/// `torch.Tensor.add_`) or, for Python's operators, as torch.Tensor overloads them
/// (`aten.bitwise_and` for `operator.and_`). Empty for other names; the packet need not exist.
std::string packet_of_function(std::string_view name);

/// The differences between torch's bindings and the operators that they call.
///
/// True for a Python function whose arguments torch's bindings parse, such as torch.kl_div: its
/// parameter `reduction` is 0 (none) by default, because the parser reads the operator's default
/// `Mean` as a number.
bool defaults_to_no_reduction(std::string_view function);
/// The same for a call to the function with `num_args` positional arguments and no `reduction`, if
/// its operator has this parameter.
bool omits_reduction(std::string_view function, const OpInfo& op, size_t num_args);
/// True for an operator that creates a tensor with options: its bindings also accept the keyword
/// requires_grad.
bool accepts_requires_grad(const OpInfo& op);

}  // namespace fx::ops
