// Passes that move a value to another place in a storage.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"

namespace fx {

/// True for a call whose result depends on where an operand is in its storage: the offset of
/// `as_strided` counts from the start of the storage, a view of elements of a different size
/// requires an offset that is divisible, and the inputs of a nested graph have types that state it.
bool reads_place(const Node& node);

/// Infers the types of the typed calls that use a value of `changed`, whose type a pass has
/// changed, and those in the nested graphs that such calls run. Adds the calls whose types change to
/// `changed`. Linear: one walk in program order.
void retype_users(Graph& graph, NodeSet& changed);

}  // namespace fx
