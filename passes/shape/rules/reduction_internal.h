// The types of results of reductions. Private to passes/shape/.
#pragma once

#include "fx/passes/shape/rules/elementwise_internal.h"

namespace fx::shape {

/// Returns `x` without the flagged dimensions (with size 1 for keepdim), row-major.
Type reduced(TypeCall& c, Type x, DType dtype, absl::Span<const bool> dims, bool keepdim);
/// Does the same with the indices of the arguments that contain the dimensions (a list or a number;
/// None for all) and keepdim (-1: false).
Type reduced(TypeCall& c, Type x, DType dtype, int dims, int keepdim);

}  // namespace fx::shape
