// Questions that several passes ask about a graph.
#pragma once

#include "fx/ir/graph/graph.h"

namespace fx {

/// Some call writes to memory that it was given (`add_`, `out=`), or is unknown and may. Without
/// such a call a tensor may stand for another one of equal value.
bool writes_to_arguments(const Graph& graph);

/// The call may give memory of its operands again: views, and what is not known.
bool may_share_memory(const Node& node);

/// The output reads it, directly or within lists.
bool is_returned(const Node& node);

/// Gives `node`, a call_function, its type from those of its operands where that can be known
/// (infer_type); it stays without one otherwise.
void type_if_known(Node& node);

}  // namespace fx
