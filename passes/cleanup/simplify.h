// simplify: takes out operators that change nothing, by the rules of algebra.
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
/// and its nested ones; returns whether anything changed. What is left is equal to the bit, but for
/// signs of zeros. Types must be known: a call goes only where its type is that of what stands for
/// it, strides included, so that a sum that promotes or broadcasts stays. Calls that nobody reads
/// any more are erased. Linear.
///
/// A graph that writes to memory is left alone, since results may share memory with operands
/// afterwards: functionalize it first. What the graph returns does not become an input or a
/// parameter, unless it was a view of it before.
absl::StatusOr<bool> simplify(Graph& graph, const SimplifyOptions& options = {});

}  // namespace fx
