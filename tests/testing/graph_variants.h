// Variants of a graph that compute the same results: different forms of calls, incomplete types,
// calls in nested graphs.
#pragma once

#include "fx/ir/graph/graph.h"
#include "tests/testing/random_graph.h"

namespace fx::testing {

/// Changes the form of calls to operators: positional or keyword arguments, explicit or omitted
/// defaults, negative indices of items of lists, and items of slices of lists. Returns the number
/// of changed calls.
size_t respell(Graph& graph, Random& random);

/// Makes some types incomplete: removes the entire type, sizes and strides, strides, or the dtype.
void forget_types(Graph& graph, Random& random);

/// Replaces writes with Python's forms: `x += y`, `x *= y`, `x[...] = y`, `x.add_(y)`. Returns the
/// number of replaced calls.
size_t spell_writes_in_python(Graph& graph, Random& random);

/// Moves some consecutive calls into a nested graph, and replaces them with a call to
/// higher_order.cond (with identical branches), while_loop or scan (the program may then compute
/// different values), wrap or wrap_with_set_grad_enabled. Two calls to wrap may run the graph, with
/// different strides of the operands. After a scan or wrap, types must be propagated again. Returns
/// false without a change if the selected calls use or return values other than tensors.
bool nest_calls(Graph& graph, Random& random);

/// Sets and removes metadata of nodes in the graph and its nested graphs, in a random order.
void change_meta(Graph& graph, Random& random);

}  // namespace fx::testing
