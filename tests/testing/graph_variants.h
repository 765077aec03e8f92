// Variants of a graph that compute the same: other spellings of calls, incomplete types, calls in
// nested graphs.
#pragma once

#include "fx/ir/graph/graph.h"
#include "tests/testing/random_graph.h"

namespace fx::testing {

/// Changes the spelling of calls of operators: positional or keyword arguments, explicit or omitted
/// defaults. Returns the number of changed calls.
size_t respell(Graph& graph, Random& random);

/// Removes facts from some types: the whole type, sizes and strides, strides, or the dtype.
void forget_types(Graph& graph, Random& random);

/// Spells writes as Python does: `x += y`, `x *= y`, `x[...] = y`, `x.add_(y)`. Returns their
/// number.
size_t spell_writes_in_python(Graph& graph, Random& random);

/// Moves some consecutive calls into a nested graph, which a call of higher_order.cond (with equal
/// branches), while_loop or scan (the program may then compute different values), wrap or
/// wrap_with_set_grad_enabled runs in their place. Two calls of wrap may run the graph, with operands
/// of other strides. After a scan or wrap, types must be propagated again.
/// Returns false, without a change, if the selected calls use or return values other than tensors.
bool nest_calls(Graph& graph, Random& random);

/// Sets and removes metadata of nodes of the graph and its nested graphs, in a random order.
void change_meta(Graph& graph, Random& random);

}  // namespace fx::testing
