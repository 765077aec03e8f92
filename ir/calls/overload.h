// Which overload of an operator a call of Python means.
#pragma once

#include "fx/ir/calls/bind.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/ops/schema.h"

#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <optional>
#include <string_view>
#include <vector>

namespace fx {

/// How many conversions make a value one of this type: an int for a float, a number for a tensor,
/// one number for a list of fixed size count one each. nullopt when the value does not fit.
std::optional<int> conversions_to(const ops::SchemaType& type, const PassedValue& value);

/// What choose_overload chose.
struct Overload {
  const ops::OpInfo* op = nullptr;
  std::vector<BoundParameter> parameters;  ///< one for each of the schema's; see bind_arguments
};

struct OverloadOptions {
  /// Python's bindings pass numbers to `add`, `mul` and further operators of arithmetic as tensors,
  /// and hide the overloads of Scalar (should_allow_numbers_as_tensors in python_arg_parser.cpp).
  /// False prefers the overload of Scalar, which computes the same and needs no tensor.
  bool numbers_as_tensors = true;
};

/// Of `overloads`, those of `packet` (`aten.add`), the one that accepts the arguments with the
/// fewest conversions, and the first of these. `call` must have `values`. A keyword argument
/// `out=None` counts as left out, as in Python. InvalidArgument when no overload accepts the
/// arguments.
absl::StatusOr<Overload> choose_overload(std::string_view packet,
                                         absl::Span<const ops::OpInfo* const> overloads,
                                         const CallArguments& call,
                                         const OverloadOptions& options = {});

}  // namespace fx
