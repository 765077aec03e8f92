// Emits, at the start of a function, checks that the sizes and constants of the inputs match the
// types of the graph, and that they share memory as in the graph.
#include "fx/interp/size_checks.h"

#include "fx/codegen/cpp/emitter_internal.h"
#include "fx/codegen/cpp/values/text_internal.h"
#include "fx/interp/input_constants.h"
#include "fx/interp/shared_inputs.h"
#include "fx/ir/graph/provenance/node_error.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"

#include "absl/strings/str_cat.h"
#include "fmt/format.h"

#include <algorithm>
#include <cmath>

namespace fx::cpp {
namespace {

using Names = absl::flat_hash_map<Symbol, std::string>;

std::string_view comparison_of(SymKind kind) {
  switch (kind) {
    case SymKind::kEq:
      return " == ";
    case SymKind::kNe:
      return " != ";
    case SymKind::kLt:
      return " < ";
    case SymKind::kLe:
      return " <= ";
    case SymKind::kGt:
      return " > ";
    case SymKind::kGe:
      return " >= ";
    default:
      return {};
  }
}

bool append_expression(std::string& out, SymExpr expr, const Names& names);

/// Appends the operands as nested calls to a function with two parameters: `f(f(a, b), c)`.
bool append_fold(std::string& out, std::string_view function, absl::Span<const SymExpr> args,
                 const Names& names) {  // NOLINT(misc-no-recursion): depth is kMaxSymExprDepth
  for (size_t i = 0; i + 1 < args.size(); ++i) absl::StrAppend(&out, std::string(function), "(");
  for (size_t i = 0; i < args.size(); ++i) {
    if (i > 0) out += ", ";
    if (!append_expression(out, args[i], names)) return false;
    if (i > 0) out += ')';
  }
  return true;
}

bool append_infix(std::string& out, std::string_view infix, absl::Span<const SymExpr> args,
                  const Names& names) {  // NOLINT(misc-no-recursion): as above
  out += '(';
  for (size_t i = 0; i < args.size(); ++i) {
    if (i > 0) out.append(infix);
    if (!append_expression(out, args[i], names)) return false;
  }
  out += ')';
  return true;
}

/// Appends an expression of integers and relations. Returns false if it cannot be expressed in C++.
bool append_expression(std::string& out, SymExpr expr,
                       const Names& names) {  // NOLINT(misc-no-recursion): as above
  expr = expr.canonical();
  const auto args = expr.args();
  if (const std::string_view infix = comparison_of(expr.kind()); !infix.empty())
    return append_infix(out, infix, args, names);
  switch (expr.kind()) {
    case SymKind::kInt:
      out += "int64_t{";
      append_int(out, expr.int_value());
      out += '}';
      return true;
    case SymKind::kBool:
      out += expr.int_value() != 0 ? "true" : "false";
      return true;
    case SymKind::kSymbol:
      out += names.at(expr.name());
      return true;
    case SymKind::kAdd:
      return append_infix(out, " + ", args, names);
    case SymKind::kMul:
      return append_infix(out, " * ", args, names);
    case SymKind::kAnd:
      return append_infix(out, " && ", args, names);
    case SymKind::kOr:
      return append_infix(out, " || ", args, names);
    case SymKind::kNot:
      out += '!';
      return append_infix(out, "", args, names);
    case SymKind::kMin:
      return append_fold(out, "std::min<int64_t>", args, names);
    case SymKind::kMax:
      return append_fold(out, "std::max<int64_t>", args, names);
    case SymKind::kFloorDiv:
      return append_fold(out, "c10::div_floor_integer<int64_t>", args, names);
    case SymKind::kMod: {
      std::string a, b;
      if (!append_expression(a, args[0], names) || !append_expression(b, args[1], names))
        return false;
      absl::StrAppend(&out, "(", a, " - ", b, " * c10::div_floor_integer<int64_t>(", a, ", ", b,
                      "))");
      return true;
    }
    case SymKind::kPow: {
      constexpr int64_t kMaxPower = 8;
      if (!args[1].is_int() || args[1].int_value() < 1 || args[1].int_value() > kMaxPower)
        return false;
      const std::vector<SymExpr> factors(static_cast<size_t>(args[1].int_value()), args[0]);
      return append_infix(out, " * ", factors, names);
    }
    default:
      return false;
  }
}

/// Appends `", n is ", n, " (dimension 1 of %x)"` for the symbols of an expression.
void append_values(std::string& out, SymExpr expr, const SizeChecks& checks, const Names& names) {
  bool first = true;
  for (const Symbol symbol : free_symbols(expr)) {
    out += ", ";
    append_literal(out, absl::StrCat(first ? "" : ", ", std::string(symbol.str()), " is "));
    absl::StrAppend(&out, ", ", names.at(symbol), ", ");
    append_literal(out, absl::StrCat(" (", checks.source(symbol)->str(), ")"));
    first = false;
  }
}

/// Returns the condition that the expression `text`, of this type, equals the constant; empty if
/// values of the type do not equal the constant in any case or cannot be compared with it.
std::string equality_of(std::string_view text, ValueKind kind, const Argument& constant) {
  std::string result(text);
  switch (constant.kind()) {
    case ArgumentKind::kNone:
      return kind == ValueKind::kTensor || kind == ValueKind::kNone
                 ? absl::StrCat("!", result, ".defined()")
                 : "";
    case ArgumentKind::kInt:
      if (kind != ValueKind::kInt) return {};
      result += " == ";
      append_int(result, constant.as_int());
      return result;
    case ArgumentKind::kFloat:
      if (kind != ValueKind::kFloat) return {};
      if (std::isnan(constant.as_float())) return absl::StrCat("std::isnan(", result, ")");
      result += " == ";
      append_double(result, constant.as_float());
      return result;
    case ArgumentKind::kBool:
      if (kind != ValueKind::kBool) return {};
      return constant.as_bool() ? result : "!" + result;
    case ArgumentKind::kComplex:
      if (kind != ValueKind::kComplex) return {};
      result += " == ";
      append_complex(result, constant.as_complex());
      return result;
    case ArgumentKind::kString:
      if (kind != ValueKind::kString) return {};
      result += " == ";
      append_string(result, constant.as_string());
      return result;
    default:
      return {};
  }
}

}  // namespace

/// Returns the expression for an item of an input, and its type; empty if there is none, for example
/// because the input is a tensor member of the class.
std::string Emitter::item_text(const Node& input, absl::Span<const size_t> path, Value& value) {
  const auto parameter = std::ranges::find(parameters, &input, &CppParameter::node);
  if (parameter == parameters.end()) return {};
  std::string text = parameter->name;
  value = values_[input];
  for (const size_t item : path) {
    if (value.kind == ValueKind::kTensors) {
      absl::StrAppend(&text, ".at(", item, ")");
      value = {ValueKind::kTensor};
    } else if (value.kind == ValueKind::kTuple && item < value.items->size()) {
      text = item_of(value, text, item);
      value = (*value.items)[item];
    } else {
      return {};
    }
  }
  return text;
}

/// Returns the expression for a rank, size, stride, offset or number of an input; empty if there is
/// none.
std::string Emitter::location_text(const Node& input, const SizeChecks::Location& location) {
  Value value;
  std::string text = item_text(input, location.path, value);
  using Quantity = SizeChecks::Quantity;
  const bool is_number = location.quantity == Quantity::kNumber;
  if (text.empty() || value.kind != (is_number ? ValueKind::kInt : ValueKind::kTensor)) return {};
  sized_.insert(&input);
  if (is_number) return text;
  if (location.quantity == Quantity::kRank) return text + ".dim()";
  if (location.quantity == Quantity::kOffset) return text + ".storage_offset()";
  return absl::StrCat(text, location.quantity == Quantity::kSize ? ".size(" : ".stride(",
                      location.dim, ")");
}

/// Appends checks that inputs equal the constants in their types.
void Emitter::append_constant_checks(std::string& text, absl::Span<const Node* const> inputs) {
  for (const auto& [location, constant] : input_constants(graph_)) {
    const Node& input = *inputs[location.input];
    Value value;
    const std::string item = item_text(input, location.path, value);
    const std::string condition = item.empty() ? "" : equality_of(item, value.kind, constant);
    if (condition.empty()) continue;
    sized_.insert(&input);
    std::string found, required;
    if (constant.is_none()) {
      append_literal(found, location.str() + " is a tensor");
    } else {
      append_literal(found, location.str() + " is ");
      absl::StrAppend(&found, ", ", item, constant.is_bool() ? " ? \"True\" : \"False\"" : "");
    }
    append_literal(required, absl::StrCat(", but the graph requires ", print(constant)));
    absl::StrAppend(&text, "      TORCH_CHECK(", condition, ", ", found, ", ", required, ");\n");
    if (condition.find("std::isnan") != std::string::npos) include("cmath");
  }
}

/// Returns the expression of an input that is a tensor, a parameter or a member; empty otherwise.
std::string Emitter::tensor_text(const Node& input) {
  if (values_[input].kind != ValueKind::kTensor) return {};
  sized_.insert(&input);
  const std::string path = tensor_path(input);
  if (!path.empty()) return std::string(shared_.member(path, input.type()));
  std::string name;
  append_name(name, input);
  return name;
}

/// Appends checks that inputs that share memory in the graph share it in the same way.
void Emitter::append_memory_checks(std::string& text, absl::Span<const Node* const> inputs) {
  for (const SharedPair& pair : required_sharing(graph_)) {
    const std::string first = tensor_text(*inputs[pair.first]);
    const std::string second = tensor_text(*inputs[pair.second]);
    if (first.empty() || second.empty()) continue;
    std::string message;
    append_literal(message,
                   fmt::format("the inputs %{} and %{} share memory in the graph, and the graph "
                               "writes to memory, but the passed values do not share memory",
                               pair.first_name, pair.second_name));
    absl::StrAppend(&text, "      TORCH_CHECK(", second, ".storage().is_alias_of(", first,
                    ".storage()), ", message, ");\n");
    if (!pair.distance) continue;
    const auto position = [](const std::string& tensor) {
      return absl::StrCat(tensor, ".storage_offset() * static_cast<int64_t>(", tensor,
                          ".itemsize())");
    };
    message.clear();
    append_literal(message, fmt::format("the input %{} must begin {} bytes after %{} in their "
                                        "shared memory",
                                        pair.second_name, *pair.distance, pair.first_name));
    absl::StrAppend(&text, "      TORCH_CHECK(", position(second), " - ", position(first),
                    " == ", *pair.distance, ", ", message, ");\n");
  }
}

absl::Status Emitter::append_size_checks(std::string& text, const SizeChecks& checks,
                                         absl::Span<const Node* const> inputs) {
  Names names;
  const auto has_all = [&](SymExpr expr) {
    const std::vector<Symbol> symbols = free_symbols(expr);
    return std::ranges::all_of(symbols, [&](Symbol symbol) { return names.contains(symbol); });
  };
  const auto check = [&](const std::string& condition, const std::string& message) {
    absl::StrAppend(&text, "      TORCH_CHECK(", condition, ", ", message, ");\n");
  };
  for (const SizeChecks::Equation& equation : checks.equations()) {
    const std::string number = location_text(*inputs[equation.location.input], equation.location);
    if (number.empty()) continue;
    std::string message;
    append_literal(message, equation.location.str() + " is ");
    absl::StrAppend(&message, ", ", number, ", ");
    if (equation.symbol) {
      const std::string name = absl::StrCat("fxcpp_size_", names.size());
      std::string rest = number;
      if (equation.offset != 0) rest = fmt::format("({} - {})", number, equation.offset);
      if (equation.factor != 1) {
        append_literal(message, fmt::format(", which is not {} for any {}",
                                            to_string(equation.expr), equation.symbol.str()));
        check(fmt::format("{} % {} == 0", rest, equation.factor), message);
        absl::StrAppend(&rest, " / ", equation.factor);
      }
      absl::StrAppend(&text, "      [[maybe_unused]] const int64_t ", name, " = ", rest, ";\n");
      names.emplace(equation.symbol, name);
      continue;
    }
    std::string expected;
    if (!has_all(equation.expr)) continue;
    if (!append_expression(expected, equation.expr, names)) {
      return absl::UnimplementedError(
          fmt::format("the expression {} in the type of %{} cannot be expressed in C++",
                      to_string(equation.expr), equation.location.name));
    }
    append_literal(message, fmt::format(", but its type specifies {}{}", to_string(equation.expr),
                                        equation.expr.is_int() ? "" : ": "));
    append_values(message, equation.expr, checks, names);
    check(absl::StrCat(number, " == ", expected), message);
  }
  for (const SizeChecks::Requirement& requirement : checks.requirements()) {
    std::string condition, message;
    if (!has_all(requirement.relation)) continue;
    if (!append_expression(condition, requirement.relation, names))
      return absl::UnimplementedError(
          fmt::format("the {} cannot be expressed in C++", requirement.text));
    append_literal(message, fmt::format("the {} of the graph does not hold: ", requirement.text));
    append_values(message, requirement.relation, checks, names);
    check(condition, message);
  }
  return absl::OkStatus();
}

absl::Status Emitter::emit_input_checks() {
  std::vector<const Node*> inputs;
  for (const Node& node : graph_.nodes())
    if (node.is_placeholder()) inputs.push_back(&node);
  std::string text;
  append_constant_checks(text, inputs);
  const SizeChecks checks(graph_);
  if (!checks.empty()) FX_RETURN_IF_ERROR(append_size_checks(text, checks, inputs));
  append_memory_checks(text, inputs);
  if (text.empty()) return absl::OkStatus();
  include("c10/util/Exception.h");
  if (text.find("std::m") != std::string::npos) include("algorithm");
  if (text.find("div_floor_integer") != std::string::npos) include("c10/util/generic_math.h");
  body = absl::StrCat("    {  // the inputs for which the graph is valid\n", text, "    }\n", body);
  return absl::OkStatus();
}

}  // namespace fx::cpp
