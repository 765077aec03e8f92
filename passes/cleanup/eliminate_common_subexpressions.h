// eliminate_common_subexpressions: merges calls that compute the same value.
//
//   %a = aten.mul.Tensor(%x, 2)
//   %b = aten.mul.Tensor(%x, 2)      (erased; its users use %a)
//   %c = aten.mul.Tensor(%x, 2.0)    (kept: a different literal)
//   %r = aten.rand.default([2])      (kept: each call draws new numbers)
//
// Two calls are equal if their opcodes, targets and arguments are equal. Literals are compared by
// kind and bits: `x * 1` differs from `x * True`, which torch.fx's pass merges. If the graph writes
// to memory, two calls are merged only if no call between them writes to their operands, and no
// call writes to their results. Separate tensors among the results of the graph stay separate: two
// equal calls that allocate memory are both kept if results of the graph use the memory of both.
#pragma once

#include "fx/ir/graph/graph.h"

#include "absl/status/statusor.h"

#include <functional>

namespace fx {

struct EliminateCommonSubexpressionsOptions {
  /// Calls for which this function returns true are kept, in addition to calls that must be kept.
  std::function<bool(const Node&)> keep = {};
  /// Treats `x + y` as equal to `y + x`: the operands of commutative operators (add of real
  /// numbers without alpha, mul, eq, ...; maximum and minimum of integers) are put into program
  /// order before calls are compared, if their types show that the result has the same strides and
  /// numbers in both orders.
  bool commutative = false;
};

/// Merges equal calls within the graph and within each nested graph; returns true if there were
/// any. Takes linear time. The first call is kept, with its name and metadata. If it has no type,
/// it receives the type of the calls merged into it; calls with different types are not merged.
absl::StatusOr<bool> eliminate_common_subexpressions(
    Graph& graph, const EliminateCommonSubexpressionsOptions& options = {});

}  // namespace fx
