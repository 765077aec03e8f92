// The order of effects, as edges beside those of operands: which node must stay before which though
// it does not read it.
#pragma once

#include "fx/ir/graph.h"

#include <utility>
#include <vector>

namespace fx::internal {

/// Pairs (earlier, later), by the later one in program order; linear in the nodes. A call that
/// writes to memory, or is unknown, stays behind everything before it and ahead of everything after
/// it; calls that draw random numbers, touch other state or check stay in order among themselves.
/// Placeholders and get_attr are free; an output is no part.
std::vector<std::pair<Node*, Node*>> order_edges(const Graph& graph);

}  // namespace fx::internal
