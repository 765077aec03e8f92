// Python's functions on numbers, which graphs call on sizes: operator.add, math.floor,
// torch.sym_max, ...
#pragma once

#include "fx/ir/graph/argument.h"

#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <string_view>

namespace fx {

/// Returns true for the functions that call_python_number accepts.
bool is_python_number_function(std::string_view function);

/// Returns Python's result for ints, floats and bools: `//` and `%` round down, `/` returns a
/// float, and comparisons return a bool. Returns NotFound for an unknown function, and
/// InvalidArgument for the wrong number of arguments, arguments that are not numbers, division by
/// zero, and integers that do not fit in 64 bits.
absl::StatusOr<Argument> call_python_number(std::string_view function,
                                            absl::Span<const Argument> args);

}  // namespace fx
