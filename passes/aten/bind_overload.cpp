#include "fx/ir/calls/call.h"
#include "fx/ir/calls/python_forms.h"
#include "fx/ir/ops/registry.h"
#include "fx/passes/aten/bind_overload_internal.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace fx::aten {
namespace {

using ops::SchemaArgument;
using ops::SchemaType;
using ops::SchemaTypeKind;

bool is_number(const Type& type) {
  return type && type.kind() >= TypeKind::kInt && type.kind() <= TypeKind::kBool;
}

/// An integer, or a node that is one.
bool is_int_like(const Argument& value) {
  const Node* node = value.node();
  return node ? node->type() && node->type().kind() == TypeKind::kInt : value.is_int();
}

/// Whether a node may be passed as this leaf of a schema's type.
bool node_fits(const Type& type, SchemaTypeKind kind, int& conversions) {
  switch (kind) {
    case SchemaTypeKind::kTensor:
      if (is_number(type)) ++conversions;
      return !type || type.is_tensor() || is_number(type);
    case SchemaTypeKind::kScalar:
      return is_number(type);
    case SchemaTypeKind::kInt:
    case SchemaTypeKind::kSymInt:
      return type && type.kind() == TypeKind::kInt;
    case SchemaTypeKind::kFloat:
    case SchemaTypeKind::kSymFloat:
      if (type && type.kind() == TypeKind::kInt) ++conversions;
      return type && (type.kind() == TypeKind::kFloat || type.kind() == TypeKind::kInt);
    case SchemaTypeKind::kBool:
    case SchemaTypeKind::kSymBool:
      return type && type.kind() == TypeKind::kBool;
    case SchemaTypeKind::kComplex:  // what is not known counts as a tensor
      return type && type.kind() == TypeKind::kComplex;
    default:
      return !type || kind == SchemaTypeKind::kAny;
  }
}

/// The constant as this leaf of a schema's type takes it.
std::optional<Argument> constant_as(const Argument& value, SchemaTypeKind kind, int& conversions) {
  const bool is_number = value.is_int() || value.is_float() || value.is_bool() ||
                         value.kind() == ArgumentKind::kComplex;
  const auto when = [&](bool fits) { return fits ? std::optional<Argument>(value) : std::nullopt; };
  switch (kind) {
    case SchemaTypeKind::kTensor:
      ++conversions;
      return when(is_number);
    case SchemaTypeKind::kScalar:
      return when(is_number);
    case SchemaTypeKind::kInt:
    case SchemaTypeKind::kSymInt:
      if (value.is_bool()) {
        ++conversions;
        return Argument(int64_t{value.as_bool()});
      }
      return when(value.is_int());
    case SchemaTypeKind::kFloat:
    case SchemaTypeKind::kSymFloat:
    case SchemaTypeKind::kComplex:
      if (value.is_int()) {
        ++conversions;
        return Argument(static_cast<double>(value.as_int()));
      }
      if (value.is_bool()) {
        ++conversions;
        return Argument(value.as_bool() ? 1.0 : 0.0);
      }
      return when(value.is_float() || value.kind() == ArgumentKind::kComplex);
    case SchemaTypeKind::kBool:
    case SchemaTypeKind::kSymBool:
      return when(value.is_bool());
    case SchemaTypeKind::kString:
      return when(value.is_string());
    case SchemaTypeKind::kScalarType:
      return when(value.kind() == ArgumentKind::kDType);
    case SchemaTypeKind::kLayout:
      return when(value.kind() == ArgumentKind::kLayout);
    case SchemaTypeKind::kMemoryFormat:
      return when(value.kind() == ArgumentKind::kMemoryFormat);
    case SchemaTypeKind::kDevice:
      if (value.is_string()) {
        const std::optional<Device> device = device_from_name(value.as_string());
        if (!device) return std::nullopt;
        ++conversions;
        return Argument(*device);
      }
      return when(value.kind() == ArgumentKind::kDevice);
    case SchemaTypeKind::kAny:
      return value;
    default:
      return std::nullopt;
  }
}

/// `value` as an argument of this type; none when it cannot be.
std::optional<Argument> fit(const Argument& value, const SchemaType& type, int& conversions) {
  if (type.is_optional()) {
    return value.is_none() ? std::optional<Argument>(value)
                           : fit(value, type.element(), conversions);
  }
  if (!type.is_list()) {
    if (const Node* node = value.node()) {
      return node_fits(node->type(), type.kind(), conversions) ? std::optional<Argument>(value)
                                                               : std::nullopt;
    }
    if (value.is_list() || value.is_tuple()) return std::nullopt;
    return constant_as(value, type.kind(), conversions);
  }
  if (value.is_list() || value.is_tuple()) {
    std::vector<Argument> items;
    for (size_t i = 0; i < value.size(); ++i) {
      std::optional<Argument> item = fit(value[i], type.element(), conversions);
      if (!item) return std::nullopt;
      items.push_back(*std::move(item));
    }
    return Argument::list(items);
  }
  if (const Node* node = value.node()) {
    // A list as one value: what split gives, a size.
    const Type held = node->type();
    if (held && (held.is_list() || held.is_tuple())) return value;
  }
  if (!type.list_size() || type.holds_tensors()) return std::nullopt;
  std::optional<Argument> item = fit(value, type.element(), conversions);
  if (!item) return std::nullopt;
  ++conversions;
  return Argument::list(std::vector<Argument>(static_cast<size_t>(*type.list_size()), *item));
}

/// Integers, or tensors, one by one from here to the last positional argument stand for the list
/// that is the last positional parameter.
bool is_loose_list(const SchemaType& type, absl::Span<const Argument> rest) {
  if (!type.is_list() || rest.empty() || (type.list_size() && rest.size() == 1)) return false;
  const SchemaTypeKind kind = type.element().kind();
  if (kind == SchemaTypeKind::kTensor) {
    return std::all_of(rest.begin(), rest.end(), [](const Argument& value) {
      return value.is_node() && value.as_node()->type().is_tensor();
    });
  }
  return (kind == SchemaTypeKind::kInt || kind == SchemaTypeKind::kSymInt) &&
         std::all_of(rest.begin(), rest.end(), is_int_like);
}

/// PyTorch's Python passes numbers to these as tensors, and hides the overloads of Scalar.
bool takes_numbers_as_tensors(std::string_view packet) {
  constexpr std::string_view kPackets[] = {
      "aten.add",          "aten.add_",          "aten.div",         "aten.div_",
      "aten.mul",          "aten.mul_",          "aten.sub",         "aten.sub_",
      "aten.floor_divide", "aten.floor_divide_", "aten.true_divide", "aten.multiply",
      "aten.subtract",     "aten.divide"};
  return std::find(std::begin(kPackets), std::end(kPackets), packet) != std::end(kPackets);
}

std::optional<BoundCall> bind(const ops::OpInfo& op, absl::Span<const Argument> args,
                              absl::Span<const Kwarg> kwargs, int& conversions) {
  BoundCall bound;
  bound.op = &op;
  size_t next = 0, num_named = 0;
  std::vector<Argument> skipped;  // defaults that stand before an argument that is given by name
  const int last = op.schema().positional_count() - 1;
  for (const SchemaArgument& parameter : op.schema().arguments()) {
    const SchemaType& type = parameter.type.without_optional();
    const bool is_last =
        &parameter == &op.schema().arguments()[static_cast<size_t>(std::max(last, 0))];
    std::optional<Argument> value;
    if (!parameter.kwarg_only && next < args.size()) {
      if (is_last && is_loose_list(type, args.subspan(next))) {
        value = Argument::list(args.subspan(next));
        next = args.size();
        ++conversions;
      } else {
        value = args[next++];
      }
    } else {
      for (const Kwarg& given : kwargs) {
        if (!ops::is_python_name(given.key, parameter.name)) continue;
        value = given.value;
        ++num_named;
        break;
      }
    }
    if (!value) {
      if (!parameter.default_value) return std::nullopt;
      if (!parameter.kwarg_only) skipped.push_back(schema_default(parameter));
      continue;
    }
    value = fit(*value, parameter.type, conversions);
    if (!value) return std::nullopt;
    if (parameter.kwarg_only) {
      bound.kwargs.push_back({parameter.name, *std::move(value)});
    } else {
      std::move(skipped.begin(), skipped.end(), std::back_inserter(bound.args));
      skipped.clear();
      bound.args.push_back(*std::move(value));
    }
  }
  if (next != args.size() || num_named != kwargs.size()) return std::nullopt;
  return bound;
}

}  // namespace

absl::StatusOr<BoundCall> bind_overload(const Context& context, std::string_view packet,
                                        absl::Span<const Argument> args,
                                        absl::Span<const Kwarg> kwargs) {
  const std::vector<const ops::OpInfo*> overloads = context.ops().overloads(packet);
  if (overloads.empty()) return absl::NotFoundError(fmt::format("there is no {}", packet));
  const bool hides_scalars = takes_numbers_as_tensors(packet);
  std::optional<BoundCall> best;
  int least = 0;
  for (const ops::OpInfo* op : overloads) {
    if (op->has(ops::OpTrait::kTorchScript)) continue;  // nothing runs it
    int conversions = hides_scalars && op->overload() == "Scalar" ? 100 : 0;
    std::optional<BoundCall> bound = bind(*op, args, kwargs, conversions);
    if (!bound || (best && conversions >= least)) continue;
    best = std::move(bound);
    least = conversions;
  }
  if (best) return *std::move(best);
  for (const Kwarg& given : kwargs) {
    const bool is_known = std::ranges::any_of(overloads, [&](const ops::OpInfo* op) {
      return std::ranges::any_of(op->schema().arguments(), [&](const SchemaArgument& parameter) {
        return ops::is_python_name(given.key, parameter.name);
      });
    });
    if (is_known) continue;
    return absl::InvalidArgumentError(
        fmt::format("no overload of {} has a parameter {}", packet, given.key));
  }
  return absl::InvalidArgumentError(
      fmt::format("no overload of {} takes these arguments, by the types that are known", packet));
}

}  // namespace fx::aten
