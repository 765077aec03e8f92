// Tree specs (torch.utils._pytree): the structure of a program's arguments and results, as JSON text.
#pragma once

#include "fx/ir/graph/argument.h"

#include "absl/status/statusor.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace fx::pt2 {

/// The number of leaves of a spec. InvalidArgument when the text is not one.
absl::StatusOr<size_t> count_leaves(std::string_view spec);

/// The spec of `count` positional arguments without keyword arguments.
std::string positional_spec(size_t count);
/// The spec of a result: a value, or lists, tuples and dicts with text keys of them. Named tuples,
/// whose classes only Python has, become tuples.
std::string result_spec(const Argument& result);
/// The spec of a value, or of a tuple of `count` values.
std::string tuple_or_value_spec(size_t count);

}  // namespace fx::pt2
