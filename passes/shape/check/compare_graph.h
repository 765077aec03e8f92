// Shape propagation, native or concrete, against the types that a graph came with.
#pragma once

#include "fx/ir/symbolic/sym_expr.h"
#include "fx/passes/shape/shape_prop.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <vector>

namespace fx {

struct TypeDifference {
  const Node* node;
  Type expected;  ///< recorded
  Type got;       ///< the null Type: none was found
};

struct GraphComparison {
  size_t nodes = 0;     ///< of the graph and its nested graphs
  size_t compared = 0;  ///< calls with a recorded type; natively those of functions
  /// Sizes that depend on data, which were taken from the record (compare_with_recorded).
  size_t sizes_from_data = 0;
  std::vector<TypeDifference> different;
  ShapeReport report;
};

/// Types a copy of the graph natively, from the types of its inputs, and compares every call that
/// has a recorded type (equal_types). Types with symbols are equal when they are so at five sizes
/// that satisfy the ranges and guards that the graph states (docs/json.md), as one recorder may
/// write s0 where another writes s1 and the guard s0 == s1; a symbol for a size that depends on
/// data has the number that the first call with it was recorded with. The graph is not changed.
GraphComparison compare_with_recorded(const Graph& graph, const PropagateOptions& options = {});

/// Sizes for the symbols of a graph: the hints that it states (docs/json.md), or numbers that
/// satisfy the ranges and guards that it states. FailedPrecondition when none were found.
absl::StatusOr<SymBindings> example_sizes(const Graph& graph);

/// At most `count` other sizes for the symbols of a graph's inputs, that satisfy the ranges and
/// guards that it states; none are its hints. Fewer where few were found.
std::vector<SymBindings> other_sizes(const Graph& graph, size_t count);

/// Gives placeholders and get_attr nodes the types that they have at these sizes.
absl::Status set_input_sizes(Graph& graph, const SymBindings& sizes);

/// Compares the types that a graph came with with those of a copy of it (same nodes in the same
/// order) that was typed otherwise, above all by running it, with inputs of these sizes. A symbol
/// that has no size there gets one from the first node where it stands alone: sizes that depend on
/// data. Calls that the copy has no type of in nested graphs did not run, and are not compared.
GraphComparison compare_graph_types(const Graph& recorded, const Graph& typed, SymBindings sizes);

}  // namespace fx
