// eliminate_dead_code: erases calls without users and without effects.
//
//   %a = aten.mul.Tensor(%x, 2)      (no users: erased)
//   %b = aten.add_.Tensor(%x, 1)     (writes to %x: kept)
//   return %x
#pragma once

#include "fx/ir/graph/graph.h"

#include "absl/status/statusor.h"

#include <functional>

namespace fx {

struct EliminateDeadCodeOptions {
  /// Returns true if a node must be kept although it has no users; replaces is_impure
  /// (fx/ir/calls/call.h). Placeholders and outputs are always kept; in torch.fx, this function
  /// may remove them.
  std::function<bool(const Node&)> is_impure = {};
  /// If false, calls whose only effect is to draw random numbers are also erased, which changes the
  /// numbers of later random calls.
  bool keep_random = true;
};

/// Erases dead nodes of the graph and of its nested graphs; returns true if there were any. Takes
/// linear time. Effects follow from operator schemas, including those of methods: `x.add_(1)` is
/// kept; torch.fx removes it.
absl::StatusOr<bool> eliminate_dead_code(Graph& graph,
                                         const EliminateDeadCodeOptions& options = {});

}  // namespace fx
