// eliminate_dead_code: removes calls that nobody reads and that do nothing else.
//
//   %a = aten.mul.Tensor(%x, 2)      (nobody reads %a: goes)
//   %b = aten.add_.Tensor(%x, 1)     (writes to %x: stays)
//   return %x
#pragma once

#include "fx/ir/graph/graph.h"

#include "absl/status/statusor.h"

#include <functional>

namespace fx {

struct EliminateDeadCodeOptions {
  /// Returns whether a node must stay although it has no users, in place of is_impure
  /// (fx/ir/calls/call.h).
  /// Placeholders and outputs stay in any case; torch.fx would let such a function remove them.
  std::function<bool(const Node&)> is_impure = {};
  /// False: a call whose only effect is to draw random numbers goes too, which changes what later
  /// random calls draw.
  bool keep_random = true;
};

/// Removes dead nodes of the graph and of its nested graphs; returns whether there were any.
/// Linear. Effects come from operator schemas, methods included: `x.add_(1)` stays, where torch.fx
/// removes it.
absl::StatusOr<bool> eliminate_dead_code(Graph& graph,
                                         const EliminateDeadCodeOptions& options = {});

}  // namespace fx
