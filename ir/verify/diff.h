// Structural diff: tests whether two graphs are equal, and finds their first difference.
//
//   if (std::optional<fx::GraphDifference> d = fx::first_difference(a, b, {.ignore_names = true}))
//     std::cerr << d->message;
//
//   node 12: %relu = aten.relu.default(%conv) vs. %gelu = aten.gelu.default(%conv): targets
//   differ: aten.relu.default vs. aten.gelu.default
//
// The graphs may have different Contexts. Nodes are compared in program order, operands by their
// positions in program order, so that names need not agree. Symbolic sizes are compared by their
// canonical form.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace fx {

class Graph;
class Node;

struct DiffOptions {
  bool ignore_names = false;  ///< node names and targets of placeholders
  bool ignore_meta = false;   ///< metadata of nodes and graphs
  bool ignore_types = false;
};

enum class DifferenceKind : uint8_t {
  kOpcode,
  kTarget,
  kName,
  kNumArgs,
  kArgument,  ///< of a positional or keyword argument
  kKeywords,  ///< the set of keywords, or their order
  kType,
  kMeta,       ///< of a node
  kLength,     ///< one graph ends before the other
  kSubgraphs,  ///< number or names of nested graphs
  kGraphMeta,
};

/// The first difference between two graphs.
struct GraphDifference {
  DifferenceKind kind;
  const Graph* left_graph;  ///< the graphs, or the nested graphs, where it is
  const Graph* right_graph;
  const Node* left;  ///< null if the difference is not in a node, or the graph has ended
  const Node* right;
  size_t index;         ///< the number of the node in program order
  std::string message;  ///< with nodes, positions and values of both graphs
};

/// The first difference; nullopt if the graphs are equal. Takes time linear in nodes and arguments,
/// including nested graphs.
std::optional<GraphDifference> first_difference(const Graph& left, const Graph& right,
                                                const DiffOptions& options = {});

inline bool structurally_equal(const Graph& left, const Graph& right,
                               const DiffOptions& options = {}) {
  return !first_difference(left, right, options).has_value();
}

}  // namespace fx
