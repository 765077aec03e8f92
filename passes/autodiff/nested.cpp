// Shared by branches.cpp, loops.cpp and while_loops.cpp: derivatives of nested graphs, and calls to
// nested graphs.
#include "fx/ir/calls/call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/support/status.h"
#include "fx/passes/autodiff/nested_internal.h"
#include "fx/passes/cleanup/eliminate_dead_code.h"

#include "fmt/format.h"

#include <string>
#include <utility>

namespace fx {

absl::StatusOr<std::vector<std::pair<Node*, Node*>>> append_nested_gradients(
    Node& call, const std::vector<Node*>& gradients, const NestedOptions& options) {
  if (is_while_loop(call)) return append_while_gradients(call, gradients, options);
  return is_loop(call) ? append_loop_gradients(call, gradients, options)
                       : append_branch_gradients(call, gradients, options);
}

absl::StatusOr<std::vector<Node*>> append_nested_tangents(
    const Node& call, const std::function<Node*(const Node&)>& tangent_of,
    const NestedOptions& options) {
  if (is_while_loop(call)) return append_while_tangents(call, tangent_of, options);
  return is_loop(call) ? append_loop_tangents(call, tangent_of, options)
                       : append_branch_tangents(call, tangent_of, options);
}

std::vector<Node*> nested_inputs(Graph& graph) {
  std::vector<Node*> inputs;
  for (Node& node : graph.nodes())
    if (node.is_placeholder()) inputs.push_back(&node);
  return inputs;
}

Node* add_nested_input(Graph& graph, std::string_view name, const Node& like) {
  return add_nested_input(graph, name, gradient_type(like));
}

Node* add_nested_input(Graph& graph, std::string_view name, Type type) {
  std::string unique_name(name);
  for (int number = 1; graph.find_node(unique_name) != nullptr; ++number)
    unique_name = fmt::format("{}_{}", name, number);
  return graph.placeholder(unique_name, {.type = type});
}

absl::Status check_draws_nothing(const Graph& graph) {
  for (const Node& node : graph.nodes()) {
    if (!node.is_call() || !effects(node).has(ops::Effect::kRandom)) continue;
    return absl::UnimplementedError(
        fmt::format("%{} ({}) in a nested graph may draw random numbers, and the derivative would "
                    "draw different ones: draw them before the call, and pass them as operands",
                    node.name(), std::string(node.target())));
  }
  return absl::OkStatus();
}

absl::Status return_values(const PreparedGraph& prepared, const std::vector<Node*>& values,
                           const std::vector<Node*>& like) {
  Graph& graph = prepared.graph();
  const InsertPointGuard guard = graph.inserting_before(prepared.end());
  Decomposer tracer(graph);
  std::vector<Argument> results;
  for (size_t i = 0; i < values.size(); ++i) {
    Node* const value =
        values[i] != nullptr ? values[i] : zeros_like(Proxy(*like[i], tracer)).node();
    results.emplace_back(value);
  }
  FX_RETURN_IF_ERROR(tracer.status());
  Node* const output = graph.output_node();
  FX_RETURN_IF_ERROR(output->set_args({Argument::list(results)}));
  FX_RETURN_IF_ERROR(eliminate_dead_code(graph).status());
  return check_draws_nothing(graph);
}

std::vector<Type> result_types(const Graph& graph) {
  std::vector<Type> types;
  const Argument results(graph.output_node()->arg(0));
  types.reserve(results.size());
  for (size_t i = 0; i < results.size(); ++i) types.push_back(results[i].node()->type());
  return types;
}

absl::StatusOr<Argument> add_derivative_graph(Graph& graph, std::unique_ptr<Graph> nested,
                                              std::string_view name) {
  std::string unique_name;
  int number = 0;
  do unique_name = fmt::format("{}_{}", name, number++);
  while (graph.find_subgraph(unique_name) != nullptr);
  FX_RETURN_IF_ERROR(graph.add_subgraph(unique_name, std::move(nested)).status());
  return Argument(graph.get_attr(unique_name));
}

std::vector<Node*> call_items(Graph& graph, Target function, const std::vector<Argument>& args,
                              const std::vector<Type>& types) {
  Node* const call =
      graph.call_function(function, args, {}, {.type = graph.context().types().tuple(types)});
  std::vector<Node*> items;
  items.reserve(types.size());
  for (size_t i = 0; i < types.size(); ++i) {
    items.push_back(graph.call_function(graph.context().function("operator.getitem"),
                                        {Argument(call), Argument(static_cast<int64_t>(i))}, {},
                                        {.type = types[i]}));
  }
  return items;
}

}  // namespace fx
