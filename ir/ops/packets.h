// The operators that Python functions call.
#pragma once

#include <string>
#include <string_view>

namespace fx::ops {

/// The packet that a Python function calls with tensors: by PyTorch's naming rules
/// (`aten.relu` for `torch.relu`, `aten.fft_fft` for `torch.fft.fft`, `aten.add_` for
/// `torch.Tensor.add_`) or, for Python's operators, as torch.Tensor overloads them
/// (`aten.bitwise_and` for `operator.and_`). Empty for other names; the packet need not exist.
std::string packet_of_function(std::string_view name);

}  // namespace fx::ops
