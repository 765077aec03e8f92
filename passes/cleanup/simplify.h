// simplify: removes redundant operators by algebraic rules.
//
//   x - 0, x + -0.0, x * 1, 1 * x, x / 1, x ** 1, -(-x)   x
//   x + 0, 0 + x             x, if x is an integer or signed_zeros is false
//   t(t(x)), transpose(transpose(x, a, b), a, b)   x
//   view, reshape, expand, contiguous, ... to the type of x, to(x's dtype)    x
//   reshape(reshape(x, a), b), view(view(x, a), b)         reshape(x, b), view(x, b)
//   permute(permute(x, p), q)                              permute(x, p of q)
#pragma once

#include "fx/ir/graph/graph.h"

#include "absl/status/statusor.h"

namespace fx {

struct SimplifyOptions {
  /// If true, calls that may change the sign of a zero are kept: x + 0 of floating-point numbers,
  /// because `-0.0 + 0` is `0.0`; x - 0 and -(-x) of complex numbers.
  bool signed_zeros = true;
};

/// Simplifies ATen operators, torch's functions and Python's operators with these names, in a graph
/// and its nested graphs; returns true if the graph changed. Results are bit-equal, except for the
/// quiet bit of NaNs, which products, quotients and sums set; the sign and payload of NaNs in
/// bfloat16, which libtorch's kernels replace (in vectors with other bits than in the last elements
/// of a tensor); and, without `signed_zeros`, the signs of zeros. Products and quotients of complex
/// numbers are kept, because inf * 0 is NaN.
/// Types must be fully known (known_equal): a call is replaced only by a value of the same type,
/// including strides, so a sum that promotes or broadcasts is kept. Calls that lose all users are
/// erased. Takes linear time, except that a graph is visited again if a reshape of a reshape that may
/// copy is equal to its source.
///
/// Memory sharing does not change (MemoryAnalysis::may_replace): a call that copies is kept if
/// there are writes to the copy or its source, or if its result is returned and the source is an
/// input or a result.
absl::StatusOr<bool> simplify(Graph& graph, const SimplifyOptions& options = {});

}  // namespace fx
