// See nested_types_internal.h.
#include "fx/ir/calls/graph_call.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/passes/aten/type_by_lowering.h"
#include "fx/passes/functionalize/nested_types_internal.h"
#include "fx/passes/shape/type_updater.h"

#include <cstddef>
#include <utility>

namespace fx::functional {

NestedTypes::NestedTypes(Graph& graph) : graph_(graph) {
  for (const Graph& each : all_graphs(std::as_const(graph))) {
    if (each.num_subgraphs() == 0) continue;
    for (const Node& node : each.nodes())
      if (std::vector<Type> types = types_of(node); !types.empty())
        recorded_.emplace(&node, std::move(types));
  }
}

void NestedTypes::update() {
  if (recorded_.empty()) return;
  std::vector<Graph*> graphs;
  for (Graph& each : all_graphs(graph_))
    if (each.num_subgraphs() > 0) graphs.push_back(&each);
  // Visits inner graphs first, since a call has the types of the results of the graph that it runs.
  for (size_t i = graphs.size(); i-- > 0;) {
    std::vector<Node*> changed;
    for (Node& node : graphs[i]->nodes()) {
      const auto known = recorded_.find(&node);
      if (known != recorded_.end() && known->second != types_of(node)) changed.push_back(&node);
    }
    if (changed.empty()) continue;
    TypeUpdater types(*graphs[i], {.other_call = type_by_lowering});
    for (Node* const node : changed) {
      types.mark(*node);
      // A new value without a type must not keep the recorded type of the graph's input.
      node->for_each_input([&](Node* input) {
        if (!input->type()) types.mark_untyped(*input);
      });
    }
    types.update();
  }
}

/// Returns the types of the operands, then of the results of the nested graphs; empty for other
/// nodes.
std::vector<Type> NestedTypes::types_of(const Node& call) {
  std::vector<Type> types;
  if (call.op() != Opcode::kCallFunction) return types;
  const auto add = [&](const Node* value) { types.push_back(value->type()); };
  const auto graphs = nested_graphs(call);
  if (graphs.empty()) return types;
  call.for_each_input(add);
  for (const Graph* const nested : graphs)
    if (const Node* const output = nested->output_node()) output->for_each_input(add);
  return types;
}

}  // namespace fx::functional
