// Derivatives of higher_order.cond: a call to cond whose branches are the derivatives of the
// original branches.
//
//   %cond = higher_order.cond(%p, %yes, %no, [%x])
//   reverse:  higher_order.cond(%p, %yes_gradients, %no_gradients, [%x, %gradient of the result])
//   forward:  higher_order.cond(%p, %yes_tangents, %no_tangents, [%x, %tangent of x])
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/provenance/provenance.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"
#include "fx/passes/autodiff/nested_internal.h"
#include "fx/passes/vmap/functional_aten.h"

#include "fmt/format.h"

#include <string>
#include <utility>
#include <vector>

namespace fx {
namespace {

/// The parts of a call to cond.
struct Branch {
  const Node& call;
  std::vector<Node*> operands;   // null for a constant
  std::vector<size_t> active;    // operands that are differentiated
  std::vector<Argument> inputs;  // all operands, including constants
};

Branch branch_of(const Node& call, const std::function<bool(const Node&)>& is_active) {
  Branch branch{.call = call, .operands = {}, .active = {}, .inputs = {}};
  const Argument list = call.num_args() == 4 ? Argument(call.arg(3)) : Argument::list({});
  for (size_t i = 0; i < list.size(); ++i) {
    branch.inputs.push_back(list[i]);
    branch.operands.push_back(list[i].node());
    if (list[i].is_node() && is_active(*list[i].as_node())) branch.active.push_back(i);
  }
  return branch;
}

/// Returns the graph of a branch, whose active operands are differentiated.
absl::StatusOr<PreparedGraph> prepared_branch(const Branch& branch, size_t argument,
                                              const NestedOptions& options) {
  FX_ASSIGN_OR_RETURN(const std::unique_ptr<Graph> nested,
                      copy_nested_graph(branch.call, branch.call.arg(argument)));
  GradOptions grad{.table = &options.table, .style = options.style};
  const std::vector<Node*> inputs = nested_inputs(*nested);
  if (inputs.size() != branch.operands.size()) {
    return absl::InvalidArgumentError(fmt::format("a branch has {}, but the call has {}",
                                                  pluralize(inputs.size(), "input"),
                                                  pluralize(branch.operands.size(), "operand")));
  }
  for (size_t i = 0; i < inputs.size(); ++i)
    if (branch.operands[i] != nullptr && branch.operands[i]->type())
      change_type(*inputs[i], branch.operands[i]->type());
  for (const size_t i : branch.active) grad.wrt.push_back(inputs[i]->name());
  return PreparedGraph::make(*nested, grad, Dependence::kOptional);
}

Node* add_input(Graph& graph, std::string_view name, const Node& like) {
  const std::vector<Node*> inputs = nested_inputs(graph);
  const InsertPointGuard guard = graph.inserting_after(inputs.empty() ? nullptr : inputs.back());
  return add_nested_input(graph, name, like);
}

/// Adds a call to cond with two derivative graphs, and returns the items of its result.
absl::StatusOr<std::vector<Node*>> call_of(Graph& graph, const Branch& branch,
                                           std::vector<std::unique_ptr<Graph>> graphs,
                                           const std::vector<Node*>& additional_inputs,
                                           std::string_view name) {
  const std::vector<Type> types = result_types(*graphs[0]);
  std::vector<Argument> args = {Argument(branch.call.arg(0))};
  for (size_t i = 0; i < graphs.size(); ++i) {
    FX_ASSIGN_OR_RETURN(
        Argument nested,
        add_derivative_graph(graph, std::move(graphs[i]),
                             fmt::format("{}_{}", i == 0 ? "true" : "false", name)));
    args.push_back(std::move(nested));
  }
  std::vector<Argument> inputs = branch.inputs;
  for (Node* node : additional_inputs) inputs.emplace_back(node);
  args.push_back(Argument::list(inputs));
  return call_items(graph, branch.call.function(), args, types);
}

}  // namespace

absl::StatusOr<std::vector<std::pair<Node*, Node*>>> append_branch_gradients(
    const Node& call, const std::vector<Node*>& gradients, const NestedOptions& options) {
  const Branch branch = branch_of(call, options.is_active);
  std::vector<std::unique_ptr<Graph>> graphs;
  std::vector<Node*> given;
  for (const size_t argument : {size_t{1}, size_t{2}}) {
    FX_ASSIGN_OR_RETURN(PreparedGraph prepared, prepared_branch(branch, argument, options));
    const std::vector<Node*> results = prepared.results();
    std::vector<std::pair<Node*, Node*>> seeds;
    given.clear();
    for (size_t i = 0; i < gradients.size() && i < results.size(); ++i) {
      if (gradients[i] == nullptr) continue;
      given.push_back(gradients[i]);
      Node* const tangent =
          add_input(prepared.graph(), fmt::format("tangents_{}", i + 1), *gradients[i]);
      if (results[i] != nullptr && prepared.is_active(*results[i]))
        seeds.emplace_back(results[i], tangent);
    }
    FX_ASSIGN_OR_RETURN(const std::vector<Node*> derivatives, append_gradients(prepared, seeds));
    FX_RETURN_IF_ERROR(return_values(prepared, derivatives, prepared.inputs()));
    graphs.push_back(prepared.take());
  }
  FX_ASSIGN_OR_RETURN(const std::vector<Node*> items,
                      call_of(options.graph, branch, std::move(graphs), given, "gradients"));
  std::vector<std::pair<Node*, Node*>> result;
  result.reserve(items.size());
  for (size_t i = 0; i < items.size(); ++i)
    result.emplace_back(branch.operands[branch.active[i]], items[i]);
  return result;
}

absl::StatusOr<std::vector<Node*>> append_branch_tangents(
    const Node& call, const std::function<Node*(const Node&)>& tangent_of,
    const NestedOptions& options) {
  const Branch branch = branch_of(call, options.is_active);
  std::vector<std::unique_ptr<Graph>> graphs;
  std::vector<Node*> given;
  given.reserve(branch.active.size());
  for (const size_t i : branch.active) given.push_back(tangent_of(*branch.operands[i]));
  std::vector<bool> has_tangent;
  for (const size_t argument : {size_t{1}, size_t{2}}) {
    FX_ASSIGN_OR_RETURN(PreparedGraph prepared, prepared_branch(branch, argument, options));
    std::vector<std::pair<Node*, Node*>> seeds;
    seeds.reserve(given.size());
    for (size_t i = 0; i < given.size(); ++i) {
      seeds.emplace_back(prepared.inputs()[i],
                         add_input(prepared.graph(), fmt::format("tangents_{}", i + 1), *given[i]));
    }
    std::vector<Node*> results;
    has_tangent.clear();
    for (Node* const result : prepared.results()) {
      has_tangent.push_back(result != nullptr && is_differentiable(result->type()));
      if (has_tangent.back()) results.push_back(result);
    }
    FX_ASSIGN_OR_RETURN(const std::vector<Node*> derivatives,
                        append_tangents(prepared, seeds, results));
    FX_RETURN_IF_ERROR(return_values(prepared, derivatives, results));
    graphs.push_back(prepared.take());
  }
  FX_ASSIGN_OR_RETURN(const std::vector<Node*> items,
                      call_of(options.graph, branch, std::move(graphs), given, "tangents"));
  std::vector<Node*> tangents(has_tangent.size(), nullptr);
  size_t next = 0;
  for (size_t i = 0; i < tangents.size(); ++i)
    if (has_tangent[i]) tangents[i] = items[next++];
  return tangents;
}

}  // namespace fx
