// Types of operators that call nested graphs: see propagation_internal.h. The placeholders of a
// nested graph get the types of the operands, then the graph is typed, and its outputs determine
// the operator's result.
#include "fx/ir/calls/bind.h"
#include "fx/ir/calls/graph_call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/module/module.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/types/strides.h"
#include "fx/passes/shape/compare_types.h"
#include "fx/passes/shape/propagation_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <string>

namespace fx {
namespace {

/// Returns the type of the results of `count` steps, stacked along a new dimension 0.
Type stacked_type(TypeTable& types, Type result, const Dim& count) {
  if (!result.is_tensor()) return Type();
  if (!result.has_rank())
    return types.tensor({.dtype = result.dtype(),
                         .strides = StrideSpec::unknown(),
                         .device = result.device(),
                         .has_rank = false});
  DimVector sizes(result.sizes().begin(), result.sizes().end());
  sizes.insert(sizes.begin(), count);
  return types.tensor({.dtype = result.dtype(), .sizes = sizes, .device = result.device()});
}

/// Returns the graph that argument `i` of the schema denotes, in the call's graph or in a graph
/// module of its owning module. Null if there is none.
const Graph* graph_of_schema_argument(const Node& call, const ops::OpInfo& op, int i) {
  const std::optional<ArgumentRef> value = passed_argument(call, op, i);
  return value ? graph_of_argument(call, *value, call.graph().owning_module()) : nullptr;
}

/// Returns placeholder number `i` of a graph; null if there is none, or if the graph is null.
const Node* input_of(const Graph* graph, size_t i) {
  if (graph == nullptr) return nullptr;
  for (const Node& node : graph->nodes())
    if (node.is_placeholder() && i-- == 0) return &node;
  return nullptr;
}

/// Removes the types of all values except attributes.
void remove_types(Graph& graph) {
  for (Graph& each : all_graphs(graph))
    for (Node& node : each.nodes())
      if (node.op() != Opcode::kGetAttr) node.set_type({});
}

size_t num_inputs(const Graph& graph) { return graph.num_nodes(Opcode::kPlaceholder); }

/// Returns the reason why torch rejects a cond or a loop that passes `count` values to a graph, or
/// an empty string.
std::string call_error(const Graph* graph, size_t count) {
  if (graph == nullptr || num_inputs(*graph) == count) return "";
  return fmt::format("a graph with {} receives {}", pluralize(num_inputs(*graph), "input"),
                     pluralize(count, "value"));
}

/// Returns the reason why torch rejects a condition, or an empty string.
std::string condition_error(const Node& node) {
  if (node.num_args() == 0) return "";
  const Type type = TypeArgument(node.arg(0)).type();
  if (!type.is_tensor() || !type.has_rank()) return "";
  for (const Dim& size : type.sizes())
    if (size.is_int() && size != Dim(1))
      return fmt::format("the condition must have one element, but is {}", to_string(type));
  return "";
}

}  // namespace

std::vector<Type> output_types(const Graph& graph) {
  std::vector<Type> results;
  const Node* output = graph.output_node();
  if (!output || output->num_args() != 1) return results;
  TypeTable& types = graph.context().types();
  const std::vector<const Node*> changed = changed_tensors(graph);
  const auto type_of = [&](ArgumentRef item) {
    if (item.is_none()) return types.none();
    if (item.is_node() && std::ranges::find(changed, item.as_node()) != changed.end())
      return types.tensor({.strides = StrideSpec::unknown(), .has_rank = false});
    return TypeArgument(item).type();
  };
  const ArgumentRef value = output->arg(0);
  const bool is_sequence = TypeArgument(value).is_sequence();
  for (size_t i = 0; is_sequence && i < value.size(); ++i) results.push_back(type_of(value[i]));
  if (!is_sequence) results.push_back(type_of(value));
  return results;
}

std::vector<Type> returned_types(const Graph& graph) {
  std::vector<Type> results = output_types(graph);
  if (std::ranges::any_of(results, [](Type type) { return !type; })) results.clear();
  return results;
}

Graph* Propagation::graph_of(const Node& node, size_t i) {
  return i < node.num_args() ? graph_of_value(node, node.arg(i)) : nullptr;
}

/// Appends the types of the items of argument `i`, which the call passes to `graphs`.
void Propagation::append_types(const Node& call, size_t i, absl::Span<Graph* const> graphs,
                               std::vector<Type>& types) {
  if (i >= call.num_args()) return;
  const ArgumentRef list = call.arg(i);
  for (size_t k = 0; k < list.size(); ++k) append_type(list[k], graphs, types);
}

/// Appends the type of the next operand that a call passes to `graphs`. If the operand has no type,
/// the placeholders keep their recorded types, unless this propagation removed the type of the
/// operand.
void Propagation::append_type(ArgumentRef operand, absl::Span<Graph* const> graphs,
                              std::vector<Type>& types) {
  const Type type = TypeArgument(operand).type();
  if (!type && operand.is_node() && lost_.contains(operand.as_node()))
    forget_input(graphs, types.size());
  if (operand.is_node()) note_operand(*operand.as_node(), graphs, types.size());
  types.push_back(type);
}

/// Returns the nested graph of an argument, or null. For a graph of a separate module, as in graphs
/// from torch.export, returns a copy, since propagation must not change that module.
Graph* Propagation::graph_of_value(const Node& node, ArgumentRef value) {
  if (Graph* const nested = nested_graph(node, value)) return nested;
  const Graph* const original = graph_of_argument(node, value, node.graph().owning_module());
  if (original == nullptr) return nullptr;
  std::unique_ptr<Graph>& copy = copies_[original];
  if (!copy) {
    copy = original->clone();
    copy->set_owning_module(original->owning_module());
  }
  return copy.get();
}

std::vector<Type> Propagation::graph_results(const Node& call, const ops::OpInfo& op, size_t i,
                                             absl::Span<const Type> inputs) {
  const std::optional<ArgumentRef> value = passed_argument(call, op, static_cast<int>(i));
  return value ? results_of(graph_of_value(call, *value), inputs) : std::vector<Type>();
}

const Graph* TypeCall::graph(int i) const {
  if (call_site_ == nullptr || i < 0) return nullptr;
  return graph_of_schema_argument(*call_site_->node, op_, i);
}

std::vector<Type> TypeCall::graph_results(int i, absl::Span<const Type> inputs) {
  const Graph* const nested = graph(i);
  if (nested == nullptr) return {};
  if (num_inputs(*nested) != inputs.size()) {
    fail(fmt::format("a graph with {} receives {}", pluralize(num_inputs(*nested), "input"),
                     pluralize(inputs.size(), "value")));
    return {};
  }
  if (call_site_->propagation != nullptr)
    return call_site_->propagation->graph_results(*call_site_->node, op_, static_cast<size_t>(i),
                                                  inputs);
  size_t next = 0;
  for (const Node& node : nested->nodes()) {
    if (!node.is_placeholder()) continue;
    const Type input = inputs[next++];
    if (input && !have_identical_layouts(node.type(), input)) return {};
  }
  return returned_types(*nested);
}

/// Returns the recorded types of a graph's results, which must not change; empty if one is unknown.
std::vector<Type> Propagation::recorded_results(const Graph& graph) {
  if (const Node* const output = graph.output_node())
    output->for_each_input(
        [&](const Node* value) { assumptions_.emplace_back(value, value->type()); });
  return returned_types(graph);
}

/// Records that calls run the graph with different settings of autocast, and removes its types.
void Propagation::add_mixed(Graph& graph) {
  if (!mixed_.insert(&graph).second) return;
  is_late_ = true;
  remove_types(graph);
}

/// Returns the types of the results of a graph that runs with autocast; empty if one is unknown.
/// The operators whose operands autocast converts are known only at run time, so the calls in the
/// graph keep their recorded types. If those of the inputs do not hold for the operands, removes
/// the types of the calls.
std::vector<Type> Propagation::results_in_autocast(const Node& node, const GraphCall& call,
                                                   Graph& graph) {
  visited_.insert(&graph);
  const auto known = autocast_.try_emplace(&graph, *call.autocast).first;
  if (called_.contains(&graph) || known->second != *call.autocast) add_mixed(graph);
  if (mixed_.contains(&graph)) return {};
  std::vector<Type> inputs;
  for (size_t i = call.first_operand; i < node.num_args(); ++i)
    append_type(node.arg(i), {&graph}, inputs);
  inputs.resize(typed_graph(graph).recorded->size());
  add_recorded({&graph}, absl::MakeSpan(inputs));
  // The types that are valid for the operands of all calls of the graph.
  std::vector<Type>& joined = typed_graph(graph).joined;
  joined = joined.empty() ? inputs : loops::joined_types(context_.types(), joined, inputs);
  const auto& recorded = *typed_graph(graph).recorded;
  std::vector<Type> types;
  types.reserve(recorded.size());
  for (const auto& input : recorded) types.push_back(input.node->type());
  if (loops::joined_types(context_.types(), types, inputs) != types) {
    remove_types(graph);
    for (size_t i = 0; i < inputs.size(); ++i) recorded[i].node->set_type(joined[i]);
  }
  return recorded_results(graph);
}

Type Propagation::type_of_graph_call(Node& node, const GraphCall& call) {
  Graph* const graph = graph_of(node, call.graph);
  if (!graph) return Type();
  std::vector<Type> results;
  if (call.autocast) {
    results = results_in_autocast(node, call, *graph);
  } else if (depth_ == kMaxDepth) {
    visited_.insert(graph);
    results = recorded_results(*graph);
  } else {
    std::vector<Type> inputs;
    for (size_t i = call.first_operand; i < node.num_args(); ++i)
      append_type(node.arg(i), {graph}, inputs);
    results = results_of(graph, inputs);
  }
  const Node* output = graph->output_node();
  if (!output || output->num_args() != 1) return Type();
  const bool is_tuple = output->arg(0).is_tuple() || output->arg(0).is_list();
  if (results.empty() && !(is_tuple && output->arg(0).size() == 0)) return Type();
  return is_tuple ? node.context().types().tuple(results) : results[0];
}

Type Propagation::type_of_cond(Node& node, absl::Span<const Type> inputs) {
  TypeTable& types = node.context().types();
  std::string wrong = condition_error(node);
  for (const size_t i : {size_t{1}, size_t{2}})
    if (wrong.empty()) wrong = call_error(graph_of(node, i), inputs.size());
  const std::vector<Type> then_types = results_of(graph_of(node, 1), inputs);
  const std::vector<Type> else_types = results_of(graph_of(node, 2), inputs);
  const bool are_known = !then_types.empty() && !else_types.empty();
  if (wrong.empty() && are_known && then_types.size() != else_types.size())
    wrong = fmt::format("the branches must return the same number of values, not {} and {}",
                        then_types.size(), else_types.size());
  std::vector<Type> results;
  for (size_t i = 0; wrong.empty() && are_known && i < then_types.size(); ++i) {
    results.push_back(loops::merged_type(types, then_types[i], else_types[i]));
    if (!results.back()) {
      wrong = fmt::format("the branches must return the same types, not {} and {}",
                          to_string(then_types[i]), to_string(else_types[i]));
    }
  }
  if (!wrong.empty()) fail(node, wrong);
  return wrong.empty() && !results.empty() ? types.tuple(results) : Type();
}

Type Propagation::higher_order(Node& node) {
  const std::string_view name = node.target();
  std::vector<Type> inputs;
  if (name == "higher_order.cond") {
    append_types(node, 3, {graph_of(node, 1), graph_of(node, 2)}, inputs);
    return type_of_cond(node, inputs);
  }
  if (name == "higher_order.while_loop" || name == "higher_order.while_loop_stack_output")
    return type_of_while(node);
  if (name == "higher_order.scan") return type_of_scan(node);
  if (name == "higher_order.map_impl") return type_of_map(node);
  if (name == "higher_order.with_effects" && node.num_args() >= 2 &&
      node.arg(1).kind() == ArgumentKind::kFunction)
    return type_with_effects(node);
  if (const auto call = graph_call(node); call.ok() && *call)
    return type_of_graph_call(node, **call);
  return missing(node);
}

/// Types while_loop(condition, body, carried, additional inputs), which returns the carried values.
Type Propagation::type_of_while(Node& node) {
  TypeTable& types = node.context().types();
  Graph* const graphs[] = {graph_of(node, 0), graph_of(node, 1)};
  std::vector<Type> operands;
  append_types(node, 2, graphs, operands);
  const size_t num_carried = operands.size();
  append_types(node, 3, graphs, operands);
  for (const Graph* const graph : graphs) {
    const std::string wrong = call_error(graph, operands.size());
    if (wrong.empty()) continue;
    fail(node, wrong);
    return Type();
  }
  std::vector<Type> inputs = operands;
  add_recorded(graphs, absl::MakeSpan(inputs));
  std::vector<Type> condition = results_of(graphs[0], inputs);
  std::vector<Type> carried = results_of(graphs[1], inputs);
  if (graphs[1] != nullptr) note_carried(*graphs[1], graphs, num_carried);
  // Removing the offset of one value may change the offsets of other values. After the first round,
  // all offsets are removed.
  const absl::Span<Type> first_inputs = absl::MakeSpan(inputs).first(num_carried);
  const Graph* const body = graphs[1];
  std::string wrong;
  for (bool is_first = true;; is_first = false) {
    // The body receives the carried values after the condition, which may change them.
    bool any = loops::forget_changed(types, graphs[0], 0, absl::MakeSpan(inputs));
    any = loops::forget_changed(types, body, num_carried, absl::MakeSpan(inputs)) || any;
    const std::vector<Type> results = body ? output_types(*body) : std::vector<Type>();
    any = loops::remove_strides_and_offsets(types, results, first_inputs) || any;
    // Recorded types are not checked: they may be out of date.
    if (wrong.empty()) {
      std::vector<Type> checked(first_inputs.begin(), first_inputs.end());
      for (size_t i = 0; i < num_carried; ++i)
        if (!operands[i]) checked[i] = Type();
      wrong = loops::error(checked, condition, carried);
    }
    any = (body && loops::remove_changed(types, results, first_inputs)) || any;
    if (body == nullptr || !any) break;
    if (!is_first) loops::remove_strides_and_offsets(types, {}, first_inputs);
    condition = results_of(graphs[0], inputs);
    carried = results_of(graphs[1], inputs);
  }
  if (!wrong.empty()) {
    fail(node, wrong);
    return Type();
  }
  if (node.target() == "higher_order.while_loop_stack_output")
    return stacked_results(node, carried);
  for (size_t i = 0; i < carried.size(); ++i) {
    carried[i] = loops::result(types, carried[i]);
    // A loop without steps returns its inputs.
    if (i < num_carried) carried[i] = loops::joined_strides(types, carried[i], operands[i]);
  }
  return carried.empty() ? Type() : types.tuple(carried);
}

/// Returns the type of while_loop_stack_output, which stacks the results of all steps; a loop
/// without steps returns its inputs as one row. The number of rows depends on data.
Type Propagation::stacked_results(const Node& call, std::vector<Type> results) {
  TypeTable& types = context_.types();
  avoid_symbols();
  const Dim count = env_.fresh_size({1, std::nullopt});
  for (Type& result : results) {
    result = stacked_type(types, result, count);
    if (!result) return Type();
  }
  return results.empty() ? Type()
                         : with_old_symbols(call, types.tuple(results), env_.guards().size());
}

/// Appends the types of the sequences in argument `i` of a call, and of the slices of them that
/// each step receives. Returns false if the number of slices is unknown.
bool Propagation::append_slices(const Node& call, size_t i, Graph* step,
                                std::vector<Type>& sequences, std::vector<Type>& inputs) {
  if (i >= call.num_args()) return true;
  const ArgumentRef list = call.arg(i);
  bool is_known = true;
  for (size_t k = 0; k < list.size(); ++k) {
    const size_t number = inputs.size();
    append_type(list[k], {step}, inputs);
    sequences.push_back(inputs.back());
    inputs.back() = step_slice(sequences.back(), input_of(step, number));
    is_known = is_known && inputs.back() && sequences.back().has_rank();
  }
  return is_known;
}

/// Types scan(graph, carried, sequences, additional inputs), which returns the carried values, then
/// the stacked results of all steps.
Type Propagation::type_of_scan(Node& node) {
  TypeTable& types = node.context().types();
  Graph* const step = graph_of(node, 0);
  std::vector<Type> inputs, sequences;
  append_types(node, 1, {step}, inputs);
  const size_t num_carried = inputs.size();
  // If this is false, the graph of the step keeps the types of its placeholders.
  const bool is_known = append_slices(node, 2, step, sequences, inputs);
  for (const Type xs : sequences) {
    if (!xs.is_tensor() || xs.rank() == 0 || xs.size(0) != Dim(0)) continue;
    fail(node, "a scan must have at least one step, but a sequence has no slices");
    return Type();
  }
  append_types(node, 3, {step}, inputs);
  add_recorded({step}, absl::MakeSpan(inputs));
  std::vector<Type> results = results_of(step, inputs);
  if (step != nullptr) note_carried(*step, {step}, num_carried);
  // Later steps receive the results of earlier ones.
  const absl::Span<Type> carried = absl::MakeSpan(inputs).first(num_carried);
  for (bool is_first = true; step != nullptr; is_first = false) {
    const size_t first_invariant = num_carried + sequences.size();
    bool any = loops::forget_changed(types, step, first_invariant, absl::MakeSpan(inputs));
    any = loops::remove_strides_and_offsets(types, output_types(*step), carried) || any;
    any = loops::remove_changed(types, output_types(*step), carried) || any;
    if (!any) break;
    if (!is_first) loops::remove_strides_and_offsets(types, {}, carried);
    results = results_of(step, inputs);
  }
  if (!is_known) return Type();
  for (size_t i = 0; i < results.size(); ++i) {
    if (i >= num_carried) {
      results[i] =
          sequences.empty() ? Type() : stacked_type(types, results[i], sequences[0].sizes()[0]);
    } else if (results[i].is_tensor() && !results[i].offset().is_int()) {
      // The offset is a symbol of the step.
      results[i] = without_strides_and_offset(types, results[i]);
    }
    if (!results[i]) return Type();
  }
  return results.empty() ? Type() : types.tuple(results);
}

/// Types map_impl(graph, sequences, additional inputs), which returns the stacked results of all
/// steps.
Type Propagation::type_of_map(Node& node) {
  TypeTable& types = node.context().types();
  Graph* const step = graph_of(node, 0);
  std::vector<Type> inputs, sequences;
  const bool is_known = append_slices(node, 1, step, sequences, inputs);
  append_types(node, 2, {step}, inputs);
  add_recorded({step}, absl::MakeSpan(inputs));
  std::vector<Type> results = results_of(step, inputs);
  if (loops::forget_changed(types, step, sequences.size(), absl::MakeSpan(inputs)))
    results = results_of(step, inputs);
  if (!is_known) return Type();
  for (Type& result : results) {
    result = sequences.empty() ? Type() : stacked_type(types, result, sequences[0].sizes()[0]);
    if (!result) return Type();
  }
  return results.empty() ? Type() : types.tuple(results);
}

/// Types with_effects(token, operator, arguments...), which returns the token, then the operator's
/// results.
Type Propagation::type_with_effects(Node& node) {
  const std::vector<Argument> args = node.args();
  const auto inner =
      infer_call(node.context(), node.arg(1).as_function(), absl::MakeConstSpan(args).subspan(2),
                 node.kwargs(), {.env = &env_, .rules = rules_});
  if (!inner.ok()) fail(node, std::string(inner.status().message()));
  if (!inner.ok() || !inner->type) return Type();
  std::vector<Type> results = {TypeArgument(node.arg(0)).type()};
  if (inner->type.is_tuple())
    results.insert(results.end(), inner->type.items().begin(), inner->type.items().end());
  else
    results.push_back(inner->type);
  return node.context().types().tuple(results);
}

}  // namespace fx
