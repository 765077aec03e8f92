#include "fx/ir/calls/overload.h"

#include "fx/ir/calls/call.h"
#include "fx/ir/support/check.h"

#include "fmt/format.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

namespace fx {
namespace {

using ops::SchemaType;
using ops::SchemaTypeKind;

constexpr int kHidden = 100;  // more conversions than any call requires

bool hides_scalars(std::string_view packet) {
  constexpr std::string_view kPackets[] = {
      "aten.add",       "aten.add_",         "aten.div",           "aten.div_", "aten.divide",
      "aten.divide_",   "aten.floor_divide", "aten.floor_divide_", "aten.mul",  "aten.mul_",
      "aten.multiply",  "aten.multiply_",    "aten.sub",           "aten.sub_", "aten.subtract",
      "aten.subtract_", "aten.true_divide",  "aten.true_divide_"};
  return std::ranges::binary_search(kPackets, packet);
}

/// True for `add.Scalar_out`. Unlike `add.out`, which Python calls with a number, it does not
/// convert the result to the dtype of `out`.
bool writes_scalar(const ops::OpInfo& op) {
  return op.overload().starts_with("Scalar_") && op.overload().ends_with("out");
}

/// True if Python's bindings convert numbers to tensors (should_allow_numbers_as_tensors in
/// python_arg_parser.cpp).
bool accepts_numbers_as_tensors(std::string_view packet) {
  constexpr std::string_view kOther[] = {"aten._conj", "aten._to_copy", "aten.copy", "aten.copy_",
                                         "aten.to"};
  return hides_scalars(packet) || std::ranges::binary_search(kOther, packet);
}

/// The conversions of Python's bindings between tensors and numbers.
struct Conversions {
  bool numbers_as_tensors = false;
  /// A tensor of rank 0 that does not require gradients, whose item is read.
  bool tensors_as_numbers = false;
};

bool is_number(PassedKind kind) {
  return kind == PassedKind::kBool || kind == PassedKind::kInt || kind == PassedKind::kFloat ||
         kind == PassedKind::kComplex || kind == PassedKind::kNumber ||
         kind == PassedKind::kEnumOrInt;
}

std::optional<int> cost_if(bool matches, int cost = 0) {
  return matches ? std::optional<int>(cost) : std::nullopt;
}

/// conversions_to for a value that is neither None nor a list and a type that is neither optional
/// nor a list.
std::optional<int> conversions_to_leaf(SchemaTypeKind kind, PassedKind value, Conversions allowed) {
  const bool unknown = value == PassedKind::kUnknown;
  const bool maybe_enum = unknown || value == PassedKind::kEnumOrInt;
  const bool is_int =
      value == PassedKind::kInt || value == PassedKind::kNumber || value == PassedKind::kEnumOrInt;
  const bool takes_number = kind == SchemaTypeKind::kScalar || kind == SchemaTypeKind::kInt ||
                            kind == SchemaTypeKind::kSymInt || kind == SchemaTypeKind::kFloat ||
                            kind == SchemaTypeKind::kSymFloat || kind == SchemaTypeKind::kComplex;
  if (takes_number && value == PassedKind::kTensor) return cost_if(allowed.tensors_as_numbers, 1);
  switch (kind) {
    case SchemaTypeKind::kAny:
      return 0;
    case SchemaTypeKind::kTensor:
      if (is_number(value)) return cost_if(allowed.numbers_as_tensors, 1);
      return cost_if(unknown || value == PassedKind::kTensor);
    case SchemaTypeKind::kScalar:
      return cost_if(is_number(value));
    case SchemaTypeKind::kInt:
    case SchemaTypeKind::kSymInt:
      if (value == PassedKind::kBool) return 1;
      return cost_if(is_int);
    case SchemaTypeKind::kFloat:
    case SchemaTypeKind::kSymFloat:
      if (is_int || value == PassedKind::kBool) return 1;
      return cost_if(value == PassedKind::kFloat);
    case SchemaTypeKind::kComplex:
      if (is_int || value == PassedKind::kBool || value == PassedKind::kFloat) return 1;
      return cost_if(value == PassedKind::kComplex);
    case SchemaTypeKind::kBool:
    case SchemaTypeKind::kSymBool:
      return cost_if(value == PassedKind::kBool);
    case SchemaTypeKind::kString:
      return cost_if(unknown || value == PassedKind::kString || value == PassedKind::kDeviceName);
    case SchemaTypeKind::kDevice:
      if (value == PassedKind::kDeviceName) return 1;
      return cost_if(unknown || value == PassedKind::kDevice);
    case SchemaTypeKind::kScalarType:
      return cost_if(maybe_enum || value == PassedKind::kDType);
    case SchemaTypeKind::kLayout:
      return cost_if(maybe_enum || value == PassedKind::kLayout);
    case SchemaTypeKind::kMemoryFormat:
      return cost_if(maybe_enum || value == PassedKind::kMemoryFormat);
    case SchemaTypeKind::kQScheme:
      return cost_if(maybe_enum);
    case SchemaTypeKind::kGenerator:
    case SchemaTypeKind::kStorage:
    case SchemaTypeKind::kStream:
      return cost_if(unknown);
    default:  // dimension names, classes: graphs have no such values
      return std::nullopt;
  }
}

bool matches_whole_list(PassedKind value, const SchemaType& item) {
  if (value == PassedKind::kUnknownList) return true;
  const SchemaTypeKind kind = item.without_optional().kind();
  if (value == PassedKind::kTensors) return kind == SchemaTypeKind::kTensor;
  return value == PassedKind::kInts &&
         (kind == SchemaTypeKind::kInt || kind == SchemaTypeKind::kSymInt);
}

/// The call, without the keyword argument `out` if that is None.
CallArguments without_empty_out(const CallArguments& call, std::vector<PassedValue>& values) {
  CallArguments result = call;
  for (size_t k = 0; k < result.keywords.size(); ++k) {
    const size_t number = call.num_args + k;
    if (result.keywords[k] != "out" || call.values[number].kind != PassedKind::kNone) continue;
    values.assign(call.values.begin(), call.values.end());
    values.erase(values.begin() + static_cast<std::ptrdiff_t>(number));
    result.keywords.erase(result.keywords.begin() + static_cast<std::ptrdiff_t>(k));
    result.values = values;
    break;
  }
  return result;
}

/// The number of conversions from a value to the type: an int for a float, a number for a tensor,
/// and one number for a fixed-size list count as one conversion each. nullopt if there is no
/// conversion.
std::optional<int> conversions_to(const SchemaType& type, const PassedValue& value,
                                  Conversions allowed) {
  if (type.is_optional()) {
    return value.kind == PassedKind::kNone ? 0 : conversions_to(type.element(), value, allowed);
  }
  if (!type.is_list()) return conversions_to_leaf(type.kind(), value.kind, allowed);
  if (value.kind == PassedKind::kList) {
    int total = 0;
    for (const PassedValue& item : value.items) {
      const auto cost = conversions_to(type.element(), item, allowed);
      if (!cost) return std::nullopt;
      total += *cost;
    }
    return total;
  }
  if (matches_whole_list(value.kind, type.element())) return 0;
  if (!type.list_size() || type.contains_tensors()) return std::nullopt;
  const auto cost = conversions_to(type.element(), value, allowed);
  return cost ? std::optional<int>(*cost + 1) : std::nullopt;
}

/// True for None as a list whose default is empty: Python's bindings write `stride=None` for
/// `int[2] stride=[]`.
bool is_default_list(const ops::SchemaArgument& parameter, const PassedValue& value) {
  if (value.kind != PassedKind::kNone || !parameter.type.is_list() || !parameter.default_value)
    return false;
  const Argument empty = schema_default(parameter);
  return empty.is_list() && empty.size() == 0;
}

std::optional<int> conversions_of(const ops::OpSchema& schema, const CallArguments& call,
                                  const std::vector<BoundParameter>& bound, Conversions allowed) {
  int total = 0;
  for (size_t i = 0; i < bound.size(); ++i) {
    if (!bound[i].is_passed()) continue;
    if (bound[i].is_variadic) {
      ++total;
      continue;
    }
    const PassedValue& value = call.values[bound[i].first];
    if (is_default_list(schema.arguments()[i], value)) continue;
    const auto cost = conversions_to(schema.arguments()[i].type, value, allowed);
    if (!cost) return std::nullopt;
    total += *cost;
  }
  return total;
}

/// The reason why an overload does not accept the arguments.
std::string mismatch_reason(const ops::OpSchema& schema, const CallArguments& call,
                            Conversions allowed) {
  std::vector<BoundParameter> bound;
  const BindProblem problem = bind_arguments(schema, call, CallStyle::kPython, bound);
  if (!problem.ok()) return describe(problem, schema, call);
  for (size_t i = 0; i < bound.size(); ++i) {
    const ops::SchemaArgument& argument = schema.arguments()[i];
    if (!bound[i].is_passed() || bound[i].is_variadic) continue;
    const PassedValue& value = call.values[bound[i].first];
    if (!is_default_list(argument, value) && !conversions_to(argument.type, value, allowed))
      return fmt::format("argument {} must be of type {}", argument.name,
                         ops::to_string(argument.type));
  }
  return "the overload accepts the arguments";
}

bool is_in_dispatcher(const ops::OpInfo& op) { return !op.has(ops::OpTrait::kTorchScript); }

/// The reason why no overload accepts the arguments.
absl::Status no_overload(std::string_view packet, absl::Span<const ops::OpInfo* const> overloads,
                         const CallArguments& call) {
  for (const std::string_view key : call.keywords) {
    const bool is_known = std::ranges::any_of(overloads, [&](const ops::OpInfo* op) {
      return std::ranges::any_of(
          op->schema().arguments(),
          [&](const ops::SchemaArgument& argument) { return names_parameter(key, argument.name); });
    });
    if (is_known) continue;
    return absl::InvalidArgumentError(
        fmt::format("no overload of {} has a parameter {}", packet, key));
  }
  const ops::OpInfo* first = nullptr;
  size_t num_candidates = 0;
  Conversions allowed{.numbers_as_tensors = accepts_numbers_as_tensors(packet),
                      .tensors_as_numbers = true};
  std::vector<BoundParameter> bound;
  for (const ops::OpInfo* op : overloads) {
    if (!is_in_dispatcher(*op)) continue;
    ++num_candidates;
    if (first == nullptr) first = op;
    if (bind_arguments(op->schema(), call, CallStyle::kPython, bound).ok() &&
        conversions_of(op->schema(), call, bound, allowed)) {
      return absl::UnimplementedError(fmt::format(
          "{} requires a number instead of a tensor: pass the result of item()", packet));
    }
  }
  allowed.tensors_as_numbers = false;
  if (first == nullptr)
    return absl::NotFoundError(fmt::format("{} has no overload in the dispatcher", packet));
  const std::string reason = mismatch_reason(first->schema(), call, allowed);
  if (num_candidates == 1) return absl::InvalidArgumentError(fmt::format("{}: {}", packet, reason));
  return absl::InvalidArgumentError(
      fmt::format("none of the {} overloads of {} accepts these arguments, as far as their types "
                  "are known; for the first overload: {}",
                  num_candidates, packet, reason));
}

}  // namespace

absl::StatusOr<Overload> choose_overload(std::string_view packet,
                                         absl::Span<const ops::OpInfo* const> overloads,
                                         const CallArguments& call,
                                         const OverloadOptions& options) {
  FX_CHECK(call.values.size() == call.num_args + call.keywords.size(),
           "each argument must have a value");
  std::vector<PassedValue> values;
  const CallArguments bindable = without_empty_out(call, values);
  const bool hides = hides_scalars(packet);
  const Conversions allowed{.numbers_as_tensors = accepts_numbers_as_tensors(packet)};
  Overload best;
  int lowest_cost = 0;
  std::vector<BoundParameter> bound;
  for (const ops::OpInfo* op : overloads) {
    if (!is_in_dispatcher(*op)) continue;
    if (!bind_arguments(op->schema(), bindable, CallStyle::kPython, bound).ok()) continue;
    const std::optional<int> cost = conversions_of(op->schema(), bindable, bound, allowed);
    if (!cost) continue;
    const bool is_hidden =
        hides && (op->overload() == "Scalar" ? options.numbers_as_tensors : writes_scalar(*op));
    const int total = *cost + (is_hidden ? kHidden : 0);
    if (best.op != nullptr && total >= lowest_cost) continue;
    best = {op, bound};
    lowest_cost = total;
  }
  if (best.op != nullptr) {
    for (size_t i = 0; i < best.parameters.size(); ++i) {
      BoundParameter& parameter = best.parameters[i];
      if (parameter.is_passed() && !parameter.is_variadic &&
          is_default_list(best.op->schema().arguments()[i], bindable.values[parameter.first]))
        parameter = {};
    }
    // Arguments after `out` keep the indices that they have in the original call.
    if (bindable.keywords.size() != call.keywords.size()) {
      const auto out = static_cast<uint32_t>(
          call.num_args +
          static_cast<size_t>(std::ranges::find(call.keywords, "out") - call.keywords.begin()));
      for (BoundParameter& parameter : best.parameters)
        if (parameter.is_passed() && parameter.first >= out) ++parameter.first;
    }
    return best;
  }
  return no_overload(packet, overloads, bindable);
}

}  // namespace fx
