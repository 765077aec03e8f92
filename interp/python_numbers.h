// Python's functions on numbers, as graphs of sizes call them: operator.add, math.floor,
// torch.sym_max, ...
#pragma once

#include "fx/ir/graph/argument.h"

#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <string_view>

namespace fx {

/// True for the functions that call_python_number knows.
bool is_python_number_function(std::string_view function);

/// What Python gives for ints, floats and bools: `//` and `%` round down, `/` gives a float,
/// comparisons a bool. NotFound when the function is not known; InvalidArgument for arguments that
/// are no numbers or too few or many, division by zero, and integers that leave 64 bits.
absl::StatusOr<Argument> call_python_number(std::string_view function,
                                            absl::Span<const Argument> args);

}  // namespace fx
