// Queries that several passes use.
#pragma once

#include "fx/ir/graph/graph.h"

namespace fx {

/// True if a call may write to memory of its arguments (`add_`, `out=`, unknown functions). If not,
/// a tensor may be replaced by another one of equal value.
bool writes_to_arguments(const Graph& graph);

/// True if the call may return memory of its operands, as views and unknown functions do.
bool may_share_memory(const Node& node);

/// True if the output uses the node, directly or within lists.
bool is_returned(const Node& node);

/// Sets the type of `node`, a call_function, from the types of its operands (infer_type) if
/// possible; otherwise `node` remains without a type.
void try_infer_type(Node& node);

}  // namespace fx
