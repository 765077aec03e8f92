// Chooses the overload of an operator that a Python call refers to.
#pragma once

#include "fx/ir/calls/bind.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/ops/schema.h"

#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <string_view>
#include <vector>

namespace fx {

/// The result of choose_overload.
struct Overload {
  const ops::OpInfo* op = nullptr;
  std::vector<BoundParameter> parameters;  ///< for each parameter of the schema; see bind_arguments
};

struct OverloadOptions {
  /// Python's bindings pass numbers to `add`, `mul` and other arithmetic operators as tensors, and
  /// hide the Scalar overloads (should_allow_numbers_as_tensors in python_arg_parser.cpp). If
  /// false, the Scalar overload, which computes the same result without a tensor, is preferred.
  /// Scalar_out, which does not convert its result to the dtype of `out`, is always hidden.
  bool numbers_as_tensors = true;
};

/// `overloads` are the overloads of `packet` (`aten.add`). Returns the first one that accepts the
/// arguments with the fewest conversions. `call` must have `values`. As in Python, a keyword
/// argument `out=None` is ignored, and None means the default of a list that is empty by default:
/// the parameter counts as not passed. InvalidArgument if no overload accepts the arguments;
/// Unimplemented if one accepts them only with the item of a tensor as a number: Python reads it if
/// the tensor has rank 0 and does not require gradients.
absl::StatusOr<Overload> choose_overload(std::string_view packet,
                                         absl::Span<const ops::OpInfo* const> overloads,
                                         const CallArguments& call,
                                         const OverloadOptions& options = {});

}  // namespace fx
