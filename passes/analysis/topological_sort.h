// topological_sort: puts nodes into an order in which operands stand before their readers.
//
//   %b = aten.relu.default(%a)          %a = aten.neg.default(%x)
//   %a = aten.neg.default(%x)           %b = aten.relu.default(%a)
#pragma once

#include "fx/ir/graph/graph.h"

#include "absl/status/statusor.h"

#include <cstdint>

namespace fx {

enum class NodeOrder : uint8_t {
  /// Of the nodes whose operands are there, the one that stood first: a legal order stays.
  /// torch.fx's stable_topological_sort.
  kStable,
  /// Breadth first from the nodes without operands. torch.fx's legalize_graph, which puts
  /// arithmetic on sizes and assertions on them (operator.add, aten._assert_scalar, ...) ahead.
  kBreadthFirst,
};

struct TopologicalSortOptions {
  NodeOrder order = NodeOrder::kStable;
};

/// Sorts a graph and its nested graphs; returns whether a node moved. The output goes last.
///
/// In a legal graph a call with effects (one that writes, draws random numbers, or is unknown)
/// keeps its place relative to every other call, so that the graph computes the same; torch.fx
/// moves such calls too. FailedPrecondition, naming the nodes, when nodes read each other in a
/// circle; that graph is as it was then. n log n in the nodes, linear when the order is legal
/// already, and breadth first.
absl::StatusOr<bool> topological_sort(Graph& graph, const TopologicalSortOptions& options = {});

/// Puts the nodes of a legal graph (without those of nested ones) into another legal order, drawn
/// from the seed: for finding passes that rely on more than what an order means. Placeholders,
/// output and calls with effects keep their places. Linear.
void shuffle_nodes(Graph& graph, uint64_t seed);

}  // namespace fx
