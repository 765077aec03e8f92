// Tree specs (TreeSpec in torch.utils._pytree), which describe the structure of a program's
// arguments and results in JSON.
#pragma once

#include "fx/ir/graph/argument.h"

#include "absl/status/statusor.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace fx::pt2 {

/// Returns the number of leaves of a spec, or InvalidArgument if the text is not a spec.
absl::StatusOr<size_t> count_leaves(std::string_view spec);

/// Returns the spec of `count` positional arguments without keyword arguments.
std::string positional_spec(size_t count);
/// Returns the spec of a result: a value, or nested lists, tuples and dicts with string keys. Named
/// tuples become tuples, because their classes exist only in Python.
std::string result_spec(const Argument& result);
/// Returns the spec of a single value if `count` is 1, otherwise of a tuple of `count` values.
std::string tuple_or_value_spec(size_t count);

}  // namespace fx::pt2
