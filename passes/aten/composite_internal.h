// Python's forms that are several operators: indexing, functions of torch.nn.functional.
#pragma once

#include "fx/ir/argument.h"
#include "fx/ir/context.h"
#include "fx/ir/node.h"

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <optional>
#include <string_view>

namespace fx::aten {

/// Adds a call of an operator (`aten.select.int`) whose result has a type where that can be known.
using AddCall = absl::FunctionRef<absl::StatusOr<Node*>(
    std::string_view op, absl::Span<const Argument> args, absl::Span<const Kwarg> kwargs)>;

/// `object[index]` of a tensor, as torch.Tensor.__getitem__ does it: views for integers, slices,
/// None and `...`, then one aten.index.Tensor for tensors and lists of integers. InvalidArgument
/// for more indices than dimensions, or `...` of a tensor whose rank is not known.
absl::StatusOr<Node*> lower_index(const Argument& object, const Argument& index, AddCall add);

/// `object[index] = value`.
absl::Status lower_set_index(const Argument& object, const Argument& index, const Argument& value,
                             AddCall add);

/// What a function of torch gives that is several operators (those of torch 2.13's
/// torch/nn/functional.py and torch/functional.py in the table of composite_functions.cpp); none
/// for another. InvalidArgument when the arguments do not fit it.
absl::StatusOr<std::optional<Argument>> lower_composite(Context& context, std::string_view function,
                                                        absl::Span<const Argument> args,
                                                        absl::Span<const Kwarg> kwargs,
                                                        AddCall add);

}  // namespace fx::aten
