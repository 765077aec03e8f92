// Types of the results of reductions. Private to passes/shape/.
#pragma once

#include "fx/passes/shape/rules/elementwise_internal.h"

namespace fx::shape {

/// Returns the type of `x` reduced over the flagged dimensions, row-major. With keepdim, these have
/// size 1.
Type reduced(TypeCall& c, Type x, DType dtype, absl::Span<const bool> dims, bool keepdim);
/// Like above, but with the indices of the arguments dim (a list or a number; None for all
/// dimensions) and keepdim (-1 if the operator has none).
Type reduced(TypeCall& c, Type x, DType dtype, int dims, int keepdim);

}  // namespace fx::shape
