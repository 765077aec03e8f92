// interp/torch/interpret/torch_call.cpp - how TorchInterpreter calls: operators, overloads chosen from
// arguments as Python's bindings do, control flow.
#include "fx/interp/python_numbers.h"
#include "fx/interp/torch/dispatch/autocast_scope.h"
#include "fx/interp/torch/dispatch/dispatcher.h"
#include "fx/interp/torch/dispatch/guard_internal.h"
#include "fx/interp/torch/interpret/torch_interpreter.h"
#include "fx/ir/calls/graph_call.h"
#include "fx/ir/calls/python_forms.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/ops/packets.h"

#include <ATen/Functions.h>
#include <ATen/core/grad_mode.h>
#include <ATen/core/jit_type.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace fx {
namespace {

constexpr std::string_view kAten = "aten.";

bool is_number(const c10::IValue& value) {
  return value.isInt() || value.isDouble() || value.isBool() || value.isComplexDouble();
}

bool is_sequence(const c10::IValue& value) { return value.isList() || value.isTuple(); }

/// Python's `a + b` of lists, or of tuples; the sizes of a tensor, a list here, are one of these.
c10::IValue joined(const c10::IValue& a, const c10::IValue& b) {
  std::vector<c10::IValue> items(items_of(a).begin(), items_of(a).end());
  items.insert(items.end(), items_of(b).begin(), items_of(b).end());
  if (a.isTuple() || b.isTuple()) return c10::ivalue::Tuple::create(std::move(items));
  c10::List<c10::IValue> list(c10::AnyType::get());
  for (c10::IValue& item : items) list.push_back(std::move(item));
  return list;
}

absl::Status misfit(const c10::IValue& value, std::string_view wanted) {
  return absl::InvalidArgumentError(
      fmt::format("a value of kind {} cannot be passed as {}", value.tagKind(), wanted));
}

absl::StatusOr<bool> truth_of(const c10::IValue& value) {
  if (value.isBool()) return value.toBool();
  if (value.isTensor() && value.toTensor().numel() == 1) return value.toTensor().item().toBool();
  return misfit(value, "a condition");
}

/// A leaf: what coerce_ivalue says, of one item.
absl::StatusOr<c10::IValue> coerce_leaf(const c10::IValue& value, ArgumentCode code,
                                        int* conversions) {
  const auto converted = [&](c10::IValue result) {
    if (conversions) ++*conversions;
    return result;
  };
  switch (code.base) {
    case ArgumentCode::kTensor:
      if (value.isTensor()) return value;
      if (is_number(value)) return converted(number_tensor(value.toScalar()));
      return misfit(value, "a tensor");
    case ArgumentCode::kNumber:
      if (is_number(value)) return value;
      return misfit(value, "a number");
    case ArgumentCode::kInt:
    case ArgumentCode::kDType:
    case ArgumentCode::kLayout:
    case ArgumentCode::kMemoryFormat:
    case ArgumentCode::kQScheme:
      if (value.isInt()) return value;
      if (value.isBool() && code.base == ArgumentCode::kInt)
        return converted(int64_t{value.toBool()});
      return misfit(value, "an int");
    case ArgumentCode::kFloat:
      if (value.isDouble()) return value;
      if (value.isInt()) return converted(static_cast<double>(value.toInt()));
      if (value.isBool()) return converted(value.toBool() ? 1.0 : 0.0);
      return misfit(value, "a float");
    case ArgumentCode::kBool:
      if (value.isBool()) return value;
      return misfit(value, "a bool");
    case ArgumentCode::kString:
      if (value.isString()) return value;
      return misfit(value, "a string");
    case ArgumentCode::kDevice:
      if (value.isDevice()) return value;
      if (value.isString()) return converted(c10::Device(value.toStringRef()));
      return misfit(value, "a device");
    case ArgumentCode::kOther:
      return value;
  }
  return misfit(value, "this argument");
}

/// Keyword arguments by their places, where the function's row says which those are.
void place_keywords(Call<c10::IValue>& call) {
  const ops::OpInfo* op = call.function.op();
  if (call.kwargs.empty() || op == nullptr || op->schema().is_vararg()) return;
  const std::span<const ops::SchemaArgument> arguments = op->schema().arguments();
  std::vector<c10::IValue> args = call.args;
  while (args.size() < arguments.size()) {
    const c10::IValue* value = call.kwarg(arguments[args.size()].name);
    if (value == nullptr) break;
    args.push_back(*value);
  }
  if (args.size() != call.args.size() + call.kwargs.size()) return;
  call.args = std::move(args);
  call.kwargs.clear();
}

/// What a node has at this place, or under its name.
std::optional<ArgumentRef> argument_at(const Node& node, size_t i) {
  if (i < node.num_args()) return node.arg(i);
  const ops::OpInfo* op = node.function().op();
  if (op == nullptr || i >= op->schema().arguments().size()) return std::nullopt;
  return node.kwarg(op->schema().arguments()[i].name);
}

/// The graph that an argument names, or null.
const Graph* graph_of(const Node& node, size_t i, const Module* root, std::string* name) {
  const std::optional<ArgumentRef> argument = argument_at(node, i);
  if (!argument) return nullptr;
  const Graph& graph = node.graph();
  const ArgumentRef value = *argument;
  const Node* source = value.node();
  for (size_t k = 0; k < graph.num_subgraphs(); ++k) {
    const bool is_it = value.kind() == ArgumentKind::kGraph
                           ? value.as_graph() == k
                           : source && source->op() == Opcode::kGetAttr &&
                                 source->target() == graph.subgraph_name(k);
    if (!is_it) continue;
    *name = graph.subgraph_name(k);
    return &graph.subgraph(k);
  }
  if (root == nullptr || source == nullptr || source->op() != Opcode::kGetAttr) return nullptr;
  const Module* module = root->find_module(source->target());  // a module with a graph of its own
  const GraphModule* held = module ? module->as_graph_module() : nullptr;
  *name = source->target();
  return held ? &held->graph() : nullptr;
}

/// True when this argument of a graph is a dtype, which is an int in libtorch. A is Argument or
/// ArgumentRef.
template <class A>
bool is_dtype(const A& written) {
  if (written.kind() == ArgumentKind::kDType) return true;
  const Node* source = written.node();  // x.dtype
  return source != nullptr && source->op() == Opcode::kCallFunction && source->num_args() == 2 &&
         source->function().name() == "builtins.getattr" && source->arg(1).is_string() &&
         source->arg(1).as_string() == "dtype";
}

}  // namespace

absl::StatusOr<c10::IValue> coerce_ivalue(const c10::IValue& value, ArgumentCode code,
                                          int* conversions) {
  if (value.isNone()) {
    if (code.optional || code.base == ArgumentCode::kOther) return value;
    if (code.base == ArgumentCode::kTensor && !code.list) return c10::IValue(at::Tensor());
    return misfit(value, "an argument that is not optional");
  }
  if (!code.list) return coerce_leaf(value, code, conversions);
  std::vector<c10::IValue> items;
  ArgumentCode item_code = code;
  item_code.list = false;
  item_code.optional = code.optional_items;
  if (value.isList() || value.isTuple()) {
    for (const c10::IValue& item : items_of(value)) {
      FX_ASSIGN_OR_RETURN(c10::IValue fitting, coerce_ivalue(item, item_code, conversions));
      items.push_back(std::move(fitting));
    }
  } else {
    if (code.repeat == 0) return misfit(value, "a list");
    FX_ASSIGN_OR_RETURN(const c10::IValue fitting, coerce_leaf(value, item_code, conversions));
    items.assign(static_cast<size_t>(code.repeat), fitting);
    if (conversions) ++*conversions;
  }
  return list_ivalue(std::move(items), code);
}

// ---------------------------------------------------------------- operators

const TorchInterpreter::Operator* TorchInterpreter::add(const c10::OperatorHandle& handle) {
  const c10::OperatorName& name = handle.operator_name();
  std::unique_ptr<Operator>& op = operators_[name.name + "." + name.overload_name];
  if (!op) {
    op = std::make_unique<Operator>(Operator{handle, {}});
    for (const c10::Argument& argument : handle.schema().arguments())
      op->codes.push_back(argument_code(argument));
  }
  return op.get();
}

absl::StatusOr<const TorchInterpreter::Operator*> TorchInterpreter::find(std::string_view target) {
  FX_ASSIGN_OR_RETURN(const c10::OperatorHandle handle, find_operator(target));
  return add(handle);
}

const TorchInterpreter::Overloads& TorchInterpreter::overloads(std::string_view name) {
  const auto [entry, is_new] = overloads_.try_emplace(std::string(name));
  if (!is_new) return entry->second;
  const std::string full = "aten::" + std::string(name);
  std::vector<c10::OperatorName> names;
  for (const c10::OperatorName& op : c10::Dispatcher::singleton().getAllOpNames())
    if (op.name == full) names.push_back(op);
  std::sort(names.begin(), names.end(),
            [](const auto& a, const auto& b) { return a.overload_name < b.overload_name; });
  for (const c10::OperatorName& op : names)
    if (auto handle = c10::Dispatcher::singleton().findSchema(op))
      entry->second.push_back(add(*handle));
  return entry->second;
}

/// The arguments as the operator's stack has them. With `conversions` the way Python's bindings
/// match an overload: keyword-only arguments by keyword, loose ints for a list of them.
absl::StatusOr<std::vector<c10::IValue>> TorchInterpreter::bind(
    const Operator& op, const Call& call, int* conversions,
    absl::Span<const Argument> written) const {
  const std::vector<c10::Argument>& parameters = op.handle.schema().arguments();
  const size_t num_args = call.args.size();
  std::vector<c10::IValue> stack;
  stack.reserve(parameters.size());
  const auto is_dtype_at = [&](size_t i) {
    if (written.size() == num_args) return is_dtype(written[i]);
    return call.node->num_args() == num_args && is_dtype(call.node->arg(i));
  };
  // Python takes ints one by one for a list only where no positional parameter stands behind it.
  size_t last = parameters.size();
  while (last > 0 && parameters[last - 1].kwarg_only()) --last;
  size_t next = 0, keywords = 0;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const c10::Argument& parameter = parameters[i];
    const ArgumentCode code = op.codes[i];
    const auto failed = [&](const absl::Status& status) {
      return with_context(
          status, fmt::format("argument \"{}\" of {}", parameter.name(), target_name(op.handle)));
    };
    const c10::IValue* value = nullptr;
    c10::IValue gathered;
    if (next < num_args && !(conversions && parameter.kwarg_only())) {
      value = &call.args[next];
      if (conversions) {
        if (is_dtype_at(next) != (code.base == ArgumentCode::kDType))
          return failed(misfit(*value, "this argument"));
        const auto rest = call.args.begin() + static_cast<std::ptrdiff_t>(next);
        const bool loose =
            i + 1 == last && code.list && code.base == ArgumentCode::kInt && value->isInt() &&
            (code.repeat == 0 || num_args - next > 1) &&
            std::all_of(rest, call.args.end(), [](const c10::IValue& v) { return v.isInt(); });
        const bool loose_tensors =  // torch.einsum(equation, x, y)
            code.list && code.base == ArgumentCode::kTensor && value->isTensor() &&
            std::all_of(rest, call.args.end(), [](const c10::IValue& v) { return v.isTensor(); });
        if (loose_tensors) {
          FX_ASSIGN_OR_RETURN(gathered, list_ivalue({rest, call.args.end()}, code));
          value = &gathered;
          ++*conversions;
          next = num_args - 1;
        } else if (loose) {
          std::vector<int64_t> ints;
          for (; next < num_args; ++next) ints.push_back(call.args[next].toInt());
          gathered = c10::IValue(ints);
          value = &gathered;
          ++*conversions;
          --next;
        }
      }
      ++next;
    } else {
      for (const NamedValue<c10::IValue>& entry : call.kwargs)
        if (ops::is_python_name(entry.name.str(), parameter.name())) value = &entry.value;
      if (value) ++keywords;
    }
    if (value) {
      // Dimension names, generators, streams: no value of a graph is one.
      if (conversions && code.base == ArgumentCode::kOther && !value->isNone())
        return failed(misfit(*value, "this argument"));
      absl::StatusOr<c10::IValue> fitting = coerce_ivalue(*value, code, conversions);
      if (!fitting.ok()) return failed(fitting.status());
      stack.push_back(*std::move(fitting));
    } else if (parameter.default_value()) {
      stack.push_back(*parameter.default_value());
    } else {
      return failed(absl::InvalidArgumentError("it is missing"));
    }
  }
  if (next != num_args) {
    return absl::InvalidArgumentError(
        fmt::format("{} takes {} arguments, not {}", target_name(op.handle), next, num_args));
  }
  if (keywords != call.kwargs.size()) {
    return absl::InvalidArgumentError(
        fmt::format("{} has no argument for one of the keywords given", target_name(op.handle)));
  }
  return stack;
}

absl::StatusOr<c10::IValue> TorchInterpreter::call_bound(const Operator& op,
                                                         std::vector<c10::IValue> stack,
                                                         const Call& call) {
  {
    std::optional<KernelScope> below_autograd;
    std::optional<at::AutoGradMode> with_grad;
    if (autograd_ == AutogradUse::kNone) {
      below_autograd.emplace();
      with_grad.emplace(true);  // as in TorchEvaluator
    }
    op.handle.callBoxed(stack);
  }
  if (const std::optional<Argument> guard = call.node->meta().get(kGuard)) {
    FX_ASSIGN_OR_RETURN(const c10::IValue expected,
                        to_ivalue(*guard, {.base = ArgumentCode::kNumber}));
    if (stack.empty() || !internal::same_number(stack.back(), expected))
      return internal::guard_error(stack.empty() ? c10::IValue() : stack.back(), expected);
  }
  if (stack.empty()) return c10::IValue();
  if (stack.size() == 1) return std::move(stack[0]);
  return c10::IValue(c10::ivalue::Tuple::create(std::move(stack)));
}

absl::StatusOr<c10::IValue> TorchInterpreter::call_overloaded(std::string_view name, Call& call,
                                                              absl::Span<const Argument> written) {
  const Overloads& candidates = overloads(name);
  if (candidates.empty())
    return absl::NotFoundError(
        fmt::format("this libtorch has no operator aten::{}; lower_to_aten makes operators of "
                    "functions that are several",
                    name));
  // As Python's functions do: out=None is no tensor to write to.
  std::erase_if(call.kwargs, [](const NamedValue<c10::IValue>& entry) {
    return entry.name.str() == "out" && entry.value.isNone();
  });
  const Operator* best = nullptr;
  std::vector<c10::IValue> best_stack;
  int least = 0;
  absl::Status first;
  for (const Operator* op : candidates) {
    int conversions = 0;
    absl::StatusOr<std::vector<c10::IValue>> stack = bind(*op, call, &conversions, written);
    if (!stack.ok()) {
      if (first.ok()) first = stack.status();
      continue;
    }
    if (best && conversions >= least) continue;
    best = op;
    best_stack = *std::move(stack);
    least = conversions;
  }
  if (best) return call_bound(*best, std::move(best_stack), call);
  if (candidates.size() == 1) return first;
  return absl::InvalidArgumentError(
      fmt::format("none of the {} overloads of aten::{} takes these arguments; of the first: {}",
                  candidates.size(), name, std::string(first.message())));
}

absl::StatusOr<c10::IValue> TorchInterpreter::call_function(Call& call) {
  const std::string_view name = call.function.name();
  if (functions_ != nullptr) {
    if (const TorchFunctions::Function* function = functions_->find(name)) return (*function)(call);
  }
  if (const auto known = targets_.find(call.function.symbol()); known != targets_.end()) {
    FX_ASSIGN_OR_RETURN(std::vector<c10::IValue> stack, bind(*known->second, call, nullptr));
    return call_bound(*known->second, std::move(stack), call);
  }
  if (name.starts_with("higher_order.") || is_python_number_function(name)) place_keywords(call);
  if (name == "operator.getitem") return get_item(call);
  if (name == "operator.setitem") return set_item(call);
  if (name == "builtins.getattr") return get_attribute(call);
  if (name.starts_with("higher_order.")) return higher_order(name, call);
  if (is_python_number_function(name) && call.kwargs.empty()) {
    const auto is_constant = [](const c10::IValue& v) { return is_number(v) || v.isList(); };
    if (std::all_of(call.args.begin(), call.args.end(), is_constant)) {
      std::vector<Argument> numbers;
      for (const c10::IValue& value : call.args) {
        FX_ASSIGN_OR_RETURN(Argument number, from_ivalue(value, {.base = ArgumentCode::kNumber}));
        numbers.push_back(std::move(number));
      }
      FX_ASSIGN_OR_RETURN(const Argument result, call_python_number(name, numbers));
      return constant(result);
    }
  }
  if (name == "torch._assert" && !call.args.empty()) return check_condition(call);
  const bool is_eq = name == "operator.eq";
  if ((is_eq || name == "operator.ne") && call.args.size() == 2 && call.args[0].isDevice() &&
      call.args[1].isDevice())
    return c10::IValue((call.args[0].toDevice() == call.args[1].toDevice()) == is_eq);
  if (name == "operator.add" && call.args.size() == 2 && is_sequence(call.args[0]) &&
      is_sequence(call.args[1]))
    return joined(call.args[0], call.args[1]);
  FX_ASSIGN_OR_RETURN(const std::optional<ops::PythonCall> form, take_python_form(call));
  if (form)
    return call_overloaded(std::string_view(form->packet).substr(kAten.size()), call, form->args);
  if (const std::string packet = ops::packet_of_function(name); packet.starts_with(kAten))
    return call_overloaded(std::string_view(packet).substr(kAten.size()), call);
  absl::StatusOr<const Operator*> op = find(name);
  if (absl::IsUnimplemented(op.status())) {
    return absl::UnimplementedError(
        fmt::format("{}; the code of a function of your own is given by set_functions",
                    std::string(op.status().message())));
  }
  FX_RETURN_IF_ERROR(op.status());
  targets_.emplace(call.function.symbol(), *op);
  FX_ASSIGN_OR_RETURN(std::vector<c10::IValue> stack, bind(**op, call, nullptr));
  return call_bound(**op, std::move(stack), call);
}

absl::StatusOr<c10::IValue> TorchInterpreter::call_method(Call& call) {
  if (call.args.empty() || !call.args[0].isTensor())
    return absl::UnimplementedError(
        fmt::format("method {} of a value that is no tensor", call.target));
  if (call.target == "__getitem__") return get_item(call);
  if (call.target == "__setitem__") return set_item(call);
  if (call.kwargs.empty() && call.args.size() == 1) {
    FX_ASSIGN_OR_RETURN(std::optional<c10::IValue> value, query(call.target, call));
    if (value) return *std::move(value);
  }
  ops::order_for_operator(call.target, call.args, call.kwargs,
                          [](const NamedValue<c10::IValue>& named) { return named.name.str(); });
  return call_overloaded(call.target, call);
}

/// torch._assert(condition, message)
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

absl::StatusOr<c10::IValue> TorchInterpreter::higher_order(std::string_view name, Call& call) {
  const auto items = [&](size_t i) {
    const c10::ArrayRef<c10::IValue> values =
        i < call.args.size() ? items_of(call.args[i]) : c10::ArrayRef<c10::IValue>();
    return std::vector<c10::IValue>(values.begin(), values.end());
  };
  const auto run_as_it_is = [&](size_t i,
                                std::vector<c10::IValue> inputs) -> absl::StatusOr<c10::IValue> {
    std::string path;
    const Graph* nested = graph_of(*call.node, i, root(), &path);
    if (nested == nullptr)
      return absl::InvalidArgumentError(fmt::format("argument {} of {} is no graph", i, name));
    const Module* nested_root = root() ? root()->find_module(path) : nullptr;
    return run_graph(*nested, nested_root, path, std::move(inputs));
  };
  const auto run_nested =
      [&](size_t i, std::vector<c10::IValue> inputs) -> absl::StatusOr<std::vector<c10::IValue>> {
    FX_ASSIGN_OR_RETURN(const c10::IValue result, run_as_it_is(i, std::move(inputs)));
    if (!result.isList() && !result.isTuple()) return std::vector<c10::IValue>{result};
    const c10::ArrayRef<c10::IValue> values = items_of(result);
    return std::vector<c10::IValue>(values.begin(), values.end());
  };
  const auto tuple = [](std::vector<c10::IValue> values) {
    return c10::IValue(c10::ivalue::Tuple::create(std::move(values)));
  };

  if (name == "higher_order.cond" && call.args.size() >= 3) {
    FX_ASSIGN_OR_RETURN(const bool condition, truth_of(call.args[0]));
    FX_ASSIGN_OR_RETURN(std::vector<c10::IValue> results, run_nested(condition ? 1 : 2, items(3)));
    return tuple(std::move(results));
  }
  if (name == "higher_order.while_loop" && call.args.size() >= 3) {
    std::vector<c10::IValue> carried = items(2);
    const std::vector<c10::IValue> more = items(3);
    for (;;) {
      std::vector<c10::IValue> inputs = carried;
      inputs.insert(inputs.end(), more.begin(), more.end());
      FX_ASSIGN_OR_RETURN(const std::vector<c10::IValue> go_on, run_nested(0, inputs));
      if (go_on.size() != 1)
        return absl::InvalidArgumentError("the condition of a loop returns one value");
      FX_ASSIGN_OR_RETURN(const bool condition, truth_of(go_on[0]));
      if (!condition) return tuple(std::move(carried));
      FX_ASSIGN_OR_RETURN(carried, run_nested(1, std::move(inputs)));
    }
  }
  if (name == "higher_order.scan" && call.args.size() >= 3) {
    std::vector<c10::IValue> carried = items(1);
    const std::vector<c10::IValue> sequences = items(2), more = items(3);
    const size_t num_carried = carried.size();
    if (sequences.empty() || !sequences[0].isTensor() || sequences[0].toTensor().dim() == 0)
      return absl::InvalidArgumentError("scan needs tensors with a first dimension to walk");
    std::vector<std::vector<at::Tensor>> outputs;
    for (int64_t step = 0; step < sequences[0].toTensor().size(0); ++step) {
      std::vector<c10::IValue> inputs = std::move(carried);
      for (const c10::IValue& xs : sequences)
        inputs.emplace_back(at::select(xs.toTensor(), 0, step));
      inputs.insert(inputs.end(), more.begin(), more.end());
      FX_ASSIGN_OR_RETURN(std::vector<c10::IValue> results, run_nested(0, std::move(inputs)));
      if (results.size() < num_carried)
        return absl::InvalidArgumentError("the body of a scan returns what it carries, and more");
      outputs.resize(results.size() - num_carried);
      for (size_t k = 0; k < outputs.size(); ++k)
        outputs[k].push_back(results[num_carried + k].toTensor());
      results.resize(num_carried);
      carried = std::move(results);
    }
    for (const std::vector<at::Tensor>& ys : outputs) carried.emplace_back(at::stack(ys));
    return tuple(std::move(carried));
  }
  if (name == "higher_order.with_effects" && call.args.size() >= 2 && call.node->num_args() >= 2 &&
      call.node->arg(1).kind() == ArgumentKind::kFunction) {
    Call inner{.node = call.node, .function = call.node->arg(1).as_function()};
    const c10::IValue token = call.args[0];
    inner.args.assign(call.args.begin() + 2, call.args.end());
    inner.kwargs = std::move(call.kwargs);
    FX_ASSIGN_OR_RETURN(const c10::IValue result, call_function(inner));
    std::vector<c10::IValue> results{token};
    if (result.isTuple()) {
      for (const c10::IValue& item : items_of(result)) results.push_back(item);
    } else {
      results.push_back(result);
    }
    return tuple(std::move(results));
  }
  FX_ASSIGN_OR_RETURN(const std::optional<GraphCall> graph_call, fx::graph_call(*call.node));
  if (graph_call && call.args.size() >= graph_call->first_operand) {
    const auto first = call.args.begin() + static_cast<std::ptrdiff_t>(graph_call->first_operand);
    std::optional<at::AutoGradMode> grad;
    std::optional<AutocastScope> autocast;
    if (graph_call->grad) grad.emplace(*graph_call->grad);
    if (const auto& wanted = graph_call->autocast) {
      autocast.emplace(to_torch(Device{wanted->device}).type(),
                       wanted->dtype ? std::optional(to_torch(*wanted->dtype)) : std::nullopt,
                       wanted->enabled, wanted->cache);
    }
    return run_as_it_is(graph_call->graph, {first, call.args.end()});
  }
  return absl::UnimplementedError(fmt::format("{} is not evaluated", name));
}

}  // namespace fx
