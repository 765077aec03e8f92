// eliminate_dead_code: see eliminate_dead_code.h.
#include "fx/passes/cleanup/eliminate_dead_code.h"

#include "fx/ir/calls/call.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/support/status.h"

namespace fx {

absl::StatusOr<bool> eliminate_dead_code(Graph& graph, const EliminateDeadCodeOptions& options) {
  bool changed = false;
  for (Graph& g : all_graphs(graph)) {
    // In reverse order, so that operands are visited after their users.
    for (Node& node : g.nodes().reversed()) {
      if (node.has_uses() || node.is_placeholder() || node.is_output()) continue;
      if (options.is_impure ? options.is_impure(node) : is_impure(node, options.keep_random))
        continue;
      FX_RETURN_IF_ERROR(g.erase_node(&node));
      changed = true;
    }
  }
  return changed;
}

}  // namespace fx
