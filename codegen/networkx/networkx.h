// Writes graphs for networkx: node-link JSON that networkx.node_link_graph loads as a MultiDiGraph.
//
//   graph = networkx.node_link_graph(json.load(open("g.json")), edges="edges")
//
// Edges are keyed (source, target, index). docs/networkx.md lists the attributes of nodes and
// edges.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/passes/analysis/selection.h"

#include "absl/status/statusor.h"

#include <string>

namespace fx {

struct NetworkxOptions {
  Selection selection = {};
};

/// Returns the JSON text. Returns the errors of select_nodes, and InvalidArgument if a string is
/// not UTF-8.
absl::StatusOr<std::string> write_networkx(const Graph& graph, const NetworkxOptions& options = {});

}  // namespace fx
