// Selects a part of a graph: the neighborhood of a node, or a module.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"

#include "absl/status/statusor.h"

#include <string>

namespace fx {

/// Selects the nodes that match both a node and a module if both are set, and the whole graph if
/// neither is.
struct Selection {
  std::string around;  ///< the name of a node: selects its operands and users, transitively
  int depth = 2;       ///< the maximum number of edges from that node
  std::string module;  ///< the path of a module: selects its nodes (both passes) and parameters
};

struct SelectedNodes {
  explicit SelectedNodes(const Graph& graph) : inside(graph), context(graph) {}
  NodeSet inside;
  NodeSet context;  ///< for a module, the operands and users of its nodes that are not in it
  size_t size = 0;  ///< number of nodes in `inside`
};

/// Returns NotFound, with similar names, if there is no such node or module. Paths do not pass
/// through the graph's output, which uses all results.
absl::StatusOr<SelectedNodes> select_nodes(const Graph& graph, const Selection& selection);

}  // namespace fx
