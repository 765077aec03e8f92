// Passes that move a value to another place in a storage.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"
#include "fx/passes/shape/shape_prop.h"

namespace fx {

/// True for a call whose result depends on where an operand is in its storage: the offset of
/// `as_strided` counts from the start of the storage, a view of elements of a different size
/// requires an offset that is divisible, and the inputs of a nested graph have types that state it.
bool reads_place(const Node& node);

/// Types a call that is not an operator: type_by_lowering, or null.
using OtherCallType = decltype(PropagateOptions::other_call);

/// Infers the type of a call again; unknown if it cannot be inferred. `requires_grad` is kept.
void type_again(Node& node, OtherCallType other_call);

/// Infers the types of the typed calls that use a value of `changed`, whose type a pass has
/// changed, and those in the nested graphs that such calls run. A call in `changed` that runs
/// nested graphs is typed too. Adds the calls whose types change, or may have changed, to
/// `changed`. Linear: one walk in program order.
void retype_users(Graph& graph, NodeSet& changed, OtherCallType other_call);

}  // namespace fx
