// topological_sort: sorts nodes so that operands come before their users.
//
//   %b = aten.relu.default(%a)          %a = aten.neg.default(%x)
//   %a = aten.neg.default(%x)           %b = aten.relu.default(%a)
#pragma once

#include "fx/ir/graph/graph.h"

#include "absl/status/statusor.h"

#include <cstdint>

namespace fx {

enum class NodeOrder : uint8_t {
  /// Selects the first node in the current order whose operands have been placed, and thus keeps a
  /// valid order. Equivalent to torch.fx's stable_topological_sort.
  kStable,
  /// Proceeds breadth first from the nodes without operands. Equivalent to torch.fx's
  /// legalize_graph, which places arithmetic on sizes and assertions on them (operator.add,
  /// aten._assert_scalar, ...) first.
  kBreadthFirst,
};

struct TopologicalSortOptions {
  NodeOrder order = NodeOrder::kStable;
};

/// Sorts a graph and its nested graphs. Returns whether a node moved. The output comes last.
///
/// In a legal graph, a call with effects (one that writes, draws random numbers, or is unknown)
/// keeps its position relative to every other call, so that the results do not change; torch.fx
/// moves such calls. Returns FailedPrecondition, with the nodes, if nodes depend on each other in a
/// cycle; the graph does not change. Takes O(n log n) time in the number of nodes, and linear time
/// if the order is legal.
absl::StatusOr<bool> topological_sort(Graph& graph, const TopologicalSortOptions& options = {});

/// Reorders the nodes of a legal graph, without nested graphs, to a valid order that the seed
/// determines. Tests use it to find passes that depend on the order. Placeholders, output and calls
/// with effects keep their positions. Takes linear time.
void shuffle_nodes(Graph& graph, uint64_t seed);

}  // namespace fx
