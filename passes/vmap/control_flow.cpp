// Batches control flow. If all examples share the condition of a branch or loop, it runs over
// batches. If the condition differs between examples, both branches run and each example selects
// its result, and a loop runs until it has ended for all examples.
#include "fx/ir/calls/call.h"
#include "fx/ir/calls/graph_call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/graph/provenance/provenance.h"
#include "fx/ir/support/status.h"
#include "fx/ir/types/strides.h"
#include "fx/passes/vmap/batcher_internal.h"
#include "fx/passes/vmap/functional_aten.h"

#include "fmt/format.h"

#include <algorithm>

namespace fx {
namespace {

/// Returns the items of the results of a graph; a single item for a result that is not a list.
std::vector<Argument> results_of(const Graph& graph) {
  const Argument value(graph.output_node()->arg(0));
  if (!value.is_list() && !value.is_tuple()) return {value};
  std::vector<Argument> items;
  items.reserve(value.size());
  for (size_t i = 0; i < value.size(); ++i) items.push_back(value[i]);
  return items;
}

std::vector<Type> types_of_results(const Graph& graph) {
  std::vector<Type> types;
  const std::vector<Argument> results = results_of(graph);
  types.reserve(results.size());
  for (const Argument& item : results)
    types.push_back(item.is_node() ? item.as_node()->type() : graph.context().types().none());
  return types;
}

bool any(const std::vector<bool>& flags) { return std::ranges::find(flags, true) != flags.end(); }

bool has_effects(const Graph& graph) {
  for (const Node& node : graph.nodes())
    if (node.is_call() && is_impure(node)) return true;
  return false;
}

}  // namespace

bool Batcher::visit_control_flow(Node& call) {
  const std::string_view name = call.target();
  if (!name.starts_with("higher_order.")) return false;
  absl::Status status;
  if (name == "higher_order.cond") {
    status = cond(call);
  } else if (name == "higher_order.while_loop" || name == "higher_order.while_loop_stack_output") {
    status = while_loop(call);
  } else if (name == "higher_order.map_impl") {
    status = map_or_scan(call, false);
  } else if (name == "higher_order.scan") {
    status = map_or_scan(call, true);
  } else if (const auto graph = graph_call(call); graph.ok() && *graph) {
    status = graph_call_of(call);
  } else {
    status = absl::UnimplementedError("its nested graphs are not supported");
  }
  if (status.ok()) status = batch_.status();
  if (!status.ok()) reject(call, std::string(status.message()));
  return true;
}

// ---------------------------------------------------------------- nested graphs

/// Returns a contiguous tensor, which the type of a batched input of a nested graph specifies. The
/// batch of an operand may have other strides: `moved` permutes, `expanded` repeats.
Proxy Batcher::contiguous(const Proxy& x) {
  const Type type = x.defined() ? x.node()->type() : Type();
  if (!type.is_tensor() || !type.has_rank() || is_contiguous(type)) return x;
  return x.clone(MemoryFormat::kContiguous);
}

Batcher::Operands Batcher::operands_of(const Argument& list) {
  Operands operands;
  for (size_t i = 0; i < list.size(); ++i) {
    Node* const node = list[i].node();
    const bool is_batched = node != nullptr && batch_.is_batched(*node);
    operands.is_batched.push_back(is_batched);
    operands.types.push_back(node != nullptr ? node->type() : Type());
    operands.values.push_back(is_batched ? Batch::as_argument(contiguous(batch_.plain(*node)))
                                         : list[i]);
  }
  return operands;
}

absl::StatusOr<BatchedGraph> Batcher::batched_nested(const Graph& nested,
                                                     absl::Span<const Type> types,
                                                     const std::vector<bool>& is_batched,
                                                     BatchedResults results) {
  std::unique_ptr<Graph> copy = nested.clone();
  std::vector<BatchDim> dims;
  for (Node& node : copy->nodes()) {
    if (!node.is_placeholder()) continue;
    const size_t i = dims.size();
    if (i < types.size() && types[i]) change_type(node, types[i]);
    dims.push_back(i < is_batched.size() && is_batched[i] ? BatchDim(0) : std::nullopt);
  }
  return batch_graph(std::move(copy), dims, results, run_);
}

absl::StatusOr<Argument> Batcher::add_nested(std::unique_ptr<Graph> nested, std::string_view name) {
  const std::string unique_name = unused_subgraph_name(graph_, name);
  FX_RETURN_IF_ERROR(graph_.add_subgraph(unique_name, std::move(nested)).status());
  return Argument(graph_.get_attr(unique_name));
}

/// Copies the nodes of a graph to the insert point, and returns its results.
absl::StatusOr<std::vector<Argument>> Batcher::inlined(const Graph& nested,
                                                       absl::Span<const Argument> operands) {
  if (nested.num_subgraphs() > 0)
    return absl::UnimplementedError("nested graphs inside nested graphs are not supported");
  if (has_effects(nested))
    return absl::UnimplementedError(
        "a nested graph with effects is not supported, because it would run for all examples");
  NodeMapping map;
  size_t next = 0;
  for (const Node& node : nested.nodes())
    if (node.is_placeholder() && next < operands.size()) map.emplace(&node, operands[next++]);
  FX_ASSIGN_OR_RETURN(const std::optional<Argument> value, graph_.graph_copy(nested, map));
  if (!value) return absl::InvalidArgumentError("a nested graph must have an output");
  if (!value->is_list() && !value->is_tuple()) return std::vector<Argument>{*value};
  std::vector<Argument> items;
  items.reserve(value->size());
  for (size_t i = 0; i < value->size(); ++i) items.push_back((*value)[i]);
  return items;
}

/// Maps each result of `call` to the same result of `batched_call`, whose batch is dimension `dim`.
absl::Status Batcher::set_items(Node& call, Node& batched_call, const std::vector<bool>& is_batched,
                                int64_t dim) {
  replaced_.push_back(&call);
  batch_.batched_[call] = &call;
  for (size_t i = 0; i < is_batched.size(); ++i) {
    Proxy item = Proxy(batched_call, batch_)[static_cast<int64_t>(i)];
    if (is_batched[i] && dim != 0) item = batch_.moved(item, dim, 0);
    items_[&call].push_back({Batch::as_argument(item), !is_batched[i]});
  }
  return batch_.status();
}

/// Returns the conditions of all examples, which broadcast to a batch of this rank.
Proxy Batcher::condition_of_rank(const Proxy& condition, int64_t rank) {
  const Proxy flags =
      batch_.rank(condition) > 1 ? batch_.reshape(condition, {batch_.batch_size()}) : condition;
  return batch_.unsqueeze_to(flags, rank);
}

// ---------------------------------------------------------------- branches

absl::Status Batcher::cond(Node& call) {
  if (call.num_args() != 4) return absl::InvalidArgumentError("it must have 4 arguments");
  Node* const condition = call.arg(0).node();
  const bool chooses = condition != nullptr && batch_.is_batched(*condition);
  FX_ASSIGN_OR_RETURN(const auto true_graph, copy_nested_graph(call, call.arg(1)));
  FX_ASSIGN_OR_RETURN(const auto false_graph, copy_nested_graph(call, call.arg(2)));
  const Operands operands = operands_of(Argument(call.arg(3)));
  constexpr BatchedResults kAsIs = BatchedResults::kAsIs;
  FX_ASSIGN_OR_RETURN(BatchedGraph a,
                      batched_nested(*true_graph, operands.types, operands.is_batched, kAsIs));
  FX_ASSIGN_OR_RETURN(BatchedGraph b,
                      batched_nested(*false_graph, operands.types, operands.is_batched, kAsIs));
  if (chooses) {
    FX_ASSIGN_OR_RETURN(const std::vector<Argument> first, inlined(*a.graph, operands.values));
    FX_ASSIGN_OR_RETURN(const std::vector<Argument> second, inlined(*b.graph, operands.values));
    if (first.size() != second.size() || first.size() != call.type().items().size())
      return absl::InvalidArgumentError(
          "its branches and its type must have the same number of results");
    const Proxy flags = batch_.plain(*condition);
    std::vector<Argument> items;
    for (size_t i = 0; i < first.size(); ++i) {
      if (!first[i].is_node() || !second[i].is_node())
        return absl::UnimplementedError("every result must be a tensor");
      const Proxy x(*first[i].as_node(), batch_), y(*second[i].as_node(), batch_);
      const Proxy chosen = condition_of_rank(flags, call.type().items()[i].rank() + 1);
      items.push_back(AnyArg(fx::where(chosen, x, y)).value());
    }
    if (batch_.status().ok()) set_result(call, AnyArg(Operand(Argument::tuple(items), &batch_)));
    return absl::OkStatus();
  }
  if (a.is_batched != b.is_batched) {
    FX_ASSIGN_OR_RETURN(
        a, batched_nested(*true_graph, operands.types, operands.is_batched, BatchedResults::kAll));
    FX_ASSIGN_OR_RETURN(
        b, batched_nested(*false_graph, operands.types, operands.is_batched, BatchedResults::kAll));
  }
  const Type type = graph_.context().types().tuple(types_of_results(*a.graph));
  const std::vector<bool> is_batched = a.is_batched;
  FX_ASSIGN_OR_RETURN(const Argument first, add_nested(std::move(a.graph), "batched_true"));
  FX_ASSIGN_OR_RETURN(const Argument second, add_nested(std::move(b.graph), "batched_false"));
  Node* const batched_call = graph_.call_function(
      call.function(), {Argument(call.arg(0)), first, second, Argument::list(operands.values)}, {},
      {.name = "cond", .type = type});
  return set_items(call, *batched_call, is_batched);
}

/// Handles a call that runs a graph once.
absl::Status Batcher::graph_call_of(Node& call) {
  FX_ASSIGN_OR_RETURN(const std::optional<GraphCall> parts, graph_call(call));
  FX_ASSIGN_OR_RETURN(const auto nested, copy_nested_graph(call, call.arg(parts->graph)));
  std::vector<Argument> list;
  list.reserve(call.num_args());
  for (size_t i = parts->first_operand; i < call.num_args(); ++i) list.emplace_back(call.arg(i));
  const Operands operands = operands_of(Argument::list(list));
  FX_ASSIGN_OR_RETURN(
      BatchedGraph batched,
      batched_nested(*nested, operands.types, operands.is_batched, BatchedResults::kAll));
  const std::vector<Type> types = types_of_results(*batched.graph);
  const bool is_tuple = call.type().is_tuple() || call.type().is_list();
  FX_ASSIGN_OR_RETURN(const Argument graph, add_nested(std::move(batched.graph), "batched_body"));
  std::vector<Argument> args = call.args();
  args[parts->graph] = graph;
  for (size_t i = 0; i < operands.values.size(); ++i)
    args[parts->first_operand + i] = operands.values[i];
  const Type type = is_tuple || types.empty() ? graph_.context().types().tuple(types) : types[0];
  Node* const node = graph_.call_function(call.function(), args, call.kwargs(), {.type = type});
  if (is_tuple) return set_items(call, *node, batched.is_batched);
  set_result(call, Proxy(*node, batch_));
  return absl::OkStatus();
}

// ---------------------------------------------------------------- loops

/// Handles while_loop, and while_loop_stack_output, which returns the carried values of each step.
absl::Status Batcher::while_loop(Node& call) {
  const bool is_stacked = call.target() == "higher_order.while_loop_stack_output";
  if (call.num_args() < 3) return absl::InvalidArgumentError("it must have at least 3 arguments");
  FX_ASSIGN_OR_RETURN(const auto condition, copy_nested_graph(call, call.arg(0)));
  FX_ASSIGN_OR_RETURN(const auto body, copy_nested_graph(call, call.arg(1)));
  Operands operands = operands_of(Argument(call.arg(2)));
  const Argument carried_list(call.arg(2));
  const size_t carried = operands.values.size();
  if (call.num_args() > 3) {
    const Operands additional = operands_of(Argument(call.arg(3)));
    operands.values.insert(operands.values.end(), additional.values.begin(),
                           additional.values.end());
    operands.types.insert(operands.types.end(), additional.types.begin(), additional.types.end());
    operands.is_batched.insert(operands.is_batched.end(), additional.is_batched.begin(),
                               additional.is_batched.end());
  }
  // The body determines which carried values depend on the batch. This may take several iterations.
  BatchedGraph step;
  for (;;) {
    FX_ASSIGN_OR_RETURN(
        step, batched_nested(*body, operands.types, operands.is_batched, BatchedResults::kAsIs));
    bool has_changed = false;
    for (size_t i = 0; i < carried && i < step.is_batched.size(); ++i) {
      has_changed |= step.is_batched[i] && !operands.is_batched[i];
      operands.is_batched[i] = operands.is_batched[i] || step.is_batched[i];
    }
    if (!has_changed) break;
  }
  FX_ASSIGN_OR_RETURN(
      BatchedGraph test,
      batched_nested(*condition, operands.types, operands.is_batched, BatchedResults::kAsIs));
  const bool differs = any(test.is_batched);
  if (differs && is_stacked)
    return absl::UnimplementedError(
        "the examples have different numbers of steps, but its results have a row for each step");
  if (differs) std::fill_n(operands.is_batched.begin(), carried, true);
  // Either all carried values are batched or none, because a body returns the types of its
  // operands.
  const bool is_all =
      any(std::vector<bool>(operands.is_batched.begin(),
                            operands.is_batched.begin() + static_cast<std::ptrdiff_t>(carried)));
  if (is_all) std::fill_n(operands.is_batched.begin(), carried, true);
  const BatchedResults mode = is_all ? BatchedResults::kAll : BatchedResults::kAsIs;
  FX_ASSIGN_OR_RETURN(step, batched_nested(*body, operands.types, operands.is_batched, mode));
  FX_ASSIGN_OR_RETURN(
      test, batched_nested(*condition, operands.types, operands.is_batched, BatchedResults::kAsIs));
  for (size_t i = 0; i < carried && is_all; ++i)
    if (Node* const node = carried_list[i].node())
      operands.values[i] = Batch::as_argument(contiguous(batch_.expanded(*node)));
  FX_RETURN_IF_ERROR(batch_.status());
  if (any(test.is_batched)) {
    FX_ASSIGN_OR_RETURN(step.graph, chosen_steps(*test.graph, *step.graph, carried));
    FX_RETURN_IF_ERROR(any_example(*test.graph));
  }
  std::vector<Type> results = types_of_results(*step.graph);
  const absl::Span<const Type> rows = call.type().items();
  for (size_t i = 0; is_stacked && i < results.size(); ++i)
    results[i] = stacked_type(results[i], i < rows.size() ? rows[i] : Type());
  const Type type = graph_.context().types().tuple(results);
  FX_ASSIGN_OR_RETURN(const Argument first, add_nested(std::move(test.graph), "batched_condition"));
  FX_ASSIGN_OR_RETURN(const Argument second, add_nested(std::move(step.graph), "batched_body"));
  const auto split = operands.values.begin() + static_cast<std::ptrdiff_t>(carried);
  Node* const batched_call = graph_.call_function(
      call.function(),
      {first, second, Argument::tuple(std::vector<Argument>(operands.values.begin(), split)),
       Argument::tuple(std::vector<Argument>(split, operands.values.end()))},
      {}, {.name = "while_loop", .type = type});
  return set_items(call, *batched_call, std::vector<bool>(carried, is_all), is_stacked ? 1 : 0);
}

/// Changes the condition of a loop so that it is true while it is true for any example.
absl::Status Batcher::any_example(Graph& condition) {
  Node* const output = condition.output_node();
  const std::vector<Argument> results = results_of(condition);
  const InsertPointGuard guard = condition.inserting_before(output);
  Decomposer tracer(condition);
  const Proxy flags(*results[0].as_node(), tracer);
  const Proxy value = tracer.emit("aten.any.default", {flags});
  FX_RETURN_IF_ERROR(tracer.status());
  const Argument given(output->arg(0));
  if (given.is_list()) return output->set_args({Argument::list({Argument(value.node())})});
  if (given.is_tuple()) return output->set_args({Argument::tuple({Argument(value.node())})});
  return output->set_args({Argument(value.node())});
}

/// Returns the body of a loop, in which examples that have ended keep their values.
absl::StatusOr<std::unique_ptr<Graph>> Batcher::chosen_steps(const Graph& condition,
                                                             const Graph& body, size_t carried) {
  if (has_effects(condition) || condition.num_subgraphs() > 0)
    return absl::UnimplementedError("a condition with effects or nested graphs is not supported");
  std::unique_ptr<Graph> steps = body.clone();
  std::vector<Node*> inputs;
  for (Node& node : steps->nodes())
    if (node.is_placeholder()) inputs.push_back(&node);
  NodeMapping map;
  size_t next = 0;
  for (const Node& node : condition.nodes())
    if (node.is_placeholder() && next < inputs.size()) map.emplace(&node, Argument(inputs[next++]));
  Node* const output = steps->output_node();
  const InsertPointGuard guard = steps->inserting_before(output);
  FX_ASSIGN_OR_RETURN(const std::optional<Argument> flags, steps->graph_copy(condition, map));
  Decomposer tracer(*steps);
  Argument flag = *flags;
  if (flag.is_list() || flag.is_tuple()) flag = flag[0];
  const Proxy loop_condition(*flag.as_node(), tracer);
  std::vector<Argument> results = results_of(*steps);
  for (size_t i = 0; i < carried && i < results.size(); ++i) {
    if (!results[i].is_node())
      return absl::UnimplementedError("every carried value must be a tensor");
    const Proxy x(*results[i].as_node(), tracer);
    const Proxy condition_of_each =
        tracer.unsqueeze_to(tracer.rank(loop_condition) > 1
                                ? tracer.reshape(loop_condition, {tracer.size(loop_condition, 0)})
                                : loop_condition,
                            tracer.rank(x));
    results[i] = AnyArg(fx::where(condition_of_each, x, Proxy(*inputs[i], tracer))).value();
  }
  FX_RETURN_IF_ERROR(tracer.status());
  const bool is_list = output->arg(0).is_list();
  FX_RETURN_IF_ERROR(
      output->set_args({is_list ? Argument::list(results) : Argument::tuple(results)}));
  return steps;
}

/// Handles map_impl(graph, sequences, operands) and scan(graph, carried, sequences, operands).
/// Dimension 0 of a sequence is the step, and dimension 1 is the batch.
absl::Status Batcher::map_or_scan(Node& call, bool is_scan) {
  const size_t first = is_scan ? 2 : 1;
  if (call.num_args() < first + 2)
    return absl::InvalidArgumentError(is_scan ? "it must have at least 4 arguments"
                                              : "it must have at least 3 arguments");
  FX_ASSIGN_OR_RETURN(const auto body, copy_nested_graph(call, call.arg(0)));
  const Argument carried_list = is_scan ? Argument(call.arg(1)) : Argument::list({});
  Operands carried = operands_of(carried_list);
  Operands sequences = operands_of(Argument(call.arg(first)));
  const Operands additional = operands_of(Argument(call.arg(first + 1)));
  std::vector<Type> types;  // the types of one step of one example, from the body
  for (const Node& node : body->nodes())
    if (node.is_placeholder()) types.push_back(node.type());
  for (const Type type : types)
    if (!type)
      return absl::FailedPreconditionError("the inputs of its nested graph must have types");
  const auto flags = [&] {
    std::vector<bool> all = carried.is_batched;
    all.insert(all.end(), sequences.is_batched.begin(), sequences.is_batched.end());
    all.insert(all.end(), additional.is_batched.begin(), additional.is_batched.end());
    return all;
  };
  const size_t num_carried = carried.values.size();
  if (num_carried > 0) std::fill_n(carried.is_batched.begin(), num_carried, true);
  FX_ASSIGN_OR_RETURN(BatchedGraph step,
                      batched_nested(*body, types, flags(), BatchedResults::kAll));
  for (size_t i = 0; i < num_carried; ++i)
    if (Node* const node = carried_list[i].node())
      carried.values[i] = Batch::as_argument(contiguous(batch_.expanded(*node)));
  for (size_t i = 0; i < sequences.values.size(); ++i) {
    if (!sequences.is_batched[i]) continue;
    const Proxy batch(*sequences.values[i].as_node(), batch_);
    sequences.values[i] = Batch::as_argument(contiguous(batch_.moved(batch, 0, 1)));
  }
  FX_RETURN_IF_ERROR(batch_.status());
  std::vector<Type> results = types_of_results(*step.graph);
  const Type steps = sequences.values.empty() ? Type() : sequences.values[0].as_node()->type();
  for (size_t i = num_carried; i < results.size(); ++i)
    results[i] = stacked_type(results[i], steps);
  FX_ASSIGN_OR_RETURN(const Argument graph, add_nested(std::move(step.graph), "batched_body"));
  std::vector<Argument> args = {graph};
  if (is_scan) args.push_back(Argument::list(carried.values));
  args.push_back(Argument::list(sequences.values));
  args.push_back(Argument::list(additional.values));
  Node* const batched_call = graph_.call_function(
      call.function(), args, {},
      {.name = is_scan ? "scan" : "map", .type = graph_.context().types().tuple(results)});
  std::vector<Argument> items;
  for (size_t i = 0; i < results.size(); ++i) {
    const Proxy item = Proxy(*batched_call, batch_)[static_cast<int64_t>(i)];
    items.push_back(AnyArg(i < num_carried ? item : batch_.moved(item, 1, 0)).value());
  }
  FX_RETURN_IF_ERROR(batch_.status());
  set_result(call, AnyArg(Operand(Argument::tuple(items), &batch_)));
  return absl::OkStatus();
}

/// Returns the type of the results of all steps.
Type Batcher::stacked_type(Type result, Type sequence) const {
  if (!result.is_tensor() || !sequence.is_tensor() || sequence.rank() == 0) return {};
  DimVector sizes(result.sizes().begin(), result.sizes().end());
  sizes.insert(sizes.begin(), sequence.size(0));
  return graph_.context().types().tensor(
      {.dtype = result.dtype(), .sizes = sizes, .device = result.device()});
}

}  // namespace fx
