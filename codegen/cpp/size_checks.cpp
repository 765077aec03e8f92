// Emits, at the start of a function, checks that the sizes of the inputs match the types of the
// graph.
#include "fx/interp/size_checks.h"

#include "fx/codegen/cpp/emitter_internal.h"
#include "fx/codegen/cpp/values/text_internal.h"
#include "fx/ir/graph/provenance/node_error.h"

#include "absl/strings/str_cat.h"
#include "fmt/format.h"

#include <algorithm>

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

}  // namespace

/// Returns the expression for a size, stride, offset or number of an input; empty if there is none,
/// for example because the input is a tensor member of the class.
std::string Emitter::location_text(const Node& input, const SizeChecks::Location& location) {
  const auto parameter = std::ranges::find(parameters, &input, &CppParameter::node);
  if (parameter == parameters.end()) return {};
  std::string text = parameter->name;
  Value value = values_[input];
  for (const size_t item : location.path) {
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
  using Quantity = SizeChecks::Quantity;
  const bool is_number = location.quantity == Quantity::kNumber;
  if (value.kind != (is_number ? ValueKind::kInt : ValueKind::kTensor)) return {};
  sized_.insert(&input);
  if (is_number) return text;
  if (location.quantity == Quantity::kOffset) return text + ".storage_offset()";
  return absl::StrCat(text, location.quantity == Quantity::kSize ? ".size(" : ".stride(",
                      location.dim, ")");
}

absl::Status Emitter::emit_size_checks() {
  const SizeChecks checks(graph_);
  if (checks.empty()) return absl::OkStatus();
  std::vector<const Node*> inputs;
  for (const Node& node : graph_.nodes())
    if (node.is_placeholder()) inputs.push_back(&node);
  std::string text;
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
    append_literal(message, fmt::format(", but its type specifies {}: ", to_string(equation.expr)));
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
  if (text.empty()) return absl::OkStatus();
  include("c10/util/Exception.h");
  if (text.find("std::m") != std::string::npos) include("algorithm");
  if (text.find("div_floor_integer") != std::string::npos) include("c10/util/generic_math.h");
  body = absl::StrCat("    {  // the sizes for which the graph is valid\n", text, "    }\n", body);
  return absl::OkStatus();
}

}  // namespace fx::cpp
