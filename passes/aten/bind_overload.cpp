#include "fx/ir/calls/bind.h"
#include "fx/ir/calls/call.h"
#include "fx/ir/calls/overload.h"
#include "fx/ir/ops/packets.h"
#include "fx/ir/ops/registry.h"
#include "fx/ir/support/status.h"
#include "fx/passes/aten/bind_overload_internal.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace fx::aten {
namespace {

using ops::SchemaArgument;
using ops::SchemaType;
using ops::SchemaTypeKind;

/// Converts the constant, which must be valid for this type, to a value of the type.
Argument converted_leaf(const Argument& value, SchemaTypeKind kind) {
  switch (kind) {
    case SchemaTypeKind::kInt:
    case SchemaTypeKind::kSymInt:
      if (value.is_bool()) return Argument(int64_t{value.as_bool()});
      return value;
    case SchemaTypeKind::kFloat:
    case SchemaTypeKind::kSymFloat:
    case SchemaTypeKind::kComplex:
      if (value.is_int()) return Argument(static_cast<double>(value.as_int()));
      if (value.is_bool()) return Argument(value.as_bool() ? 1.0 : 0.0);
      return value;
    case SchemaTypeKind::kDevice:
      if (value.is_string()) {
        if (const std::optional<Device> device = device_from_name(value.as_string()))
          return Argument(*device);
      }
      return value;
    default:
      return value;
  }
}

Argument converted(const Argument& value, const SchemaType& type) {
  if (type.is_optional()) return value.is_none() ? value : converted(value, type.element());
  if (!type.is_list()) return converted_leaf(value, type.kind());
  if (value.is_list() || value.is_tuple()) {
    std::vector<Argument> items;
    items.reserve(value.size());
    for (size_t i = 0; i < value.size(); ++i) items.push_back(converted(value[i], type.element()));
    return Argument::list(items);
  }
  if (const Node* node = value.node())  // a list as one value
    if (node->type().is_list() || node->type().is_tuple()) return value;
  const Argument item = converted(value, type.element());
  return Argument::list(std::vector<Argument>(static_cast<size_t>(*type.list_size()), item));
}

/// Replaces unknown kinds in `passed`, which describes `value`, with the kinds of the nodes.
void add_kinds(PassedValue& passed, const Argument& value,
               absl::FunctionRef<ValueKind(const Argument&)> kind_of) {
  for (size_t i = 0; i < passed.items.size(); ++i) add_kinds(passed.items[i], value[i], kind_of);
  if (passed.kind != PassedKind::kUnknown) return;
  switch (kind_of(value)) {
    case ValueKind::kTensor:
      passed.kind = PassedKind::kTensor;
      break;
    case ValueKind::kNumber:
      passed.kind = PassedKind::kNumber;
      break;
    case ValueKind::kNumbers:
      passed.kind = PassedKind::kInts;
      break;
    case ValueKind::kUnknown:
    case ValueKind::kOther:
      break;
  }
}

/// Like bind_overload(), with the overloads to choose from.
absl::StatusOr<BoundCall> bind_one_of(absl::Span<const ops::OpInfo* const> overloads,
                                      std::string_view packet, absl::Span<const Argument> args,
                                      absl::Span<const Kwarg> kwargs,
                                      absl::FunctionRef<ValueKind(const Argument&)> kind_of,
                                      bool is_method) {
  std::vector<PassedValue> values;
  values.reserve(args.size() + kwargs.size());
  const auto add = [&](const Argument& value) {
    values.push_back(passed_value(value));
    add_kinds(values.back(), value, kind_of);
  };
  for (const Argument& value : args) add(value);
  for (const Kwarg& kwarg : kwargs) add(kwarg.value);
  CallArguments call = CallArguments::of(args, kwargs);
  call.values = values;
  call.is_method = is_method;
  FX_ASSIGN_OR_RETURN(const Overload overload, choose_overload(packet, overloads, call));

  BoundCall result;
  result.op = overload.op;
  std::vector<Argument> skipped;  // defaults before the next positional argument
  for (size_t i = 0; i < overload.parameters.size(); ++i) {
    const BoundParameter& bound = overload.parameters[i];
    const SchemaArgument& parameter = overload.op->schema().arguments()[i];
    if (!bound.is_passed()) {
      if (!parameter.kwarg_only) skipped.push_back(schema_default(parameter));
      continue;
    }
    const Argument given = bound.is_variadic
                               ? Argument::list(args.subspan(bound.first, bound.count))
                               : argument_at(args, kwargs, bound.first);
    const bool is_tensor = parameter.type.without_optional().is(SchemaTypeKind::kTensor);
    if (is_tensor && bound.first >= args.size() && kind_of(given) == ValueKind::kUnknown)
      return unknown_kind(given);
    const PassedKind kind = values[bound.first].kind;
    const bool is_list =
        !bound.is_variadic && (kind == PassedKind::kInts || kind == PassedKind::kUnknownList);
    Argument value = is_list ? given : converted(given, parameter.type);
    if (parameter.kwarg_only) {
      result.kwargs.push_back({parameter.name, std::move(value)});
    } else {
      std::move(skipped.begin(), skipped.end(), std::back_inserter(result.args));
      skipped.clear();
      result.args.push_back(std::move(value));
    }
  }
  return result;
}

/// Returns the keyword arguments with a separate argument of `op` for each item of out=, which is
/// `out`; empty if the operator does not write that number of tensors.
std::vector<Kwarg> with_separate_outs(const ops::OpInfo& op, absl::Span<const Kwarg> kwargs,
                                      const Kwarg& out) {
  std::vector<Kwarg> separate;
  for (const Kwarg& kwarg : kwargs)
    if (&kwarg != &out) separate.push_back(kwarg);
  size_t count = 0;
  for (const SchemaArgument& argument : op.schema().arguments()) {
    if (!argument.is_out()) continue;
    if (argument.type.is_list() || count == out.value.size()) return {};
    separate.emplace_back(argument.name, out.value[count++]);
  }
  return count == out.value.size() ? separate : std::vector<Kwarg>();
}

}  // namespace

absl::Status convert_binding_keywords(const Context& context, std::string_view function,
                                      std::string_view packet, size_t num_args,
                                      std::vector<Kwarg>& kwargs) {
  const auto find = [&](std::string_view key) {
    return std::ranges::find_if(kwargs, [&](const Kwarg& kwarg) { return kwarg.key == key; });
  };
  const ops::BindingKeywords keywords =
      ops::binding_keywords(function, context.ops().overloads(packet), num_args,
                            [&](std::string_view key) { return find(key) != kwargs.end(); });
  if (keywords.adds_reduction) kwargs.emplace_back("reduction", 0);
  if (!keywords.drops_requires_grad) return absl::OkStatus();
  const auto requires_grad = find("requires_grad");
  if (!requires_grad->value.is_none() && requires_grad->value != Argument(false))
    return ops::unsupported_requires_grad(function);
  kwargs.erase(requires_grad);
  return absl::OkStatus();
}

absl::StatusOr<BoundCall> bind_overload(const Context& context, std::string_view packet,
                                        absl::Span<const Argument> args,
                                        absl::Span<const Kwarg> kwargs,
                                        absl::FunctionRef<ValueKind(const Argument&)> kind_of,
                                        bool is_method) {
  const std::vector<const ops::OpInfo*> overloads = context.ops().overloads(packet);
  if (overloads.empty()) return absl::NotFoundError(fmt::format("unknown operator {}", packet));
  const auto out = std::ranges::find(kwargs, "out", &Kwarg::key);
  if (out != kwargs.end() && (out->value.is_list() || out->value.is_tuple())) {
    // Python has one argument, `max(x, 1, out=(values, indices))`, where operators have several.
    absl::Status first_error;
    for (const ops::OpInfo* const op : overloads) {
      const std::vector<Kwarg> separate = with_separate_outs(*op, kwargs, *out);
      if (separate.empty()) continue;
      absl::StatusOr<BoundCall> bound =
          bind_one_of({op}, packet, args, separate, kind_of, is_method);
      if (bound.ok()) return bound;
      if (first_error.ok()) first_error = bound.status();
    }
    if (!first_error.ok()) return first_error;
  }
  return bind_one_of(overloads, packet, args, kwargs, kind_of, is_method);
}

absl::Status check_numbers(const ops::OpInfo& op, absl::Span<const Argument> args,
                           absl::Span<const Kwarg> kwargs,
                           absl::FunctionRef<ValueKind(const Argument&)> kind_of) {
  const auto check = [&](const SchemaArgument& parameter, const Argument& value) -> absl::Status {
    const SchemaType& type = parameter.type.without_optional();
    const SchemaTypeKind kind = (type.is_list() ? type.element() : type).kind();
    if (kind == SchemaTypeKind::kBool && (value.is_int() || value.is_float()))
      return absl::InvalidArgumentError(fmt::format("{} must be a bool", parameter.name));
    if (kind == SchemaTypeKind::kTensor || kind_of(value) != ValueKind::kTensor)
      return absl::OkStatus();
    return absl::UnimplementedError(fmt::format("{} must be a number, not the tensor %{}",
                                                parameter.name, value.node()->name()));
  };
  const auto parameters = op.schema().arguments();
  for (size_t i = 0; i < std::min(args.size(), parameters.size()); ++i)
    FX_RETURN_IF_ERROR(check(parameters[i], args[i]));
  for (const Kwarg& kwarg : kwargs)
    if (const int i = op.schema().find_argument(kwarg.key); i >= 0)
      FX_RETURN_IF_ERROR(check(parameters[static_cast<size_t>(i)], kwarg.value));
  return absl::OkStatus();
}

}  // namespace fx::aten
