// eliminate_common_subexpressions: computes once what is computed several times.
//
//   %a = aten.mul.Tensor(%x, 2)
//   %b = aten.mul.Tensor(%x, 2)      (goes; its users read %a)
//   %c = aten.mul.Tensor(%x, 2.0)    (stays: another literal)
//   %r = aten.rand.default([2])      (stays: each call draws anew)
//
// Two calls are the same when opcode, target and arguments are, literals by kind and bits: `x * 1`
// is not `x * True`, which torch.fx's pass merges. Where the graph writes to memory, two calls are
// merged only if nothing wrote to their operands between them, and nothing writes to their results.
// Two results of the graph that are separate tensors stay separate: of two equal calls that make
// memory, both stay when both have a part in a result.
#pragma once

#include "fx/ir/graph/graph.h"

#include "absl/status/statusor.h"

#include <functional>

namespace fx {

struct EliminateCommonSubexpressionsOptions {
  /// Calls for which it returns true stay, in addition to those that must stay.
  std::function<bool(const Node&)> keep = {};
  /// `x + y` is `y + x`: the operands of commutative operators (add without alpha, mul, eq,
  /// bitwise_and, ... of aten and torch; maximum and minimum of integers, since maximum(0.0, -0.0)
  /// depends on the order) are put into program order before calls are compared.
  bool commutative = false;
};

/// Merges equal calls of the graph, and those of each nested graph; returns whether there were any.
/// Linear. The first call stays, with its name and meta data; it receives the type of the others
/// when it has none, and calls with different types are not merged.
absl::StatusOr<bool> eliminate_common_subexpressions(
    Graph& graph, const EliminateCommonSubexpressionsOptions& options = {});

}  // namespace fx
