// Prints the nodes of part of a graph.
#pragma once

#include "fx/ir/graph/node.h"
#include "fx/ir/text/text.h"

#include <functional>
#include <string>

namespace fx {

/// Returns a line, as print(node) does, for each node of the graph and of its nested graphs for
/// which `only` returns true, in the order of all_graphs. A comment with the path of the nested
/// graph precedes its nodes:
///
///   %cond : (f32[2]) = higher_order.cond(%p, @then, @else, [%x]) !{module="gate"}
///   # @then
///   %relu : f32[2] = aten.relu.default(%x) !{module="gate.relu"}
std::string print_nodes(const Graph& graph, const std::function<bool(const Node&)>& only,
                        const PrintOptions& options = {});

}  // namespace fx
