// Reads expressions in the form of SymPy's srepr: see srepr_internal.h.
//
//   expression = name '(' [item {',' item}] ')' | name | integer
//   item       = expression | string | name '=' name-or-number
#include "fx/importers/pt2/schema/srepr_internal.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"
#include "fx/ir/support/text_cursor.h"

#include "absl/container/inlined_vector.h"
#include "absl/strings/numbers.h"
#include "fmt/format.h"

#include <optional>

namespace fx::pt2 {
namespace {

using internal::TextCursor;
using Operands = absl::InlinedVector<SymExpr, 4>;

/// SymPy's class names that differ from the names of fxcpp's functions.
constexpr std::pair<std::string_view, std::string_view> kRenamed[] = {
    {"Equality", "Eq"},        {"Unequality", "Ne"},        {"StrictLessThan", "Lt"},
    {"LessThan", "Le"},        {"StrictGreaterThan", "Gt"}, {"GreaterThan", "Ge"},
    {"IntInfinity", "int_oo"},
};

class SreprParser {
 public:
  SreprParser(SymExprTable& exprs, std::string_view text) : exprs_(exprs), cursor_(text) {}

  absl::StatusOr<SymExpr> parse() {
    FX_ASSIGN_OR_RETURN(const SymExpr result, expression(0));
    if (!cursor_.at_end()) return cursor_.error("expected the end of the expression");
    // The parser of the text form checks the number of operands.
    if (has_unknown_) FX_RETURN_IF_ERROR(exprs_.parse(to_string(result)).status());
    return result;
  }

 private:
  /// The operands of a call.
  struct Call {
    Operands operands;
    std::optional<std::string_view> text;  ///< the first operand that is a string
  };

  absl::StatusOr<SymExpr> built(SymExpr result) const {
    if (!result.is_undefined()) return result;
    return cursor_.error(std::string(result.status().message()));
  }

  absl::StatusOr<SymExpr> expression(int depth) {
    if (depth > kMaxSymExprDepth)
      return cursor_.error(fmt::format("it is nested more than {} levels deep", kMaxSymExprDepth));
    const char next = cursor_.peek();
    if (internal::is_digit(next) || next == '-') {
      FX_ASSIGN_OR_RETURN(const int64_t value, cursor_.integer());
      return exprs_.integer(value);
    }
    const std::string_view name = cursor_.word();
    if (name.empty()) return cursor_.error("expected a name or an integer");
    if (!cursor_.consume("(")) return constant_or_symbol(name);
    Call call;
    while (!cursor_.consume(")")) {
      FX_RETURN_IF_ERROR(item(depth, call));
      if (!cursor_.consume(",") && cursor_.peek() != ')')
        return cursor_.error("expected ',' or ')'");
    }
    return build(name, call);
  }

  SymExpr constant_or_symbol(std::string_view name) {
    if (name == "true" || name == "True") return exprs_.boolean(true);
    if (name == "false" || name == "False") return exprs_.boolean(false);
    if (name == "int_oo") return exprs_.call(name, {});
    return exprs_.symbol(name);
  }

  absl::Status item(int depth, Call& call) {
    const char quote = cursor_.peek();
    if (quote == '\'' || quote == '"') {
      const size_t begin = cursor_.position() + 1;
      const size_t end = cursor_.text().find(quote, begin);
      if (end == std::string_view::npos) return cursor_.error("the string has no closing quote");
      const std::string_view text = cursor_.text().substr(begin, end - begin);
      if (text.find('\\') != std::string_view::npos)
        return cursor_.error("escapes in strings are not supported");
      if (!call.text) call.text = text;
      cursor_.set_position(end + 1);
      return absl::OkStatus();
    }
    const size_t start = cursor_.position();
    if (!cursor_.word().empty() && cursor_.consume("=")) {  // an assumption or a precision
      if (!cursor_.word().empty()) return absl::OkStatus();
      return cursor_.integer().status();
    }
    cursor_.set_position(start);
    FX_ASSIGN_OR_RETURN(const SymExpr operand, expression(depth + 1));
    call.operands.push_back(operand);
    return absl::OkStatus();
  }

  absl::StatusOr<SymExpr> build(std::string_view name, const Call& call) {
    const Operands& operands = call.operands;
    const auto expect = [&](size_t count) -> absl::Status {
      if (operands.size() == count) return absl::OkStatus();
      return cursor_.error(fmt::format("{} must have {}, not {}", name, pluralize(count, "operand"),
                                       operands.size()));
    };
    if (name == "Symbol" || name == "Dummy") {
      if (!call.text || call.text->empty()) return cursor_.error("the symbol has no name");
      return exprs_.symbol(*call.text);
    }
    if (name == "Float") {
      double value = 0;
      if (!call.text || !absl::SimpleAtod({call.text->data(), call.text->size()}, &value))
        return cursor_.error("expected Float('number')");
      return exprs_.real(value);
    }
    if (name == "Integer") {
      FX_RETURN_IF_ERROR(expect(1));
      return operands[0];
    }
    if (name == "Rational") {
      FX_RETURN_IF_ERROR(expect(2));
      if (!operands[0].is_int() || !operands[1].is_int())
        return cursor_.error("the parts of a Rational must be integers");
      return built(exprs_.rational(operands[0].int_value(), operands[1].int_value()));
    }
    if (name == "Add" || name == "Mul") {
      if (operands.empty()) return cursor_.error(fmt::format("{} must have operands", name));
      return built(name == "Add" ? exprs_.add(operands) : exprs_.mul(operands));
    }
    if (name == "ExprCondPair" || name == "Tuple") return built(exprs_.tuple(operands));
    if (call.text) return cursor_.error(fmt::format("{} must not have a string", name));
    for (const auto& [sympy, fxcpp_name] : kRenamed)
      if (sympy == name) return called(fxcpp_name, operands);
    return called(name, operands);
  }

  absl::StatusOr<SymExpr> called(std::string_view function, const Operands& operands) {
    const SymExpr result = exprs_.call(function, operands);
    has_unknown_ = has_unknown_ || result.value_kind() == SymValueKind::kUnknown;
    return built(result);
  }

  SymExprTable& exprs_;
  TextCursor cursor_;
  /// True after a call to an unknown function, or to a known function with the wrong number of
  /// operands.
  bool has_unknown_ = false;
};

}  // namespace

absl::StatusOr<SymExpr> parse_srepr(SymExprTable& exprs, std::string_view text) {
  absl::StatusOr<SymExpr> result = SreprParser(exprs, text).parse();
  if (!result.ok()) return with_context(result.status(), "symbolic expression");
  return result;
}

}  // namespace fx::pt2
