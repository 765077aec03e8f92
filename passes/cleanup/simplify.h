// simplify: removes operators that change nothing, by the rules of algebra.
//
//   x + 0, 0 + x, x - 0, x * 1, 1 * x, x / 1, x ** 1     x
//   -(-x), t(t(x)), transpose(transpose(x, a, b), a, b)   x
//   view, reshape, expand, contiguous, ... to the type that x has, to(x's dtype)    x
//   reshape(reshape(x, a), b), view(view(x, a), b)         reshape(x, b), view(x, b)
//   permute(permute(x, p), q)                              permute(x, p of q)
#pragma once

#include "fx/ir/graph/graph.h"

#include "absl/status/statusor.h"

namespace fx {

struct SimplifyOptions {
  /// `-0.0 + 0` is `0.0`: with this, x + 0 stays where x may be a negative zero.
  bool signed_zeros = false;
};

/// Simplifies aten's operators, torch's functions and Python's operators of these names, in a graph
/// and its nested graphs; returns whether anything changed. Results are equal to the bit, except
/// for signs of zeros. Types must be known in full (known_equal): a call goes only where its type,
/// strides included, is that of the value that replaces it, so that a sum that promotes or
/// broadcasts stays. Calls that lose all users are erased. Linear.
///
/// What shares memory stays the same (MemoryAnalysis::may_replace): a call that copies stays where
/// the copy or its source is written, and where its result is returned and the source is an input
/// or is returned too.
absl::StatusOr<bool> simplify(Graph& graph, const SimplifyOptions& options = {});

}  // namespace fx
