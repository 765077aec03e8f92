// Native shape propagation against the types that a graph came with.
#pragma once

#include "fx/passes/shape/shape_prop.h"

#include <vector>

namespace fx {

struct TypeDifference {
  const Node* node;
  Type expected;  ///< recorded
  Type got;       ///< the null Type: none was found
};

struct GraphComparison {
  size_t nodes = 0;     ///< of the graph and its nested graphs
  size_t compared = 0;  ///< calls with a recorded type
  std::vector<TypeDifference> different;
  ShapeReport report;
};

/// Types a copy of the graph natively, from the types of its inputs, and compares every call that
/// has a recorded type (equal_types). Types with symbols are equal when they are so at five sizes
/// that satisfy the ranges and guards that the graph states (docs/json.md), as one recorder may
/// write s0 where another writes s1 and the guard s0 == s1. The graph is not changed.
GraphComparison compare_with_recorded(const Graph& graph, const PropagateOptions& options = {});

}  // namespace fx
