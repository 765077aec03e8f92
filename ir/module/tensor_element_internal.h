// Converts between tensor elements and numbers.
#pragma once

#include "fx/ir/graph/argument.h"
#include "fx/ir/types/dtype.h"

#include "absl/status/status.h"

#include <cstddef>
#include <string>

namespace fx::internal {

/// The element at `from`: bool, int, float or complex; an object with its digits for unsigned
/// integers that do not fit in int64; None for dtypes whose elements are not numbers.
Argument read_element(DType dtype, const std::byte* from);

/// Writes one element; 64-bit floats are rounded to float32 first and then to narrower types, as
/// torch does. InvalidArgument when the value does not fit: a float for an integer type, 300 for
/// uint8.
absl::Status write_element(DType dtype, const Argument& value, std::byte* to);

/// Appends the element in Python's notation: "1.0", "3", "True", "(1+2j)"; None as "?".
void append_element(const Argument& value, std::string& out);

}  // namespace fx::internal
