// The edges of a graph, one per use, and traversals along them in networkx's order.
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

/// An edge of a multigraph. `index` numbers the edges between the same two nodes from 0, in the
/// order of the arguments.
struct GraphEdge {
  const Node* from;
  const Node* to;
  uint32_t index;
  friend bool operator==(const GraphEdge&, const GraphEdge&) = default;
};

/// Returns all edges, sorted by user in program order, then by value in the order of its first
/// occurrence among the arguments. Takes linear time.
std::vector<GraphEdge> graph_edges(const Graph& graph);

/// Returns the type of the value of an edge. For an edge to an operator.getitem that selects a
/// result, returns the type of that result.
Type edge_type(const GraphEdge& edge);

enum class EdgeOrientation : uint8_t {
  kOriginal,  ///< from values to their users
  kReverse,   ///< from users to their operands
  kIgnore,    ///< both directions; each edge once
};

/// Returns all edges that are reachable from the sources, breadth first: the result of
/// networkx.edge_bfs for the graph that write_networkx writes, in the same order. An edge always
/// goes from the value to its user, regardless of the direction of the traversal. Takes linear
/// time.
std::vector<GraphEdge> edge_bfs(const Graph& graph, absl::Span<const Node* const> sources,
                                EdgeOrientation orientation = EdgeOrientation::kOriginal);

/// True for a placeholder that is a gradient from which the backward pass starts, according to its
/// metadata `input`. Without this metadata, the name decides, as in the joint graphs of
/// torch.compile (`tangents_1`).
bool is_tangent(const Node& node);
/// Returns the placeholders of a joint graph that are tangents.
std::vector<const Node*> tangents(const Graph& graph);
/// Returns the placeholders of a joint graph that are not tangents.
std::vector<const Node*> primals(const Graph& graph);

}  // namespace fx
