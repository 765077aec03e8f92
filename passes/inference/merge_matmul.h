// merge_matmul: products with the same right factor become one.
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

/// Merges calls of aten.mm.default, and of torch.matmul and aten.matmul.default on matrices, that
/// read the same right factor, have left factors of known sizes, one dtype and device, and do not
/// depend on each other and have as many products before them; nodes move where that is needed.
/// Returns whether there were any. Rows of a product may be summed in another order. A graph with
/// calls that have effects (writes, random numbers, unknown functions) is left alone, since they
/// might change places. A product that has a part in a result of the graph is cloned, so that
/// results stay in separate memory. Linear, n log n where nodes move.
///
/// torch.fx's experimental.merge_matmul, which knows torch.matmul only, takes tensors of any rank,
/// where it is wrong, and gives up on dependencies that are far apart.
absl::StatusOr<bool> merge_matmul(Graph& graph);

}  // namespace fx
