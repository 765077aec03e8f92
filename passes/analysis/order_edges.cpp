// The order of calls with effects: see order_edges.h.
#include "fx/passes/analysis/order_edges.h"

namespace fx::internal {

std::vector<std::pair<Node*, Node*>> order_edges(const Graph& graph) {
  std::vector<std::pair<Node*, Node*>> edges;
  OrderOfEffects effects;
  for (Node& node : graph.nodes())
    effects.visit(node, [&](Node& earlier) { edges.emplace_back(&earlier, &node); });
  return edges;
}

}  // namespace fx::internal
