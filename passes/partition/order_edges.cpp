// Edges of the order of effects: see order_edges_internal.h.
#include "fx/ir/call.h"
#include "fx/passes/partition/order_edges_internal.h"

namespace fx::internal {

std::vector<std::pair<Node*, Node*>> order_edges(const Graph& graph) {
  using ops::Effect;
  std::vector<std::pair<Node*, Node*>> edges;
  Node* since_write = nullptr;  // the first call behind the last one that writes
  Node* last_write = nullptr;
  Node* last_ordered = nullptr;  // with an effect of any kind
  for (Node& node : graph.nodes()) {
    if (!node.is_call()) continue;
    const ops::Effects what = effects(node);
    if (what.has(Effect::kWritesArguments)) {
      if (since_write == nullptr && last_write != nullptr) edges.emplace_back(last_write, &node);
      for (; since_write != nullptr && since_write != &node; since_write = since_write->next())
        if (since_write->is_call()) edges.emplace_back(since_write, &node);
      since_write = nullptr;
      last_write = last_ordered = &node;
      continue;
    }
    if (last_write != nullptr) edges.emplace_back(last_write, &node);
    if (!what.is_movable()) {
      if (last_ordered != nullptr && last_ordered != last_write)
        edges.emplace_back(last_ordered, &node);
      last_ordered = &node;
    }
    if (since_write == nullptr) since_write = &node;
  }
  return edges;
}

}  // namespace fx::internal
