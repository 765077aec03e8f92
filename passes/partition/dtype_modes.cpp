// Checks that a part of a graph runs in the dtype modes of the graph: check_dtype_modes.
#include "fx/ir/calls/graph_call.h"
#include "fx/ir/graph/graph.h"
#include "fx/passes/partition/outline_internal.h"

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "fmt/format.h"

#include <vector>

namespace fx {

absl::Status internal::check_dtype_modes(const Graph& graph,
                                         absl::FunctionRef<bool(const Node&)> in_part) {
  std::vector<const Node*> active;  // the calls that began the modes of the current call
  for (const Node& node : graph.nodes()) {
    const int change = dtype_mode_change(node);
    if (change > 0) active.push_back(&node);
    if (change < 0 && node.num_args() > 0) std::erase(active, node.arg(0).node());
    if (change != 0 || active.empty() || !node.is_call() || !in_part(node)) continue;
    for (const Node* const begin : active) {
      if (in_part(*begin)) continue;
      return absl::FailedPreconditionError(
          fmt::format("the dtype of %{} depends on %{} ({}), which is not part of the subgraph",
                      node.name(), begin->name(), begin->target()));
    }
  }
  return absl::OkStatus();
}

}  // namespace fx
