// Part of a graph: the neighbourhood of a node, or a module.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"

#include "absl/status/statusor.h"

#include <string>

namespace fx {

/// What to take. Both: what is in both. Neither: the whole graph.
struct Selection {
  std::string around;  ///< a node's name: nodes that lead to it or follow from it
  int depth = 2;       ///< ... over at most so many edges
  std::string module;  ///< a module's path: its nodes, forward and backward, and its parameters
  bool is_whole() const { return around.empty() && module.empty(); }
};

struct SelectedNodes {
  explicit SelectedNodes(const Graph& graph) : inside(graph), context(graph) {}
  NodeSet inside;
  NodeSet context;  ///< of a module: what its nodes read from outside and who reads them
  size_t size = 0;  ///< of inside
};

/// NotFound, naming what comes near, when there is no such node or module. Paths do not lead
/// through the graph's output, which reads everything.
absl::StatusOr<SelectedNodes> select_nodes(const Graph& graph, const Selection& selection);

}  // namespace fx
