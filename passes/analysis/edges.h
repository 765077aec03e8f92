// The edges of a graph, one per occurrence of a value among the arguments of a node, and walks
// along them in networkx's order.
//
//   for (const fx::GraphEdge& edge : fx::edge_bfs(graph, sources))
//     std::cout << edge.from->name() << " -> " << edge.to->name() << ": "
//               << to_string(edge_type(edge)) << "\n";
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/types/type.h"

#include "absl/types/span.h"

#include <cstdint>
#include <vector>

namespace fx {

/// An edge of a multigraph: `index` counts those between the same two nodes, from 0, in the order
/// of the arguments.
struct GraphEdge {
  const Node* from;
  const Node* to;
  uint32_t index;
  friend bool operator==(const GraphEdge&, const GraphEdge&) = default;
};

/// All edges: by the node that reads, in program order; then by the value, in the order in which
/// the arguments first name it. Linear.
std::vector<GraphEdge> graph_edges(const Graph& graph);

/// What flows along an edge: the type of the value; on the way to an operator.getitem that picks a
/// result, the type of that result.
Type edge_type(const GraphEdge& edge);

enum class EdgeOrientation : uint8_t {
  kOriginal,  ///< from values to the nodes that read them
  kReverse,   ///< from nodes to what they read
  kIgnore,    ///< both; each edge once
};

/// All edges that can be reached from the sources, breadth first: what networkx.edge_bfs gives for
/// the graph that write_networkx writes, in the same order. An edge always runs from the value to
/// its reader, however it was walked. Linear.
std::vector<GraphEdge> edge_bfs(const Graph& graph, absl::Span<const Node* const> sources,
                                EdgeOrientation orientation = EdgeOrientation::kOriginal);

/// The inputs of a joint graph: placeholders that are tangents, and all others.
std::vector<const Node*> tangents(const Graph& graph);
std::vector<const Node*> primals(const Graph& graph);

}  // namespace fx
