// Folding dimensions away. Private to passes/shape/.
#pragma once

#include "fx/passes/shape/rules/elementwise_internal.h"

namespace fx::shape {

/// `x` without the flagged dimensions (size 1 with keepdim), row-major.
Type reduced(TypeCall& c, Type x, DType dtype, absl::Span<const bool> dims, bool keepdim);
/// The same from arguments: a list of dimensions, or one (none: all); whether to keep them (-1:
/// no).
Type reduced(TypeCall& c, Type x, DType dtype, int dims, int keepdim);

}  // namespace fx::shape
