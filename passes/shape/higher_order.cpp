// Types of operators that call nested graphs: see propagation_internal.h. The placeholders of a
// nested graph get the types of the operands, then the graph is typed, and its outputs determine
// the operator's result.
#include "fx/ir/calls/graph_call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/module/module.h"
#include "fx/ir/types/strides.h"
#include "fx/passes/shape/compare_types.h"
#include "fx/passes/shape/propagation_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>

namespace fx {
namespace {

void append_types(const Node& node, size_t i, std::vector<Type>& types) {
  if (i >= node.num_args()) return;
  const ArgumentRef list = node.arg(i);
  for (size_t k = 0; k < list.size(); ++k) types.push_back(TypeArgument(list[k]).type());
}

/// Returns the type of the results of `count` steps, stacked along a new first dimension.
Type stacked_type(TypeTable& types, Type result, const Dim& count) {
  if (!result.is_tensor()) return Type();
  DimVector sizes(result.sizes().begin(), result.sizes().end());
  sizes.insert(sizes.begin(), count);
  return types.tensor({.dtype = result.dtype(), .sizes = sizes, .device = result.device()});
}

/// Returns the types of a graph's outputs, the null Type for those that are unknown. A tensor whose
/// sizes the graph changes in place is unknown.
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

/// Returns the types of a graph's outputs; empty if one of them is unknown.
std::vector<Type> returned_types(const Graph& graph) {
  std::vector<Type> results = output_types(graph);
  if (std::ranges::any_of(results, [](Type type) { return !type; })) results.clear();
  return results;
}

bool have_same_sizes(Type a, Type b) {
  if (!a.has_rank() || !b.has_rank()) return true;
  return a.sizes().size() == b.sizes().size() &&
         std::ranges::equal(a.sizes(), b.sizes(),
                            [](const Dim& x, const Dim& y) { return same_value(x, y); });
}

/// Compares the strides of dimensions with more than one element. True if sizes or strides are
/// unknown.
bool have_same_strides(Type a, Type b) {
  if (!a.has_rank() || !b.has_rank() || !a.has_strides() || !b.has_strides()) return true;
  for (int i = 0; i < a.rank() && i < b.rank(); ++i)
    if (a.size(i) != Dim(1) && !same_value(a.stride(i), b.stride(i))) return false;
  return true;
}

/// Returns the dimensions in descending order of their strides; empty if a stride is not a number.
std::vector<int> order_of_strides(Type type) {
  std::vector<int> order;
  if (!type.has_strides()) return order;
  for (int i = 0; i < type.rank(); ++i) {
    if (!type.stride(i).is_int()) return {};
    order.push_back(i);
  }
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](int i) { return type.stride(i).value(); });
  return order;
}

/// Returns the type of a result of a cond whose branches return values of types `a` and `b`. Sizes
/// may differ: those of the result then depend on the branch. Everything else must be equal, as in
/// torch; otherwise returns the null Type.
Type merged_type(TypeTable& types, Type a, Type b) {
  if (equal_types(a, b)) return a;
  if (!a.is_tensor() || !b.is_tensor()) return {};
  if (a.dtype() != b.dtype() || a.device() != b.device() || a.layout() != b.layout()) return {};
  TensorSpec spec = a.spec();
  spec.has_rank = false;
  spec.sizes = {};
  spec.strides = StrideSpec::unknown();
  if (!a.has_rank() || !b.has_rank()) return types.tensor(spec);
  if (a.rank() != b.rank() || have_same_sizes(a, b) || !same_value(a.offset(), b.offset()))
    return {};
  return order_of_strides(a) == order_of_strides(b) ? types.tensor(spec) : Type();
}

/// Returns the value of an argument of the schema, given by position or keyword.
std::optional<ArgumentRef> value_of(const Node& call, const ops::OpInfo& op, size_t i) {
  if (i < call.num_args()) return call.arg(i);
  const auto& arguments = op.schema().arguments();
  return i < arguments.size() ? call.kwarg(arguments[i].name) : std::nullopt;
}

/// Returns the graph that an argument of the schema names: of the call's graph, or of a graph module
/// in its owning module. Null if there is none.
const Graph* graph_of_schema_argument(const Node& call, const ops::OpInfo& op, size_t i) {
  const std::optional<ArgumentRef> value = value_of(call, op, i);
  return value ? graph_of_argument(call, *value, call.graph().owning_module()) : nullptr;
}

/// Returns input number `i` of a graph; null if there is none, or no graph.
const Node* input_of(const Graph* graph, size_t i) {
  if (graph == nullptr) return nullptr;
  for (const Node& node : graph->nodes())
    if (node.is_placeholder() && i-- == 0) return &node;
  return nullptr;
}

size_t num_inputs(const Graph& graph) { return graph.num_nodes(Opcode::kPlaceholder); }

/// Returns the reason why torch refuses a cond or a loop whose graph receives `count` values, or an
/// empty string.
std::string call_error(const Graph* graph, size_t count) {
  if (graph == nullptr || num_inputs(*graph) == count) return "";
  return fmt::format("a graph with {} inputs receives {} values", num_inputs(*graph), count);
}

/// Returns the reason why torch refuses a condition, or an empty string.
std::string condition_error(const Node& node) {
  if (node.num_args() == 0) return "";
  const Type type = TypeArgument(node.arg(0)).type();
  if (!type.is_tensor() || !type.has_rank()) return "";
  for (const Dim& size : type.sizes())
    if (size.is_int() && size != Dim(1))
      return fmt::format("the condition must have one element, but is {}", to_string(type));
  return "";
}

/// Returns the reason why torch refuses a loop of these types, or an empty string. The condition
/// must return one bool, and the body must return values of the types that it receives. Unknown
/// types are not checked.
std::string loop_error(absl::Span<const Type> inputs, absl::Span<const Type> condition,
                       absl::Span<const Type> results) {
  if (!condition.empty()) {
    const Type type = condition[0];
    const bool is_bool =
        type.is_tensor() ? type.dtype() == DType::kBool && (!type.has_rank() || type.rank() == 0)
                         : type.kind() == TypeKind::kBool;
    if (condition.size() != 1 || !is_bool)
      return fmt::format("the condition must return a bool scalar tensor or a bool, not {}",
                         to_string(type));
  }
  if (results.empty()) return "";
  if (results.size() != inputs.size())
    return fmt::format(
        "the body must return as many values as it receives: it returns {} and receives {}",
        results.size(), inputs.size());
  for (size_t i = 0; i < results.size(); ++i) {
    const Type from = inputs[i], to = results[i];
    if (!from.is_tensor() || !to.is_tensor()) continue;
    if (from.dtype() == to.dtype() && have_same_sizes(from, to) && have_same_strides(from, to))
      continue;
    return fmt::format(
        "the body must not change dtype, sizes or strides of a value: it returns {} for value {}, "
        "which is {}",
        to_string(to), i, to_string(from));
  }
  return "";
}

/// The type without strides and offset.
Type without_place(TypeTable& types, Type type) {
  TensorSpec spec = type.spec();
  spec.strides = StrideSpec::unknown();
  spec.offset = Dim(0);
  return types.tensor(spec);
}

/// Removes the places of values that begin, or may begin, elsewhere in their storage in later runs
/// of a loop's body, which receives its own results. Returns whether there are any.
bool remove_places(TypeTable& types, absl::Span<const Type> results, absl::Span<Type> inputs) {
  bool any = false;
  for (size_t i = 0; i < inputs.size(); ++i) {
    Type& from = inputs[i];
    const Type to = i < results.size() ? results[i] : Type();
    if (!from.is_tensor() || !from.has_rank() || !from.has_strides()) continue;
    if (to.is_tensor() && to.has_rank() && to.has_strides() &&
        same_value(from.offset(), to.offset()))
      continue;
    from = without_place(types, from);
    any = true;
  }
  return any;
}

/// Removes the sizes of the values after the first `num_own` if the graph of a loop's step changes
/// sizes or strides of an input in place (`squeeze_`): every step receives the same tensors, as the
/// earlier steps leave them, and two inputs may be one tensor. Returns whether it removed any.
bool forget_changed(TypeTable& types, const Graph* step, size_t num_own, absl::Span<Type> inputs) {
  if (step == nullptr) return false;
  bool any = false;
  for (const Node* const changed : changed_tensors(*step)) {
    if (!changed->is_placeholder()) continue;
    for (Type& type : inputs.subspan(std::min(num_own, inputs.size()))) {
      if (!type.is_tensor() || !type.has_rank()) continue;
      if (changed->type().is_tensor() && changed->type().dtype() != type.dtype()) continue;
      type = types.tensor({.dtype = type.dtype(),
                           .strides = StrideSpec::unknown(),
                           .device = type.device(),
                           .has_rank = false});
      any = true;
    }
  }
  return any;
}

/// The type of a value that a loop returns: a result of its body, or a dense copy of the input if
/// the loop does not run.
Type loop_result(TypeTable& types, Type type) {
  if (!type.is_tensor() || !type.has_rank() || !type.has_strides()) return type;
  const bool is_copy = is_non_overlapping_and_dense(type) && type.offset() == Dim(0);
  return is_copy ? type : without_place(types, type);
}

}  // namespace

Graph* Propagation::graph_of(const Node& node, size_t i) {
  return i < node.num_args() ? graph_of_value(node, node.arg(i)) : nullptr;
}

/// Returns the nested graph of an argument, or null. A graph that belongs to a separate module, as
/// in torch.export's graphs, does not change: a copy is typed.
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

/// Types a nested graph for inputs of these types. Returns the types of its outputs; empty if one
/// is unknown.
std::vector<Type> Propagation::results_of(Graph* graph, absl::Span<const Type> inputs) {
  std::vector<Type> results;
  if (!graph || depth_ == kMaxDepth) return results;
  size_t next = 0;
  for (Node& node : graph->nodes()) {
    if (!node.is_placeholder()) continue;
    // An operand that is a number has no type; the placeholder keeps the recorded type.
    if (next < inputs.size() && inputs[next]) node.set_type(inputs[next]);
    ++next;
  }
  visited_.insert(graph);
  ++depth_;
  run(*graph);
  --depth_;
  return returned_types(*graph);
}

std::vector<Type> Propagation::graph_results(const Node& call, const ops::OpInfo& op, size_t i,
                                             absl::Span<const Type> inputs) {
  const std::optional<ArgumentRef> value = value_of(call, op, i);
  return value ? results_of(graph_of_value(call, *value), inputs) : std::vector<Type>();
}

const Graph* TypeCall::graph(int i) const {
  if (place_ == nullptr || i < 0) return nullptr;
  return graph_of_schema_argument(*place_->node, op_, static_cast<size_t>(i));
}

std::vector<Type> TypeCall::graph_results(int i, absl::Span<const Type> inputs) {
  const Graph* const nested = graph(i);
  if (nested == nullptr) return {};
  if (num_inputs(*nested) != inputs.size()) {
    fail(
        fmt::format("a graph of {} inputs receives {} values", num_inputs(*nested), inputs.size()));
    return {};
  }
  if (place_->propagation != nullptr)
    return place_->propagation->graph_results(*place_->node, op_, static_cast<size_t>(i), inputs);
  size_t next = 0;
  for (const Node& node : nested->nodes()) {
    if (!node.is_placeholder()) continue;
    const Type input = inputs[next++];
    if (input && !equal_types(node.type(), input)) return {};
  }
  return returned_types(*nested);
}

Type Propagation::type_of_graph_call(Node& node, const GraphCall& call) {
  Graph* const graph = graph_of(node, call.graph);
  if (!graph) return Type();
  if (call.autocast) {
    // The operators that autocast converts are known only at run time: nodes inside keep their
    // recorded types.
    visited_.insert(graph);
  } else {
    std::vector<Type> inputs;
    for (size_t i = call.first_operand; i < node.num_args(); ++i)
      inputs.push_back(TypeArgument(node.arg(i)).type());
    results_of(graph, inputs);
  }
  const std::vector<Type> results = returned_types(*graph);
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
  const std::vector<Type> yes = results_of(graph_of(node, 1), inputs);
  const std::vector<Type> no = results_of(graph_of(node, 2), inputs);
  const bool are_known = !yes.empty() && !no.empty();
  if (wrong.empty() && are_known && yes.size() != no.size())
    wrong = fmt::format("the branches must return the same number of values, not {} and {}",
                        yes.size(), no.size());
  std::vector<Type> results;
  for (size_t i = 0; wrong.empty() && are_known && i < yes.size(); ++i) {
    results.push_back(merged_type(types, yes[i], no[i]));
    if (!results.back()) {
      wrong = fmt::format("the branches must return the same types, not {} and {}",
                          to_string(yes[i]), to_string(no[i]));
    }
  }
  if (!wrong.empty()) fail(node, wrong);
  return wrong.empty() && !results.empty() ? types.tuple(results) : Type();
}

Type Propagation::higher_order(Node& node) {
  TypeTable& types = node.context().types();
  const std::string_view name = node.target();
  std::vector<Type> inputs;
  if (name == "higher_order.cond") {
    append_types(node, 3, inputs);
    return type_of_cond(node, inputs);
  }
  if (name == "higher_order.while_loop" || name == "higher_order.while_loop_stack_output") {
    append_types(node, 2, inputs);
    const size_t num_carried = inputs.size();
    append_types(node, 3, inputs);
    for (const size_t i : {size_t{0}, size_t{1}}) {
      const std::string wrong = call_error(graph_of(node, i), inputs.size());
      if (wrong.empty()) continue;
      fail(node, wrong);
      return Type();
    }
    std::vector<Type> condition = results_of(graph_of(node, 0), inputs);
    std::vector<Type> carried = results_of(graph_of(node, 1), inputs);
    // Without the place of a value, that of another one may be unknown too: then none is kept.
    const absl::Span<Type> first_inputs = absl::MakeSpan(inputs).first(num_carried);
    const Graph* const body = graph_of(node, 1);
    for (bool is_first = true; body != nullptr; is_first = false) {
      // The body receives the carried values as the condition leaves them.
      bool any = forget_changed(types, graph_of(node, 0), 0, absl::MakeSpan(inputs));
      any = forget_changed(types, body, num_carried, absl::MakeSpan(inputs)) || any;
      if (!remove_places(types, output_types(*body), first_inputs) && !any) break;
      if (!is_first) remove_places(types, {}, first_inputs);
      condition = results_of(graph_of(node, 0), inputs);
      carried = results_of(graph_of(node, 1), inputs);
    }
    if (const std::string wrong =
            loop_error(absl::MakeConstSpan(inputs).first(num_carried), condition, carried);
        !wrong.empty()) {
      fail(node, wrong);
      return Type();
    }
    if (name == "higher_order.while_loop_stack_output") return stacked_results(node, carried);
    for (Type& type : carried) type = loop_result(types, type);
    return carried.empty() ? Type() : types.tuple(carried);
  }
  if (name == "higher_order.scan") return type_of_scan(node);
  if (name == "higher_order.map_impl") return type_of_map(node);
  if (name == "higher_order.with_effects" && node.num_args() >= 2 &&
      node.arg(1).kind() == ArgumentKind::kFunction)
    return type_with_effects(node);
  if (const auto call = graph_call(node); call.ok() && *call)
    return type_of_graph_call(node, **call);
  return missing(node);
}

/// while_loop_stack_output returns the values that each step returns, or the inputs of a loop
/// without steps as one row. The number of rows depends on data.
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

/// scan(graph, carried, sequences, further inputs) returns the carried values, then the results of
/// all steps.
Type Propagation::type_of_scan(Node& node) {
  TypeTable& types = node.context().types();
  Graph* const step = graph_of(node, 0);
  std::vector<Type> inputs, sequences;
  append_types(node, 1, inputs);
  const size_t num_carried = inputs.size();
  append_types(node, 2, sequences);
  bool is_known = true;  // else a step has the types that its inputs state
  for (const Type xs : sequences) {
    inputs.push_back(step_slice(xs, input_of(step, inputs.size())));
    is_known = is_known && inputs.back();
    if (inputs.back() && xs.size(0) == Dim(0)) {
      fail(node, "a scan must have at least one step, but a sequence has no slices");
      return Type();
    }
  }
  append_types(node, 3, inputs);
  std::vector<Type> results = results_of(step, inputs);
  if (!is_known) return Type();
  // Later steps receive the results of earlier ones.
  const absl::Span<Type> carried = absl::MakeSpan(inputs).first(num_carried);
  for (bool is_first = true; step != nullptr; is_first = false) {
    const size_t num_own = num_carried + sequences.size();
    const bool any = forget_changed(types, step, num_own, absl::MakeSpan(inputs));
    if (!remove_places(types, output_types(*step), carried) && !any) break;
    if (!is_first) remove_places(types, {}, carried);
    results = results_of(step, inputs);
  }
  for (size_t i = 0; i < results.size(); ++i) {
    if (i >= num_carried) {
      results[i] =
          sequences.empty() ? Type() : stacked_type(types, results[i], sequences[0].sizes()[0]);
    } else if (results[i].is_tensor() && !results[i].offset().is_int()) {
      results[i] = without_place(types, results[i]);  // a symbol of the step
    }
    if (!results[i]) return Type();
  }
  return results.empty() ? Type() : types.tuple(results);
}

/// map_impl(graph, sequences, further inputs) returns the results of all steps.
Type Propagation::type_of_map(Node& node) {
  TypeTable& types = node.context().types();
  Graph* const step = graph_of(node, 0);
  std::vector<Type> inputs, sequences;
  append_types(node, 1, sequences);
  for (const Type xs : sequences) {
    inputs.push_back(step_slice(xs, input_of(step, inputs.size())));
    if (!inputs.back()) return Type();
  }
  append_types(node, 2, inputs);
  std::vector<Type> results = results_of(step, inputs);
  if (forget_changed(types, step, sequences.size(), absl::MakeSpan(inputs)))
    results = results_of(step, inputs);
  for (Type& result : results) {
    result = sequences.empty() ? Type() : stacked_type(types, result, sequences[0].sizes()[0]);
    if (!result) return Type();
  }
  return results.empty() ? Type() : types.tuple(results);
}

/// with_effects(token, operator, arguments...) returns the token, then the operator's results.
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
