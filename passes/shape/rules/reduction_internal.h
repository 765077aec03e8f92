// Results of reductions.
// Private to passes/shape/.
#pragma once

#include "fx/passes/shape/rules/elementwise_internal.h"

namespace fx::shape {

/// `x` without the flagged dimensions (of size 1 with keepdim), row-major.
Type reduced(TypeCall& c, Type x, DType dtype, absl::Span<const bool> dims, bool keepdim);
/// The same with the numbers of the arguments that contain the dimensions (a list or a number; None
/// for all) and keepdim (-1: false).
Type reduced(TypeCall& c, Type x, DType dtype, int dims, int keepdim);

}  // namespace fx::shape
