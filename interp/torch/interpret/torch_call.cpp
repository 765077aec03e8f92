// Calls operators in TorchInterpreter. Chooses overloads based on the arguments, as Python's
// bindings do.
#include "fx/interp/python_numbers.h"
#include "fx/interp/torch/dispatch/dispatcher.h"
#include "fx/interp/torch/dispatch/guard_internal.h"
#include "fx/interp/torch/interpret/torch_interpreter.h"
#include "fx/interp/torch/interpret/torch_vmap_internal.h"
#include "fx/ir/calls/overload.h"
#include "fx/ir/calls/python_forms.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/ops/packets.h"
#include "fx/ir/symbolic/number_functions.h"

#include <ATen/Functions.h>
#include <ATen/core/grad_mode.h>
#include <ATen/core/jit_type.h>
#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace fx {
namespace {

constexpr std::string_view kAten = "aten.";

bool is_number(const c10::IValue& value) {
  return value.isInt() || value.isDouble() || value.isBool() || value.isComplexDouble();
}

bool is_sequence(const c10::IValue& value) { return value.isList() || value.isTuple(); }

/// Returns a tuple as a list, and other values as they are.
c10::IValue tuple_as_list(const c10::IValue& value) {
  if (!value.isTuple()) return value;
  c10::List<c10::IValue> list(c10::AnyType::get());
  for (const c10::IValue& item : items_of(value)) list.push_back(item);
  return list;
}

/// Returns Python's `a + b` for lists or tuples. The sizes of a tensor are a list.
c10::IValue concatenate(const c10::IValue& a, const c10::IValue& b) {
  std::vector<c10::IValue> items(items_of(a).begin(), items_of(a).end());
  items.insert(items.end(), items_of(b).begin(), items_of(b).end());
  if (a.isTuple() || b.isTuple()) return c10::ivalue::Tuple::create(std::move(items));
  c10::List<c10::IValue> list(c10::AnyType::get());
  for (c10::IValue& item : items) list.push_back(std::move(item));
  return list;
}

absl::Status cannot_pass(const c10::IValue& value, std::string_view expected) {
  return absl::InvalidArgumentError(
      fmt::format("a value of kind {} cannot be passed as {}", value.tagKind(), expected));
}

/// Implements coerce_ivalue for a number or an enumerator, which is an int in libtorch.
absl::StatusOr<c10::IValue> coerce_number(const c10::IValue& value, ArgumentCode::Base base) {
  switch (base) {
    case ArgumentCode::kNumber:
      if (is_number(value)) return value;
      return cannot_pass(value, "a number");
    case ArgumentCode::kInt:
      if (value.isBool()) return c10::IValue(int64_t{value.toBool()});
      break;
    case ArgumentCode::kFloat:
      if (value.isDouble()) return value;
      if (value.isInt()) return c10::IValue(static_cast<double>(value.toInt()));
      if (value.isBool()) return c10::IValue(value.toBool() ? 1.0 : 0.0);
      return cannot_pass(value, "a float");
    case ArgumentCode::kBool:
      if (value.isBool()) return value;
      return cannot_pass(value, "a bool");
    default:
      break;
  }
  if (value.isInt()) return value;
  return cannot_pass(value, "an int");
}

/// Implements coerce_ivalue for a value that is not a list.
absl::StatusOr<c10::IValue> coerce_leaf(const c10::IValue& value, ArgumentCode code) {
  switch (code.base) {
    case ArgumentCode::kTensor:
      if (value.isTensor()) return value;
      if (is_number(value)) return c10::IValue(number_tensor(value.toScalar()));
      return cannot_pass(value, "a tensor");
    case ArgumentCode::kString:
      if (value.isString()) return value;
      return cannot_pass(value, "a string");
    case ArgumentCode::kDevice:
      if (value.isDevice()) return value;
      if (value.isString()) return c10::IValue(c10::Device(value.toStringRef()));
      return cannot_pass(value, "a device");
    case ArgumentCode::kOther:
      return value;
    default:
      return coerce_number(value, code.base);
  }
}

/// Converts a value for a parameter of this kind, for example a number to a tensor, or an item to a
/// fixed-size list. Returns InvalidArgument if there is no conversion.
absl::StatusOr<c10::IValue> coerce_ivalue(const c10::IValue& value, ArgumentCode code) {
  if (value.isNone()) {
    if (code.optional || code.base == ArgumentCode::kOther) return value;
    if (code.base == ArgumentCode::kTensor && !code.list) return c10::IValue(at::Tensor());
    return cannot_pass(value, "an argument that is not optional");
  }
  if (!code.list) return coerce_leaf(value, code);
  std::vector<c10::IValue> items;
  ArgumentCode item_code = code;
  item_code.list = false;
  item_code.optional = code.optional_items;
  if (value.isList() || value.isTuple()) {
    for (const c10::IValue& item : items_of(value)) {
      FX_ASSIGN_OR_RETURN(c10::IValue fitting, coerce_ivalue(item, item_code));
      items.push_back(std::move(fitting));
    }
  } else {
    if (code.repeat == 0) return cannot_pass(value, "a list");
    FX_ASSIGN_OR_RETURN(const c10::IValue fitting, coerce_leaf(value, item_code));
    items.assign(static_cast<size_t>(code.repeat), fitting);
  }
  return list_ivalue(std::move(items), code);
}

/// Returns the kind of a libtorch int, which may be a dtype, layout or memory format, based on the
/// argument in the graph. A is Argument or ArgumentRef.
template <class A>
PassedKind kind_of_int(const A& written, PassedKind otherwise) {
  switch (written.kind()) {
    case ArgumentKind::kDType:
      return PassedKind::kDType;
    case ArgumentKind::kLayout:
      return PassedKind::kLayout;
    case ArgumentKind::kMemoryFormat:
      return PassedKind::kMemoryFormat;
    case ArgumentKind::kNode:
      break;
    default:
      return otherwise;
  }
  const Node* source = written.node();  // x.dtype
  const bool is_attribute = source->op() == Opcode::kCallFunction && source->num_args() == 2 &&
                            source->function().name() == "builtins.getattr" &&
                            source->arg(1).is_string();
  if (!is_attribute) return otherwise;
  if (source->arg(1).as_string() == "dtype") return PassedKind::kDType;
  if (source->arg(1).as_string() == "layout") return PassedKind::kLayout;
  return otherwise;
}

/// Describes a value for choose_overload. `of_int` is the kind of ints.
PassedValue passed_ivalue(const c10::IValue& value, PassedKind of_int) {
  if (value.isNone()) return {PassedKind::kNone};
  if (value.isTensor()) return {PassedKind::kTensor};
  if (value.isBool()) return {PassedKind::kBool};
  if (value.isInt()) return {of_int};
  if (value.isDouble()) return {PassedKind::kFloat};
  if (value.isComplexDouble()) return {PassedKind::kComplex};
  if (value.isDevice()) return {PassedKind::kDevice};
  if (value.isString()) {
    const bool is_device = device_from_name(value.toStringRef()).has_value();
    return {is_device ? PassedKind::kDeviceName : PassedKind::kString};
  }
  if (!is_sequence(value)) return {PassedKind::kOther};
  PassedValue list{PassedKind::kList};
  for (const c10::IValue& item : items_of(value))
    list.items.push_back(passed_ivalue(item, PassedKind::kInt));
  return list;
}

CallArguments call_arguments(const Call<c10::IValue>& call) {
  CallArguments arguments{.num_args = call.args.size()};
  arguments.is_method = CallArguments::of(*call.node).is_method;
  for (const NamedValue<c10::IValue>& entry : call.kwargs)
    arguments.keywords.push_back(entry.name.str());
  return arguments;
}

/// Calls Python's functions on numbers. Returns std::nullopt for other calls.
absl::StatusOr<std::optional<Argument>> call_on_numbers(std::string_view name,
                                                        const Call<c10::IValue>& call) {
  // The sum or product of a list or tuple; call_on_objects concatenates two of them.
  const bool is_reduction = call.args.size() == 1;
  const auto is_constant = [&](const c10::IValue& v) {
    return is_number(v) || (is_reduction && is_sequence(v));
  };
  if (!is_python_number_function(name) || !call.kwargs.empty() ||
      !std::ranges::all_of(call.args, is_constant))
    return std::nullopt;
  std::vector<Argument> numbers;
  for (const c10::IValue& value : call.args) {
    // The conversion accepts lists, and not tuples.
    FX_ASSIGN_OR_RETURN(Argument number,
                        from_ivalue(tuple_as_list(value), {.base = ArgumentCode::kNumber}));
    numbers.push_back(std::move(number));
  }
  FX_ASSIGN_OR_RETURN(Argument result, call_python_number(name, numbers));
  return result;
}

/// Calls Python's operators `==` and `!=` on devices, and `+` on lists and tuples. Returns
/// std::nullopt for other calls.
std::optional<c10::IValue> call_on_objects(std::string_view name, const Call<c10::IValue>& call) {
  if (call.args.size() != 2) return {};
  const c10::IValue &a = call.args[0], &b = call.args[1];
  if (a.isDevice() && b.isDevice()) {
    if (name == "operator.eq") return c10::IValue(a.toDevice() == b.toDevice());
    if (name == "operator.ne") return c10::IValue(a.toDevice() != b.toDevice());
  }
  if (name == "operator.add" && is_sequence(a) && is_sequence(b)) return concatenate(a, b);
  return {};
}

/// Makes keyword arguments positional if the parameters of the function are known.
void make_keywords_positional(Call<c10::IValue>& call) {
  const ops::OpInfo* op = call.function.op();
  if (call.kwargs.empty() || op == nullptr || op->schema().is_vararg()) return;
  std::vector<BoundParameter> bound;
  bind_arguments(op->schema(), call_arguments(call), CallStyle::kOperator, bound);
  std::vector<c10::IValue> args;
  for (size_t i = 0; i < bound.size() && bound[i].is_passed(); ++i)
    args.push_back(call.argument_at(bound[i].first));
  if (args.size() != call.args.size() + call.kwargs.size()) return;
  call.args = std::move(args);
  call.kwargs.clear();
}

}  // namespace

// ---------------------------------------------------------------- operators

/// Returns the operator with its schema. Each schema is parsed only once per process, because
/// printing it in libtorch and parsing it here takes longer than running a small graph.
absl::StatusOr<std::shared_ptr<const TorchInterpreter::Operator>> TorchInterpreter::load_operator(
    const c10::OperatorHandle& handle) {
  struct Entry {
    c10::FunctionSchema schema;
    std::shared_ptr<const Operator> op;
  };
  static std::mutex mutex;
  static auto& entries = *new std::unordered_map<c10::OperatorName, Entry>();
  const std::lock_guard lock(mutex);
  const auto found = entries.find(handle.operator_name());
  // A library may have registered a different operator with this name after the entry was added.
  if (found != entries.end() && found->second.op->handle == handle &&
      found->second.schema == handle.schema())
    return found->second.op;
  FX_ASSIGN_OR_RETURN(ops::OpSchema schema, ops::parse_schema(c10::toString(handle.schema())));
  const auto op = std::make_shared<Operator>(Operator{handle, {}, std::move(schema)});
  for (const c10::Argument& argument : handle.schema().arguments())
    op->codes.push_back(argument_code(argument));
  entries.insert_or_assign(handle.operator_name(), Entry{handle.schema(), op});
  return op;
}

absl::StatusOr<const TorchInterpreter::Operator*> TorchInterpreter::find(std::string_view target) {
  std::shared_ptr<const Operator>& op = operators_[std::string(target)];
  if (op) return op.get();
  FX_ASSIGN_OR_RETURN(const c10::OperatorHandle handle, find_operator(target));
  FX_ASSIGN_OR_RETURN(op, load_operator(handle));
  return op.get();
}

const TorchInterpreter::Overloads& TorchInterpreter::overloads(std::string_view packet) {
  const auto [entry, is_new] = overloads_.try_emplace(std::string(packet));
  if (!is_new) return entry->second;
  for (const ops::OpInfo& info : ops::find_overloads(packet))
    if (!info.has(ops::OpTrait::kTorchScript) && find_operator(info.name()).ok())
      entry->second.push_back(&info);
  return entry->second;
}

/// Returns the stack for a call to the operator with these arguments.
absl::StatusOr<std::vector<c10::IValue>> TorchInterpreter::stack_of(
    const Operator& op, const Call& call, absl::Span<const BoundParameter> bound) {
  const std::vector<c10::Argument>& parameters = op.handle.schema().arguments();
  std::vector<c10::IValue> stack;
  stack.reserve(parameters.size());
  for (size_t i = 0; i < parameters.size(); ++i) {
    const BoundParameter& parameter = bound[i];
    if (!parameter.is_passed()) {
      stack.push_back(*parameters[i].default_value());
      continue;
    }
    absl::StatusOr<c10::IValue> value;
    if (parameter.is_variadic) {
      const auto first = call.args.begin() + static_cast<std::ptrdiff_t>(parameter.first);
      value =
          list_ivalue({first, first + static_cast<std::ptrdiff_t>(parameter.count)}, op.codes[i]);
    } else {
      value = coerce_ivalue(call.argument_at(parameter.first), op.codes[i]);
    }
    if (!value.ok()) {
      return with_context(value.status(), fmt::format("argument \"{}\" of {}", parameters[i].name(),
                                                      target_name(op.handle)));
    }
    stack.push_back(*std::move(value));
  }
  return stack;
}

absl::StatusOr<std::vector<c10::IValue>> TorchInterpreter::bind(const Operator& op,
                                                                const Call& call) {
  const CallArguments arguments = call_arguments(call);
  const BindProblem problem = bind_arguments(op.schema, arguments, CallStyle::kOperator, bound_);
  if (!problem.ok()) return bind_error(target_name(op.handle), problem, op.schema, arguments);
  return stack_of(op, call, bound_);
}

absl::StatusOr<c10::IValue> TorchInterpreter::call_bound(const Operator& op,
                                                         std::vector<c10::IValue> stack,
                                                         const Call& call) {
  {
    std::optional<KernelScope> below_autograd;
    std::optional<at::AutoGradMode> with_grad;
    if (autograd_ == AutogradUse::kNone) {
      below_autograd.emplace();
      with_grad.emplace(true);  // see TorchEvaluator::run_steps
    }
    dispatch(op.handle, stack);
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

absl::StatusOr<c10::IValue> TorchInterpreter::call_binding(std::string_view function,
                                                           std::string_view packet, Call& call) {
  const auto find = [&](std::string_view key) {
    return std::ranges::find_if(
        call.kwargs, [&](const NamedValue<c10::IValue>& entry) { return entry.name.str() == key; });
  };
  const ops::BindingKeywords keywords =
      ops::binding_keywords(function, overloads(packet), call.args.size(),
                            [&](std::string_view key) { return find(key) != call.kwargs.end(); });
  if (keywords.adds_reduction) {
    const Symbol reduction = call.node->graph().context().symbol("reduction");
    call.kwargs.push_back({reduction, c10::IValue(int64_t{0})});
  }
  if (keywords.drops_requires_grad) {
    const auto requires_grad = find("requires_grad");
    const c10::IValue& value = requires_grad->value;
    if (!value.isNone() && !(value.isBool() && !value.toBool()))
      return ops::unsupported_requires_grad(function);
    call.kwargs.erase(requires_grad);
  }
  return call_overloaded(packet, call);
}

absl::StatusOr<c10::IValue> TorchInterpreter::call_overloaded(std::string_view packet, Call& call,
                                                              absl::Span<const Argument> written) {
  const Overloads& candidates = overloads(packet);
  if (candidates.empty())
    return absl::NotFoundError(fmt::format(
        "libtorch does not have the operator {}; lower_to_aten replaces functions that are "
        "composed of multiple operators",
        packet));
  std::vector<PassedValue> values;
  for (size_t i = 0; i < call.args.size(); ++i) {
    const PassedKind of_int = written.size() == call.args.size()
                                  ? kind_of_int(written[i], PassedKind::kInt)
                              : call.node->num_args() == call.args.size()
                                  ? kind_of_int(call.node->arg(i), PassedKind::kInt)
                                  : PassedKind::kInt;
    values.push_back(passed_ivalue(call.args[i], of_int));
  }
  for (const NamedValue<c10::IValue>& entry : call.kwargs) {
    const auto named = call.node->kwarg(entry.name.str());
    values.push_back(passed_ivalue(
        entry.value, named ? kind_of_int(*named, PassedKind::kEnumOrInt) : PassedKind::kEnumOrInt));
  }
  CallArguments arguments = call_arguments(call);
  arguments.values = values;
  FX_ASSIGN_OR_RETURN(const Overload overload, choose_overload(packet, candidates, arguments,
                                                               {.numbers_as_tensors = false}));
  FX_ASSIGN_OR_RETURN(const Operator* op, find(overload.op->name()));
  if (overload.parameters.size() != op->codes.size()) {
    return absl::UnimplementedError(
        fmt::format("libtorch has a different signature for {}", overload.op->name()));
  }
  FX_ASSIGN_OR_RETURN(std::vector<c10::IValue> stack, stack_of(*op, call, overload.parameters));
  return call_bound(*op, std::move(stack), call);
}

/// Calls libtorch's operator with this name, and caches the operator.
absl::StatusOr<c10::IValue> TorchInterpreter::call_operator(std::string_view name,
                                                            const Call& call) {
  absl::StatusOr<const Operator*> op = find(name);
  if (absl::IsUnimplemented(op.status())) {
    return absl::UnimplementedError(
        fmt::format("{}; pass the code of a custom function to set_functions",
                    std::string(op.status().message())));
  }
  FX_RETURN_IF_ERROR(op.status());
  targets_.emplace(call.function.symbol(), *op);
  FX_ASSIGN_OR_RETURN(std::vector<c10::IValue> stack, bind(**op, call));
  return call_bound(**op, std::move(stack), call);
}

absl::StatusOr<c10::IValue> TorchInterpreter::call_function(Call& call) {
  const std::string_view name = call.function.name();
  if (functions_ != nullptr) {
    if (const TorchFunctions::Function* function = functions_->find(name)) return (*function)(call);
  }
  if (const auto target = targets_.find(call.function.symbol()); target != targets_.end()) {
    FX_ASSIGN_OR_RETURN(std::vector<c10::IValue> stack, bind(*target->second, call));
    return call_bound(*target->second, std::move(stack), call);
  }
  if (name.starts_with("higher_order.") || is_python_number_function(name))
    make_keywords_positional(call);
  if (name == "operator.getitem") return get_item(call);
  if (name == "operator.setitem") return set_item(call);
  if (name == "builtins.getattr") return get_attribute(call);
  if (name.starts_with("higher_order.")) return higher_order(name, call);
  FX_ASSIGN_OR_RETURN(const std::optional<Argument> number, call_on_numbers(name, call));
  if (number) return constant(*number);
  if (name == "torch._assert" && !call.args.empty()) return check_condition(call);
  if (name.starts_with(internal::kPredispatch)) return internal::call_predispatch(name, call);
  if (std::optional<c10::IValue> value = call_on_objects(name, call)) return *std::move(value);
  FX_ASSIGN_OR_RETURN(const std::optional<ops::PythonCall> form, take_python_form(name, call));
  if (form) return call_form(*form, call);
  // `n += x` returns a new value if n is a number.
  const bool is_number_first = !call.args.empty() && call.args[0].isScalar();
  const std::string packet =
      ops::packet_of_function(is_number_first ? plain_number_function(name) : name);
  if (packet.starts_with(kAten)) return call_binding(name, packet, call);
  return call_operator(name, call);
}

absl::StatusOr<c10::IValue> TorchInterpreter::call_method(Call& call) {
  if (call.args.empty() || !call.args[0].isTensor())
    return absl::UnimplementedError(fmt::format("method {} requires a tensor", call.target));
  if (call.target == "__getitem__") return get_item(call);
  if (call.target == "__setitem__") return set_item(call);
  if (call.kwargs.empty() && call.args.size() == 1) {
    FX_ASSIGN_OR_RETURN(std::optional<c10::IValue> value, query(call.target, call));
    if (value) return *std::move(value);
  }
  const std::string function = fmt::format("torch.Tensor.{}", call.target);
  FX_ASSIGN_OR_RETURN(const std::optional<ops::PythonCall> form, take_python_form(function, call));
  if (form) return call_form(*form, call);
  ops::order_for_operator(call.target, call.args, call.kwargs,
                          [](const NamedValue<c10::IValue>& named) { return named.name.str(); });
  return call_binding(function, fmt::format("{}{}", kAten, call.target), call);
}

}  // namespace fx
