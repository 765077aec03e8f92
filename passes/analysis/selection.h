// Part of a graph: the neighbourhood of a node, or a module.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"

#include "absl/status/statusor.h"

#include <string>

namespace fx {

/// What to select. With both a node and a module, the nodes in both; with neither, the whole graph.
struct Selection {
  std::string around;  ///< a node's name: nodes that it depends on or that depend on it
  int depth = 2;       ///< over at most this number of edges
  std::string module;  ///< a module's path: its nodes, forward and backward, and its parameters
  bool is_whole() const { return around.empty() && module.empty(); }
};

struct SelectedNodes {
  explicit SelectedNodes(const Graph& graph) : inside(graph), context(graph) {}
  NodeSet inside;
  NodeSet context;  ///< of a module: outside operands and users of its nodes
  size_t size = 0;  ///< number of nodes in `inside`
};

/// Returns NotFound, with similar names, if there is no such node or module. Paths do not lead
/// through the graph's output, which uses everything.
absl::StatusOr<SelectedNodes> select_nodes(const Graph& graph, const Selection& selection);

}  // namespace fx
