#include "fx/ir/calls/bind.h"

#include "fx/ir/graph/graph.h"
#include "fx/ir/support/pluralize.h"

#include "fmt/format.h"

#include <algorithm>
#include <utility>

namespace fx {
namespace {

using ops::SchemaArgument;
using ops::SchemaTypeKind;

/// The names in numpy_compatibility_arg_names (torch/csrc/utils/python_arg_parser.cpp). In
/// addition, Python's bindings use the name `input` for a schema's parameter `self`.
constexpr std::pair<std::string_view, std::string_view> kPythonNames[] = {
    {"dim", "axis"}, {"keepdim", "keepdims"}, {"self", "input"}, {"self", "x"},   {"self", "a"},
    {"self", "x1"},  {"input", "x"},          {"input", "a"},    {"input", "x1"}, {"other", "x2"},
};

/// The properties of a parameter that binding requires.
struct Formal {
  std::string_view name;
  bool has_default = false;
  bool kwarg_only = false;
};

struct Formals {
  size_t size = 0;
  size_t positional = 0;
  bool is_vararg = false;
  absl::FunctionRef<Formal(size_t)> at;
};

/// The index of the parameter that a keyword names; `formals.size` if there is none. Exact names
/// take precedence over other spellings.
size_t find_formal(const Formals& formals, std::string_view key, CallStyle style) {
  for (size_t i = 0; i < formals.size; ++i)
    if (formals.at(i).name == key) return i;
  if (style == CallStyle::kOperator) return formals.size;
  for (size_t i = 0; i < formals.size; ++i)
    if (names_parameter(key, formals.at(i).name)) return i;
  return formals.size;
}

void bind_formals(const Formals& formals, const CallArguments& call, CallStyle style,
                  absl::FunctionRef<bool(size_t parameter)> is_variadic,
                  std::vector<BoundParameter>& bound,
                  absl::FunctionRef<void(const BindProblem&)> report) {
  bound.assign(formals.size, BoundParameter());
  size_t next = 0;
  for (size_t i = 0; i < formals.positional && next < call.num_args; ++i) {
    BoundParameter& parameter = bound[i];
    parameter = {.first = static_cast<uint32_t>(next), .count = 1};
    if (is_variadic(i)) {
      parameter.count = static_cast<uint32_t>(call.num_args - next);
      parameter.is_variadic = true;
    }
    next += parameter.count;
  }
  if (next < call.num_args && !formals.is_vararg)
    report({BindProblem::kTooMany, formals.positional});
  for (size_t k = 0; k < call.keywords.size(); ++k) {
    const size_t number = call.num_args + k;
    const size_t i = find_formal(formals, call.keywords[k], style);
    if (i == formals.size) {
      if (!formals.is_vararg) report({BindProblem::kUnknownKeyword, number});
    } else if (bound[i].is_passed()) {
      report({BindProblem::kPassedTwice, number});
    } else {
      bound[i] = {.first = static_cast<uint32_t>(number), .count = 1};
    }
  }
  for (size_t i = 0; i < formals.size; ++i)
    if (!bound[i].is_passed() && !formals.at(i).has_default) report({BindProblem::kMissing, i});
}

bool is_item(const PassedValue& value, SchemaTypeKind kind) {
  if (kind == SchemaTypeKind::kTensor) return value.kind == PassedKind::kTensor;
  return value.kind == PassedKind::kInt || value.kind == PassedKind::kNumber ||
         value.kind == PassedKind::kEnumOrInt;
}

/// The functions with the parameter `*tensors` (torch/functional.py).
bool takes_tensors(std::string_view operator_name) {
  constexpr std::string_view kFunctions[] = {
      "aten::atleast_1d",        "aten::atleast_2d",     "aten::atleast_3d",   "aten::block_diag",
      "aten::broadcast_tensors", "aten::cartesian_prod", "aten::chain_matmul", "aten::einsum",
      "aten::meshgrid"};
  return std::ranges::binary_search(kFunctions, operator_name);
}

/// True if the positional arguments that start at parameter `index` are the items of its list: the
/// parameter is the only positional one except the receiver of a method (`torch.zeros(2, 3)`,
/// `x.view(2, 3)`), or a trailing list of tensors (`torch.einsum(equation, x, y)`).
bool takes_items(const ops::OpSchema& schema, const CallArguments& call, size_t index) {
  if (call.values.empty() || index + 1 != static_cast<size_t>(schema.positional_count()))
    return false;
  const ops::SchemaType& type = schema.arguments()[index].type;
  if (!type.is_list()) return false;
  const SchemaTypeKind kind = type.element().without_optional().kind();
  const bool ints = kind == SchemaTypeKind::kInt || kind == SchemaTypeKind::kSymInt;
  if (!ints && kind != SchemaTypeKind::kTensor) return false;
  if (ints ? index != (call.is_method ? 1 : 0) : !takes_tensors(schema.name())) return false;
  const absl::Span<const PassedValue> items = call.values.subspan(index, call.num_args - index);
  // A single integer for a fixed-size list is the value of every item.
  if (ints && type.list_size() && items.size() == 1) return false;
  return std::ranges::all_of(items, [&](const PassedValue& v) { return is_item(v, kind); });
}

PassedKind kind_of(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kUnknown:
      return PassedKind::kUnknown;
    case TypeKind::kTensor:
      return PassedKind::kTensor;
    case TypeKind::kInt:
      return PassedKind::kInt;
    case TypeKind::kFloat:
      return PassedKind::kFloat;
    case TypeKind::kBool:
      return PassedKind::kBool;
    case TypeKind::kComplex:
      return PassedKind::kComplex;
    case TypeKind::kList:
    case TypeKind::kTuple:
      return PassedKind::kUnknownList;
    default:
      return PassedKind::kOther;
  }
}

template <class Value>
PassedValue passed(const Value& value) {
  switch (value.kind()) {
    case ArgumentKind::kNone:
      return {PassedKind::kNone};
    case ArgumentKind::kNode:
      return {kind_of(value.node()->type())};
    case ArgumentKind::kBool:
      return {PassedKind::kBool};
    case ArgumentKind::kInt:
      return {PassedKind::kInt};
    case ArgumentKind::kFloat:
      return {PassedKind::kFloat};
    case ArgumentKind::kComplex:
      return {PassedKind::kComplex};
    case ArgumentKind::kString:
      return {device_from_name(value.as_string()) ? PassedKind::kDeviceName : PassedKind::kString};
    case ArgumentKind::kDType:
      return {PassedKind::kDType};
    case ArgumentKind::kDevice:
      return {PassedKind::kDevice};
    case ArgumentKind::kLayout:
      return {PassedKind::kLayout};
    case ArgumentKind::kMemoryFormat:
      return {PassedKind::kMemoryFormat};
    case ArgumentKind::kList:
    case ArgumentKind::kTuple: {
      PassedValue list{PassedKind::kList};
      list.items.reserve(value.size());
      for (size_t i = 0; i < value.size(); ++i) list.items.push_back(passed(value[i]));
      return list;
    }
    default:
      return {PassedKind::kOther};
  }
}

}  // namespace

bool names_parameter(std::string_view key, std::string_view parameter) {
  if (key == parameter) return true;
  return std::ranges::any_of(
      kPythonNames, [&](const auto& row) { return row.first == parameter && row.second == key; });
}

PassedValue passed_value(ArgumentRef argument) { return passed(argument); }
PassedValue passed_value(const Argument& argument) { return passed(argument); }

CallArguments CallArguments::of(const Node& node) {
  CallArguments call{.num_args = node.num_args()};
  call.is_method =
      node.op() == Opcode::kCallMethod ||
      (node.op() == Opcode::kCallFunction && node.function().name().starts_with("torch.Tensor."));
  for (size_t i = 0; i < node.num_kwargs(); ++i) call.keywords.push_back(node.kwarg_name(i).str());
  return call;
}

CallArguments CallArguments::of(absl::Span<const Argument> args, absl::Span<const Kwarg> kwargs) {
  CallArguments call{.num_args = args.size()};
  for (const Kwarg& kwarg : kwargs) call.keywords.push_back(kwarg.key);
  return call;
}

std::string describe(const BindProblem& problem, const ops::OpSchema& schema,
                     const CallArguments& call) {
  const auto keyword = [&] { return call.keywords[problem.index - call.num_args]; };
  switch (problem.kind) {
    case BindProblem::kNone:
      break;
    case BindProblem::kTooMany:
      return fmt::format("it accepts {}, not {}", pluralize(problem.index, "positional argument"),
                         call.num_args);
    case BindProblem::kUnknownKeyword:
      return fmt::format("it does not have an argument {}", keyword());
    case BindProblem::kPassedTwice:
      return fmt::format("argument {} is passed both by position and by keyword", keyword());
    case BindProblem::kMissing:
      return fmt::format("argument {} is missing and has no default",
                         schema.arguments()[problem.index].name);
  }
  return "it matches";
}

absl::Status bind_error(std::string_view function, const BindProblem& problem,
                        const ops::OpSchema& schema, const CallArguments& call) {
  return absl::InvalidArgumentError(
      fmt::format("the call does not match {}: {}", function, describe(problem, schema, call)));
}

void bind_arguments(const ops::OpSchema& schema, const CallArguments& call, CallStyle style,
                    std::vector<BoundParameter>& bound,
                    absl::FunctionRef<void(const BindProblem&)> report) {
  const auto arguments = schema.arguments();
  const auto at = [&](size_t i) -> Formal {
    const SchemaArgument& argument = arguments[i];
    return {argument.name, argument.default_value.has_value(), argument.kwarg_only};
  };
  const Formals formals{.size = arguments.size(),
                        .positional = static_cast<size_t>(schema.positional_count()),
                        .is_vararg = schema.is_vararg(),
                        .at = at};
  const auto is_variadic = [&](size_t i) {
    return style == CallStyle::kPython && takes_items(schema, call, i);
  };
  bind_formals(formals, call, style, is_variadic, bound, report);
}

BindProblem bind_arguments(const ops::OpSchema& schema, const CallArguments& call, CallStyle style,
                           std::vector<BoundParameter>& bound) {
  BindProblem first;
  bind_arguments(schema, call, style, bound, [&](const BindProblem& problem) {
    if (first.ok()) first = problem;
  });
  return first;
}

BindProblem bind_arguments(absl::Span<const BindParameter> parameters, const CallArguments& call,
                           std::vector<BoundParameter>& bound) {
  const auto at = [&](size_t i) -> Formal {
    return {parameters[i].name, parameters[i].has_default};
  };
  const Formals formals{.size = parameters.size(), .positional = parameters.size(), .at = at};
  BindProblem first;
  // Functions written in Python accept only the names in their signature.
  bind_formals(
      formals, call, CallStyle::kOperator, [](size_t) { return false; }, bound,
      [&](const BindProblem& problem) {
        if (first.ok()) first = problem;
      });
  return first;
}

ArgumentRef argument_at(const Node& node, size_t number) {
  return number < node.num_args() ? node.arg(number) : node.kwarg_value(number - node.num_args());
}

const Argument& argument_at(absl::Span<const Argument> args, absl::Span<const Kwarg> kwargs,
                            size_t number) {
  return number < args.size() ? args[number] : kwargs[number - args.size()].value;
}

std::optional<size_t> argument_number(const Node& node, const ops::OpInfo& op, int index) {
  const ops::OpSchema& schema = op.schema();
  const auto i = static_cast<size_t>(index);
  const bool is_additional = i >= schema.arguments().size();
  if ((index < schema.positional_count() || is_additional) && i < node.num_args()) return i;
  if (node.num_kwargs() == 0 || is_additional) return std::nullopt;
  const std::string_view name = schema.arguments()[i].name;
  for (size_t k = 0; k < node.num_kwargs(); ++k)
    if (node.kwarg_name(k).str() == name) return node.num_args() + k;
  if (call_style(op) == CallStyle::kOperator) return std::nullopt;
  for (size_t k = 0; k < node.num_kwargs(); ++k)
    if (names_parameter(node.kwarg_name(k).str(), name)) return node.num_args() + k;
  return std::nullopt;
}

std::optional<ArgumentRef> passed_argument(const Node& node, const ops::OpInfo& op, int index) {
  const std::optional<size_t> number = argument_number(node, op, index);
  return number ? std::optional(argument_at(node, *number)) : std::nullopt;
}

}  // namespace fx
