// Compares the types of shape propagation, native or concrete, with the types that a graph records.
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
  Type got;       ///< null if none was inferred
};

struct GraphComparison {
  size_t nodes = 0;     ///< number of nodes of the graph and its nested graphs
  size_t compared = 0;  ///< calls with a recorded type
  /// Sizes that depend on data and were copied from the record (compare_with_recorded).
  size_t sizes_from_data = 0;
  std::vector<TypeDifference> different;
  ShapeReport report;
};

/// Types a copy of the graph natively, from the types of its inputs, and compares every call that
/// has a recorded type (equal_types). Types with symbols are equal if they agree at five samples of
/// sizes that satisfy the ranges and guards of the graph (docs/json.md), since one recorder may
/// write s0 where another writes s1 and the guard s0 == s1. A symbol for a size that
/// depends on data has the size recorded for the first call that uses it. The graph does not
/// change.
GraphComparison compare_with_recorded(const Graph& graph, const PropagateOptions& options = {});

/// Returns values of a graph's symbols: the recorded hints (docs/json.md), or integers that
/// satisfy its ranges and guards. Returns FailedPrecondition if none were found.
absl::StatusOr<SymBindings> example_sizes(const Graph& graph);

/// Returns at most `count` assignments of values to the symbols of a graph's inputs. They satisfy
/// its ranges and guards, and differ from each other and from the hints. Returns fewer if fewer
/// were found.
std::vector<SymBindings> other_sizes(const Graph& graph, size_t count);

/// Replaces the symbols in the types of placeholders and get_attr nodes with these values.
absl::Status set_input_sizes(Graph& graph, const SymBindings& sizes);

/// Compares the types recorded in a graph with the types of a copy (same nodes in the same order)
/// that was typed by other means, usually by running it with inputs of these sizes. A symbol
/// without a size, which depends on data, receives the size at the first node where it occurs
/// alone. Calls in nested graphs without a type in the copy did not run and are not compared.
GraphComparison compare_graph_types(const Graph& recorded, const Graph& typed, SymBindings sizes);

}  // namespace fx
