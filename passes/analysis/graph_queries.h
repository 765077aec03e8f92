// Queries that several passes use.
#pragma once

#include "fx/ir/graph/graph.h"

namespace fx {

/// Whether a call may write to memory of its arguments (`add_`, `out=`, unknown functions). If not,
/// a tensor may be replaced by another one of equal value.
bool writes_to_arguments(const Graph& graph);

/// Whether the call may return memory of its operands: views, and unknown functions.
bool may_share_memory(const Node& node);

/// Whether the output uses the node, directly or within lists.
bool is_returned(const Node& node);

/// Sets the type of `node`, a call_function, from those of its operands (infer_type) if possible;
/// otherwise it stays without a type.
void type_if_known(Node& node);

}  // namespace fx
