// Control flow and assertions in TorchInterpreter.
#include "fx/interp/torch/dispatch/autocast_scope.h"
#include "fx/interp/torch/interpret/torch_higher_order_internal.h"
#include "fx/interp/torch/interpret/torch_interpreter.h"
#include "fx/ir/calls/bind.h"
#include "fx/ir/calls/graph_call.h"
#include "fx/ir/ops/op_info.h"

#include <ATen/Functions.h>
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fx {
namespace {

absl::StatusOr<bool> truth_of(const c10::IValue& value) {
  if (value.isBool()) return value.toBool();
  if (value.isTensor() && value.toTensor().numel() == 1) return value.toTensor().item().toBool();
  return absl::InvalidArgumentError(
      fmt::format("a value of kind {} cannot be passed as a condition", value.tagKind()));
}

/// Returns the nested graph in argument `i` of the node and sets `name` to its name. Returns null
/// if there is none.
const Graph* graph_of(const Node& node, size_t i, const Module* root, std::string* name) {
  const ops::OpInfo* op = node.function().op();
  std::optional<ArgumentRef> value;
  if (i < node.num_args())
    value = node.arg(i);
  else if (op != nullptr && i < op->schema().arguments().size())
    value = passed_argument(node, *op, static_cast<int>(i));
  const Graph* const graph = value ? graph_of_argument(node, *value, root) : nullptr;
  if (graph == nullptr) return nullptr;
  *name =
      value->is_node() ? value->node()->target() : node.graph().subgraph_name(value->as_graph());
  return graph;
}

std::vector<c10::IValue> values_of(const c10::IValue& list) {
  const c10::ArrayRef<c10::IValue> items = items_of(list);
  return std::vector<c10::IValue>(items.begin(), items.end());
}

/// Returns the items of the argument at this position, or an empty vector if the call does not have
/// the argument.
std::vector<c10::IValue> values_of_argument(const Call<c10::IValue>& call, size_t i) {
  if (i >= call.args.size()) return {};
  return values_of(call.args[i]);
}

c10::IValue tuple_of(std::vector<c10::IValue> values) {
  return c10::ivalue::Tuple::create(std::move(values));
}

}  // namespace

/// Runs torch._assert(condition, message).
absl::StatusOr<c10::IValue> TorchInterpreter::check_condition(const Call& call) {
  FX_ASSIGN_OR_RETURN(const bool holds, truth_of(call.args[0]));
  if (holds) return c10::IValue();
  const c10::IValue* message = call.args.size() > 1 ? &call.args[1] : nullptr;
  for (const NamedValue<c10::IValue>& named : call.kwargs)
    if (named.name.str() == "message") message = &named.value;
  return absl::FailedPreconditionError(
      message && message->isString() ? message->toStringRef() : "the condition does not hold");
}

// ---------------------------------------------------------------- control flow

/// Runs the nested graph in argument `i` of the call.
absl::StatusOr<c10::IValue> TorchInterpreter::run_nested(const Call& call, size_t i,
                                                         Values inputs) {
  std::string path;
  const Graph* nested = graph_of(*call.node, i, root(), &path);
  if (nested == nullptr) {
    return absl::InvalidArgumentError(
        fmt::format("argument {} of {} must be a graph", i, call.function.name()));
  }
  const Module* nested_root = root() ? root()->find_module(path) : nullptr;
  return run_graph(*nested, nested_root, path, std::move(inputs));
}

/// Like run_nested, but returns the result as a list. A single value becomes a list with one item.
absl::StatusOr<TorchInterpreter::Values> TorchInterpreter::run_nested_list(const Call& call,
                                                                           size_t i,
                                                                           Values inputs) {
  FX_ASSIGN_OR_RETURN(const c10::IValue result, run_nested(call, i, std::move(inputs)));
  if (!result.isList() && !result.isTuple()) return Values{result};
  return values_of(result);
}

absl::StatusOr<c10::IValue> TorchInterpreter::run_cond(const Call& call) {
  FX_ASSIGN_OR_RETURN(const bool condition, truth_of(call.args[0]));
  FX_ASSIGN_OR_RETURN(Values results,
                      run_nested_list(call, condition ? 1 : 2, values_of_argument(call, 3)));
  return tuple_of(std::move(results));
}

/// Runs while_loop or while_loop_stack_output, which returns the values of each step.
absl::StatusOr<c10::IValue> TorchInterpreter::run_while_loop(const Call& call) {
  const bool is_stacked = call.function.name() == "higher_order.while_loop_stack_output";
  Values carried = values_of_argument(call, 2);
  const Values additional_inputs = values_of_argument(call, 3);
  const auto all_tensors = [](const Values& values) {
    return std::ranges::all_of(values, [](const c10::IValue& value) { return value.isTensor(); });
  };
  if (is_stacked && !all_tensors(carried))
    return absl::InvalidArgumentError("while_loop_stack_output can carry only tensors");
  std::vector<std::vector<at::Tensor>> rows(is_stacked ? carried.size() : 0);
  for (bool is_first = true;; is_first = false) {
    Values inputs = carried;
    inputs.insert(inputs.end(), additional_inputs.begin(), additional_inputs.end());
    FX_ASSIGN_OR_RETURN(const Values conditions, run_nested_list(call, 0, inputs));
    if (conditions.size() != 1)
      return absl::InvalidArgumentError("the condition of a loop must return one value");
    FX_ASSIGN_OR_RETURN(const bool condition, truth_of(conditions[0]));
    if (!condition) {
      // As in eager mode, a loop with no iterations returns copies.
      for (c10::IValue& value : carried)
        if (is_first && value.isTensor()) value = value.toTensor().clone();
      for (size_t i = 0; i < rows.size(); ++i)
        carried[i] = is_first ? carried[i].toTensor().unsqueeze(0) : at::stack(rows[i]);
      return tuple_of(std::move(carried));
    }
    FX_ASSIGN_OR_RETURN(carried, run_nested_list(call, 1, std::move(inputs)));
    if (is_stacked && (carried.size() != rows.size() || !all_tensors(carried)))
      return absl::InvalidArgumentError(
          "the body of while_loop_stack_output must return one tensor for each carried value");
    for (size_t i = 0; i < rows.size(); ++i) rows[i].push_back(carried[i].toTensor());
  }
}

absl::StatusOr<c10::IValue> TorchInterpreter::run_scan(const Call& call) {
  Values carried = values_of_argument(call, 1);
  const Values sequences = values_of_argument(call, 2),
               additional_inputs = values_of_argument(call, 3);
  const size_t num_carried = carried.size();
  if (sequences.empty() || !sequences[0].isTensor() || sequences[0].toTensor().dim() == 0)
    return absl::InvalidArgumentError("scan requires tensors with at least one dimension");
  if (sequences[0].toTensor().size(0) == 0)
    return absl::InvalidArgumentError("scan requires at least one step, as in eager mode");
  std::vector<std::vector<at::Tensor>> outputs;
  for (int64_t step = 0; step < sequences[0].toTensor().size(0); ++step) {
    Values inputs = std::move(carried);
    for (const c10::IValue& xs : sequences) inputs.emplace_back(at::select(xs.toTensor(), 0, step));
    inputs.insert(inputs.end(), additional_inputs.begin(), additional_inputs.end());
    FX_ASSIGN_OR_RETURN(Values results, run_nested_list(call, 0, std::move(inputs)));
    if (results.size() < num_carried)
      return absl::InvalidArgumentError(
          "the body of a scan must return at least one value for each carried value");
    outputs.resize(results.size() - num_carried);
    for (size_t k = 0; k < outputs.size(); ++k)
      outputs[k].push_back(results[num_carried + k].toTensor());
    results.resize(num_carried);
    carried = std::move(results);
  }
  for (const std::vector<at::Tensor>& ys : outputs) carried.emplace_back(at::stack(ys));
  return tuple_of(std::move(carried));
}

/// Runs with_effects(token, operator, ...), which calls the operator and returns (token,
/// results...).
absl::StatusOr<c10::IValue> TorchInterpreter::call_with_effects(Call& call) {
  Call inner{.node = call.node, .function = call.node->arg(1).as_function()};
  Values results{call.args[0]};
  inner.args.assign(call.args.begin() + 2, call.args.end());
  inner.kwargs = std::move(call.kwargs);
  FX_ASSIGN_OR_RETURN(const c10::IValue result, call_function(inner));
  if (result.isTuple()) {
    for (const c10::IValue& item : items_of(result)) results.push_back(item);
  } else {
    results.push_back(result);
  }
  return tuple_of(std::move(results));
}

/// Runs a graph with the gradient and autocast modes that the call sets.
absl::StatusOr<c10::IValue> TorchInterpreter::call_graph(const Call& call, const GraphCall& graph) {
  std::optional<at::AutoGradMode> grad;
  std::optional<AutocastScope> autocast;
  if (graph.grad) grad.emplace(*graph.grad);
  if (const auto& settings = graph.autocast) {
    autocast.emplace(to_torch(Device{settings->device}).type(),
                     settings->dtype ? std::optional(to_torch(*settings->dtype)) : std::nullopt,
                     settings->enabled, settings->cache);
  }
  const auto first = call.args.begin() + static_cast<std::ptrdiff_t>(graph.first_operand);
  return run_nested(call, graph.graph, Values(first, call.args.end()));
}

absl::StatusOr<c10::IValue> TorchInterpreter::higher_order(std::string_view name, Call& call) {
  if (call.args.size() >= 3) {
    if (name == "higher_order.cond") return run_cond(call);
    if (name == "higher_order.while_loop" || name == "higher_order.while_loop_stack_output")
      return run_while_loop(call);
    if (name == "higher_order.scan") return run_scan(call);
    const auto run = [&](Values inputs) { return run_nested_list(call, 0, std::move(inputs)); };
    std::optional<absl::StatusOr<Values>> results;
    if (name == "higher_order.map_impl")
      results = internal::run_map(values_of(call.args[1]), values_of(call.args[2]), run);
    if (name == "higher_order.associative_scan")
      results =
          internal::run_associative_scan(values_of(call.args[1]), values_of(call.args[2]), run);
    if (results && !results->ok()) return results->status();
    if (results) return tuple_of(**std::move(results));
  }
  if (name == "higher_order.with_effects" && call.args.size() >= 2 && call.node->num_args() >= 2 &&
      call.node->arg(1).kind() == ArgumentKind::kFunction)
    return call_with_effects(call);
  const bool has_bases = name == "higher_order.auto_functionalized_v2";
  if ((has_bases || name == "higher_order.auto_functionalized") && call.node->num_args() == 1 &&
      call.node->arg(0).kind() == ArgumentKind::kFunction) {
    // The operator runs on copies of the tensors that it writes to. The call returns the operator's
    // results, followed by the copies.
    Call inner{.node = call.node, .function = call.node->arg(0).as_function()};
    FX_ASSIGN_OR_RETURN(const Operator* op, find(inner.function.name()));
    FX_ASSIGN_OR_RETURN(internal::CopiedCall copied,
                        internal::copied_call(op->handle.schema(), call, has_bases));
    inner.kwargs = std::move(copied.kwargs);
    FX_ASSIGN_OR_RETURN(const c10::IValue result, call_function(inner));
    Values results = result.isTuple() ? values_of(result) : Values{result};
    results.insert(results.end(), copied.written.begin(), copied.written.end());
    return tuple_of(std::move(results));
  }
  FX_ASSIGN_OR_RETURN(const std::optional<GraphCall> graph, fx::graph_call(*call.node));
  if (graph && call.args.size() >= graph->first_operand) return call_graph(call, *graph);
  return absl::UnimplementedError(fmt::format("TorchInterpreter does not support {}", name));
}

}  // namespace fx
