// Variants of a graph that compute the same: other spellings of calls, and types that are known in
// part.
#pragma once

#include "fx/ir/graph/graph.h"
#include "tests/testing/random_graph.h"

namespace fx::testing {

/// Spells the calls of operators in another way: arguments by position or by keyword, defaults
/// written or left out. Returns how many calls changed.
size_t respell(Graph& graph, Random& random);

/// Forgets what some types state: all of it, the sizes and strides, the strides, the dtype.
void forget_types(Graph& graph, Random& random);

}  // namespace fx::testing
