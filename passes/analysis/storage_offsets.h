// Queries and type updates for passes that change the offset of a value in its storage.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"
#include "fx/passes/shape/shape_prop.h"

namespace fx {

/// True for a call that depends on the offset of an operand in its storage: the offset of
/// `as_strided` counts from the start of the storage, a view with a different element size requires
/// a divisible offset, and the types of a nested graph's inputs state their offsets.
bool reads_storage_offset(const Node& node);

/// Infers the type of a call whose target is not an operator: type_by_lowering, or null.
using OtherCallType = decltype(PropagateOptions::other_call);

/// Infers the type of a call again; the type becomes unknown if it cannot be inferred.
/// `requires_grad` is kept.
void infer_type_again(Node& node, OtherCallType other_call);

/// Infers the types of calls again after a pass has changed the types of the values in `changed`.
/// Updates the typed calls that use such a value, the calls in `changed` that run nested graphs,
/// and the nested graphs that these calls run. Adds the calls whose types change, or may have
/// changed, to `changed`. Takes linear time: one pass in program order.
void retype_users(Graph& graph, NodeSet& changed, OtherCallType other_call);

}  // namespace fx
