// Derivatives of higher_order.while_loop and while_loop_stack_output: loops whose number of steps
// depends on data.
//
//   %loop = higher_order.while_loop(%condition, %body, [%carried], [%w])
//   reverse:  %loop = higher_order.while_loop_stack_output(%condition, %body, [%carried, %count],
//                 [%w])
//             %saved = [%carried, values that each step returned]          # steps + 1 rows
//             higher_order.while_loop(%count > 0, %body_gradients,
//                 [%count, %gradients of the results, %sums of the gradients of w], [%saved, %w])
//             over the steps from last to first; the loop's results are the last rows of %saved
//   forward:  higher_order.while_loop(%condition, %body_tangents, [%carried, %tangents],
//                 [%w, %tangents])
//
// The number of steps is a carried value, because a loop that runs zero steps also returns one row.
// Carried integers are 0-dimensional tensors in the new loop.
#include "fx/ir/graph/context.h"
#include "fx/ir/support/status.h"
#include "fx/ir/types/strides.h"
#include "fx/passes/analysis/memory.h"
#include "fx/passes/autodiff/while_loops_internal.h"
#include "fx/passes/cleanup/eliminate_dead_code.h"
#include "fx/passes/vmap/functional_aten.h"

#include "fmt/format.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace fx {
namespace {

/// Returns the dimensions in order of decreasing stride; empty if a stride is symbolic.
std::vector<int64_t> memory_order(Type type) {
  std::vector<int64_t> order(static_cast<size_t>(type.rank()));
  std::iota(order.begin(), order.end(), 0);
  for (const Dim& stride : type.strides())
    if (!stride.is_int()) return {};
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](int64_t i) { return type.stride(static_cast<int>(i)).value(); });
  return order;
}

/// True for strides that with_strides() can create, and for unknown strides.
bool is_contiguous_or_permuted(Type type) {
  if (!type.has_rank() || !type.has_strides()) return type.has_rank();
  return is_contiguous(type) || (is_non_overlapping_and_dense(type) && !memory_order(type).empty());
}

}  // namespace

bool is_while_loop(const Node& call) {
  return call.target() == "higher_order.while_loop" || call.target() == kStackedWhileLoop;
}

Type dense_type(const Node& value) {
  const Type type = value.type();
  return value.context().types().tensor(
      {.dtype = type.dtype(), .sizes = type.sizes(), .device = type.device()});
}

Proxy with_strides(const Proxy& value, Type type) {
  if (!type.has_rank() || !type.has_strides() || is_contiguous(type)) return value;
  const std::vector<int64_t> order = memory_order(type);
  if (order.empty()) return value;
  std::vector<int64_t> inverse(order.size());
  for (size_t i = 0; i < order.size(); ++i)
    inverse[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  return permute(clone(permute(value, IntList(order)), MemoryFormat::kContiguous),
                 IntList(inverse));
}

Proxy dense_zeros(const Proxy& value) {
  return zeros_like(value, {}, {}, {}, {}, MemoryFormat::kContiguous);
}

Proxy as_dense(const Proxy& value) {
  if (!value.defined() || is_contiguous(value.node()->type())) return value;
  return clone(value, MemoryFormat::kContiguous);
}

absl::StatusOr<WhileLoop> while_loop_of(const Node& call, const NestedOptions& options) {
  if (call.num_args() != 4 || call.num_kwargs() != 0)
    return absl::InvalidArgumentError("the loop must have 4 positional arguments");
  WhileLoop loop{
      .call = call, .is_stacked = call.target() == kStackedWhileLoop, .operands = {}, .active = {}};
  for (const size_t argument : {size_t{2}, size_t{3}}) {
    const Argument list(call.arg(argument));
    for (size_t i = 0; i < list.size(); ++i) loop.operands.push_back(list[i]);
    if (argument == 2) loop.num_carried = list.size();
  }
  if (call.type().items().size() != loop.num_carried)
    return absl::InvalidArgumentError("the loop must have a result type for each carried value");
  for (size_t i = 0; i < loop.operands.size(); ++i) {
    const Node* const node = loop.operands[i].node();
    const Type type = loop.type(i);
    if (loop.is_carried(i) && !loop.is_integer(i) &&
        !(type.is_tensor() && is_contiguous_or_permuted(type))) {
      return absl::UnimplementedError(
          fmt::format("carried value {} must be an integer or a tensor without gaps or "
                      "overlap, not {}",
                      i, to_string(type)));
    }
    // A carried value may depend on an active value after the first step.
    if (node != nullptr &&
        (loop.is_carried(i) ? is_differentiable(type) : options.is_active(*node)))
      loop.active.push_back(i);
  }
  return loop;
}

absl::StatusOr<std::unique_ptr<Graph>> copy_part(const WhileLoop& loop, size_t argument) {
  FX_ASSIGN_OR_RETURN(std::unique_ptr<Graph> nested,
                      copy_nested_graph(loop.call, loop.call.arg(argument)));
  if (nested->num_nodes(Opcode::kPlaceholder) != loop.operands.size())
    return absl::InvalidArgumentError("the graphs of a loop must have an input for each operand");
  return nested;
}

absl::StatusOr<PreparedGraph> prepared_body(const WhileLoop& loop, const NestedOptions& options) {
  FX_ASSIGN_OR_RETURN(const std::unique_ptr<Graph> nested, copy_part(loop, 1));
  GradOptions grad{.table = &options.table, .style = options.style};
  const std::vector<Node*> inputs = nested_inputs(*nested);
  for (const size_t i : loop.active) grad.wrt.push_back(inputs[i]->name());
  FX_ASSIGN_OR_RETURN(PreparedGraph prepared,
                      PreparedGraph::make(*nested, grad, Dependence::kOptional));
  for (const Node& node : prepared.graph().nodes()) {
    if (is_write_to_input(node)) {
      return absl::UnimplementedError(fmt::format("%{} ({}) in the loop's body writes to an input",
                                                  node.name(), std::string(node.target())));
    }
  }
  if (prepared.results().size() != loop.num_carried)
    return absl::InvalidArgumentError("the body must return exactly the carried values");
  return prepared;
}

absl::Status copy_aliased_values(Graph& body, std::vector<Node*>& values) {
  const MemoryAnalysis memory(body, {.distinct_inputs = true});
  const std::vector<Node*> originals = values;
  const std::vector<Node*> inputs = nested_inputs(body);
  Decomposer tracer(body);
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] == nullptr || !values[i]->type().is_tensor()) continue;
    const auto shares = [&](const Node* other) {
      return other != nullptr && memory.may_share(*originals[i], *other);
    };
    const auto end = originals.begin() + static_cast<std::ptrdiff_t>(i);
    if (is_contiguous(values[i]->type()) && std::none_of(originals.begin(), end, shares) &&
        std::ranges::none_of(inputs, shares))
      continue;
    values[i] = clone(Proxy(*values[i], tracer), MemoryFormat::kContiguous).node();
  }
  return tracer.status();
}

absl::Status return_from_body(Graph& body, const std::vector<Argument>& results) {
  FX_RETURN_IF_ERROR(body.output_node()->set_args({Argument::tuple(results)}));
  FX_RETURN_IF_ERROR(eliminate_dead_code(body).status());
  return check_draws_nothing(body);
}

std::vector<Argument> results_of_part(const Graph& body) {
  const Argument list(body.output_node()->arg(0));
  if (!list.is_list() && !list.is_tuple()) return {list};
  std::vector<Argument> results;
  results.reserve(list.size());
  for (size_t i = 0; i < list.size(); ++i) results.push_back(list[i]);
  return results;
}

absl::StatusOr<std::vector<Node*>> call_while_loop(
    Graph& graph, std::string_view op, std::string_view name, std::unique_ptr<Graph> condition,
    std::unique_ptr<Graph> body, const std::vector<Argument>& carried,
    const std::vector<Argument>& additional, const std::vector<Type>& types) {
  FX_ASSIGN_OR_RETURN(
      const Argument first,
      add_derivative_graph(graph, std::move(condition), fmt::format("condition_{}", name)));
  FX_ASSIGN_OR_RETURN(const Argument second,
                      add_derivative_graph(graph, std::move(body), fmt::format("body_{}", name)));
  return call_items(graph, graph.context().function(op),
                    {first, second, Argument::list(carried), Argument::list(additional)}, types);
}

absl::StatusOr<std::vector<Node*>> append_while_tangents(
    const Node& call, const std::function<Node*(const Node&)>& tangent_of,
    const NestedOptions& options) {
  FX_ASSIGN_OR_RETURN(const WhileLoop loop, while_loop_of(call, options));
  FX_ASSIGN_OR_RETURN(PreparedGraph prepared, prepared_body(loop, options));
  FX_ASSIGN_OR_RETURN(std::unique_ptr<Graph> condition, copy_part(loop, 0));
  FX_RETURN_IF_ERROR(check_draws_nothing(*condition));
  Graph& body = prepared.graph();
  std::vector<Argument> carried = loop.carried(), additional = loop.additional();
  std::vector<std::pair<Node*, Node*>> seeds;
  Decomposer tracer(options.graph);
  for (const size_t i : loop.active) {
    Node* const operand = loop.operands[i].node();
    Node* const given = tangent_of(*operand);
    const Proxy tangent =
        given == nullptr ? dense_zeros(Proxy(*operand, tracer)) : as_dense(Proxy(*given, tracer));
    FX_RETURN_IF_ERROR(tracer.status());
    (loop.is_carried(i) ? carried : additional).emplace_back(tangent.node());
  }
  // The tangents of carried values come after the carried values, and the tangents of additional
  // operands come last.
  for (Graph* const part : {&body, condition.get()}) {
    const std::vector<Node*> inputs = nested_inputs(*part);
    Node* last[] = {inputs[loop.num_carried - 1], inputs.back()};
    for (const size_t i : loop.active) {
      Node*& position = last[loop.is_carried(i) || loop.num_carried == inputs.size() ? 0 : 1];
      const InsertPointGuard guard = part->inserting_after(position);
      position = add_nested_input(*part, fmt::format("tangents_{}", i + 1), dense_type(*inputs[i]));
      if (part == &body) seeds.emplace_back(inputs[i], position);
    }
  }
  std::vector<Node*> results;
  std::vector<size_t> indices;
  for (const size_t i : loop.active) {
    if (!loop.is_carried(i)) continue;
    results.push_back(prepared.results()[i]);
    indices.push_back(i);
  }
  FX_ASSIGN_OR_RETURN(std::vector<Node*> derivatives, append_tangents(prepared, seeds, results));
  std::vector<Argument> returned = results_of_part(body);
  {
    const InsertPointGuard guard = body.inserting_before(prepared.end());
    Decomposer inside(body);
    for (size_t k = 0; k < derivatives.size(); ++k)
      if (derivatives[k] == nullptr) derivatives[k] = zeros_like(Proxy(*results[k], inside)).node();
    FX_RETURN_IF_ERROR(inside.status());
    FX_RETURN_IF_ERROR(copy_aliased_values(body, derivatives));
    returned.insert(returned.end(), derivatives.begin(), derivatives.end());
    FX_RETURN_IF_ERROR(return_from_body(body, returned));
  }
  std::vector<Type> types(call.type().items().begin(), call.type().items().end());
  for (const Node* const tangent : derivatives) {
    DimVector sizes(tangent->type().sizes().begin(), tangent->type().sizes().end());
    if (loop.is_stacked) sizes.insert(sizes.begin(), call.type().items()[0].size(0));
    types.push_back(options.graph.context().types().tensor(
        {.dtype = tangent->type().dtype(), .sizes = sizes, .device = tangent->type().device()}));
  }
  FX_ASSIGN_OR_RETURN(
      const std::vector<Node*> items,
      call_while_loop(options.graph, call.target(), "tangents", std::move(condition),
                      prepared.take(), carried, additional, types));
  std::vector<Node*> tangents(loop.num_carried, nullptr);
  for (size_t k = 0; k < indices.size(); ++k) tangents[indices[k]] = items[loop.num_carried + k];
  return tangents;
}

}  // namespace fx
