// Shared by branches.cpp, loops.cpp and while_loops.cpp: derivatives of operators that call nested
// graphs.
#pragma once

#include "fx/passes/autodiff/autodiff_internal.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {

// ---- higher_order.cond (branches.cpp)
absl::StatusOr<std::vector<std::pair<Node*, Node*>>> append_branch_gradients(
    const Node& call, const std::vector<Node*>& gradients, const NestedOptions& options);
absl::StatusOr<std::vector<Node*>> append_branch_tangents(
    const Node& call, const std::function<Node*(const Node&)>& tangent_of,
    const NestedOptions& options);

// ---- higher_order.scan and map_impl (loops.cpp)
bool is_loop(const Node& call);
/// Replaces the call with one that also returns the carried values of each step.
absl::StatusOr<std::vector<std::pair<Node*, Node*>>> append_loop_gradients(
    Node& call, const std::vector<Node*>& gradients, const NestedOptions& options);
absl::StatusOr<std::vector<Node*>> append_loop_tangents(
    const Node& call, const std::function<Node*(const Node&)>& tangent_of,
    const NestedOptions& options);

// ---- higher_order.while_loop and while_loop_stack_output (while_loops.cpp, while_gradients.cpp)
bool is_while_loop(const Node& call);
/// Replaces the call with one that also returns the carried values of each step.
absl::StatusOr<std::vector<std::pair<Node*, Node*>>> append_while_gradients(
    Node& call, const std::vector<Node*>& gradients, const NestedOptions& options);
absl::StatusOr<std::vector<Node*>> append_while_tangents(
    const Node& call, const std::function<Node*(const Node&)>& tangent_of,
    const NestedOptions& options);

// ---- Shared (nested.cpp)
/// Returns the placeholders.
std::vector<Node*> nested_inputs(Graph& graph);
/// Adds an input for the gradient or tangent of `like` at the insert point. Appends a number if the
/// name is in use.
Node* add_nested_input(Graph& graph, std::string_view name, const Node& like);
Node* add_nested_input(Graph& graph, std::string_view name, Type type);
/// Returns Unimplemented if a call draws random numbers: a derivative graph recomputes values of
/// the original graph.
absl::Status check_draws_nothing(const Graph& graph);
/// Makes the graph return these values, with zeros like `like` for missing ones. Returns the errors
/// of check_draws_nothing().
absl::Status return_values(const PreparedGraph& prepared, const std::vector<Node*>& values,
                           const std::vector<Node*>& like);
/// Returns the types of a list of results.
std::vector<Type> result_types(const Graph& graph);
/// Adds a nested graph. Its name is `name` followed by a number. Returns the get_attr that reads
/// it.
absl::StatusOr<Argument> add_derivative_graph(Graph& graph, std::unique_ptr<Graph> nested,
                                              std::string_view name);
/// Adds a call that returns a tuple of these types, and returns the items of the tuple.
std::vector<Node*> call_items(Graph& graph, Target function, const std::vector<Argument>& args,
                              const std::vector<Type>& types);

}  // namespace fx
