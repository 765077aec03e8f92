// Helpers of lower_to_aten: facts about calls and their arguments.
#pragma once

#include "fx/ir/graph/argument.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node.h"
#include "fx/ir/ops/op_info.h"

#include "absl/types/span.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace fx::aten {

/// Returns the rank of a function's input, if it is known.
std::optional<int64_t> rank_of_input(absl::Span<const Argument> args,
                                     absl::Span<const Kwarg> kwargs);

/// True for a known dtype, device or layout.
bool is_constant_type(const Argument& value);

/// True for a device or the name of one.
bool is_device(const Argument& value);

/// Returns the index of the result with this name: `values` of torch.max(x, 1).
std::optional<int64_t> result_named(const Node& call, std::string_view name);

/// True if the first argument of an operator may be a number: `pow(2, x)`.
bool accepts_number_first(const Context& context, std::string_view packet);

/// True for an operator whose result is an object in Python but a number in a graph: the dtype of
/// result_type.
bool returns_object(const ops::OpInfo& op);

/// Returns the product of a list of numbers; adds calls for those that are not constants.
Argument product_of(Graph& graph, const Argument& numbers);

}  // namespace fx::aten
