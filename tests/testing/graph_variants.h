// Variants of a graph that compute the same: other spellings of calls, types that are known in part,
// calls in nested graphs.
#pragma once

#include "fx/ir/graph/graph.h"
#include "tests/testing/random_graph.h"

namespace fx::testing {

/// Spells the calls of operators in another way: arguments by position or by keyword, defaults
/// written or left out. Returns how many calls changed.
size_t respell(Graph& graph, Random& random);

/// Forgets what some types state: all of it, the sizes and strides, the strides, the dtype.
void forget_types(Graph& graph, Random& random);

/// Spells writes as Python does: `x += y`, `x *= y`, `x[...] = y`, `x.add_(y)`. Returns how many.
size_t spell_writes_in_python(Graph& graph, Random& random);

/// Moves some calls that follow each other into a nested graph, which a call of higher_order.cond (its
/// branches are equal), wrap or wrap_with_set_grad_enabled runs in their place. False when the calls
/// that were drawn read or return more than tensors; the graph is the same then.
bool nest_calls(Graph& graph, Random& random);

}  // namespace fx::testing
