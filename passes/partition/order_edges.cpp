// Edges of the order of effects: see order_edges_internal.h.
#include "fx/ir/call.h"
#include "fx/passes/partition/order_edges_internal.h"

namespace fx::internal {

std::vector<std::pair<Node*, Node*>> order_edges(const Graph& graph) {
  using ops::Effect;
  std::vector<std::pair<Node*, Node*>> edges;
  std::vector<Node*> since_write;  // calls behind the last one that writes
  Node* last_write = nullptr;
  Node* last_ordered = nullptr;  // with an effect of any kind
  for (Node& node : graph.nodes()) {
    if (node.is_placeholder() || node.is_output() || node.op() == Opcode::kGetAttr) continue;
    const ops::Effects what = effects(node);
    if (what.has(Effect::kWritesArguments)) {
      for (Node* earlier : since_write) edges.emplace_back(earlier, &node);
      if (since_write.empty() && last_write != nullptr) edges.emplace_back(last_write, &node);
      since_write.clear();
      last_write = last_ordered = &node;
      continue;
    }
    if (last_write != nullptr) edges.emplace_back(last_write, &node);
    if (!what.is_movable()) {
      if (last_ordered != nullptr && last_ordered != last_write)
        edges.emplace_back(last_ordered, &node);
      last_ordered = &node;
    }
    since_write.push_back(&node);
  }
  return edges;
}

}  // namespace fx::internal
