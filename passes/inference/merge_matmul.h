// merge_matmul: merges products with the same right factor.
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

/// Merges calls of aten.mm.default, and of torch.matmul and aten.matmul.default on matrices. The
/// calls must have the same right factor, left factors of known sizes, and the same dtype and
/// device, must not depend on each other, and must have the same number of products before them;
/// nodes are moved if needed. Returns true if there were any. Rows of a product may be summed in
/// a different order. A graph with calls that have effects (writes, random numbers, unknown
/// functions) does not change, since moving might reorder them. A product whose memory a result of
/// the graph uses is cloned, so that results stay in separate memory. Linear, n log n if nodes
/// move.
///
/// torch.fx's experimental.merge_matmul supports only torch.matmul, accepts tensors of any rank,
/// for which its result is wrong, and does not handle dependencies that are far apart.
absl::StatusOr<bool> merge_matmul(Graph& graph);

}  // namespace fx
