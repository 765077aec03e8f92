// merge_matmul: merges matrix products with the same right operand.
//
//   %a = aten.mm.default(%x, %w)        %cat = aten.cat.default([%x, %y])
//   %b = aten.mm.default(%y, %w)   ->   %mm = aten.mm.default(%cat, %w)
//                                       %split = aten.split_with_sizes.default(%mm, [2, 3])
//                                       %a = operator.getitem(%split, 0)
//                                       %b = operator.getitem(%split, 1)
#pragma once

#include "fx/ir/graph/graph.h"

#include "absl/status/statusor.h"

namespace fx {

/// Merges calls to aten.mm.default, and calls to torch.matmul and aten.matmul.default on matrices.
/// Returns true if the graph changed. The calls must be to the same kind of function (aten or
/// torch) and have the same right operand, left operands with a known number of rows, and the same
/// dtype and device. They must not depend on each other: the maximum number of products on a path
/// to each call must be equal. Nodes are moved if necessary. The elements of a product may be
/// summed in a different order. A graph with calls that have effects (writes, random numbers,
/// unknown functions) does not change, since a move might reorder them. A product is cloned if a
/// result of the graph uses its memory, so that results stay in separate memory, or if a call
/// depends on its storage offset. Takes linear time, or O(n log n) if nodes move.
///
/// torch.fx's experimental.merge_matmul supports only torch.matmul, incorrectly merges tensors of
/// other ranks, and does not detect dependencies between distant nodes.
absl::StatusOr<bool> merge_matmul(Graph& graph);

}  // namespace fx
