// Writes expressions in the form of SymPy's srepr: see srepr_internal.h.
#include "fx/importers/pt2/schema/srepr_internal.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/text_tokens.h"

#include "absl/algorithm/container.h"

#include <cmath>

namespace fx::pt2 {
namespace {

/// Returns SymPy's class for a kind of expression, or an empty string for kinds with a special
/// form.
std::string_view sympy_class(SymKind kind) {
  switch (kind) {
    case SymKind::kAdd:
      return "Add";
    case SymKind::kMul:
      return "Mul";
    case SymKind::kPow:
      return "Pow";
    case SymKind::kFloorDiv:
      return "FloorDiv";
    case SymKind::kMin:
      return "Min";
    case SymKind::kMax:
      return "Max";
    case SymKind::kEq:
      return "Equality";
    case SymKind::kNe:
      return "Unequality";
    case SymKind::kLt:
      return "StrictLessThan";
    case SymKind::kLe:
      return "LessThan";
    case SymKind::kGt:
      return "StrictGreaterThan";
    case SymKind::kGe:
      return "GreaterThan";
    case SymKind::kAnd:
      return "And";
    case SymKind::kOr:
      return "Or";
    case SymKind::kNot:
      return "Not";
    case SymKind::kTuple:  // a branch of a Piecewise
      return "ExprCondPair";
    default:
      return {};
  }
}

// kMaxSymExprDepth bounds the recursion.
class SreprWriter {
 public:
  SreprWriter(std::string& out, SymbolAssumptions assumptions)
      : out_(out), assumptions_(assumptions) {}

  void write(SymExpr e) {
    switch (e.kind()) {
      case SymKind::kInt:
        out_ += "Integer(";
        text::append_int(out_, e.int_value());
        out_ += ')';
        return;
      case SymKind::kRational:
        out_ += "Rational(";
        text::append_int(out_, e.int_value());
        out_ += ", ";
        text::append_int(out_, e.denominator());
        out_ += ')';
        return;
      case SymKind::kFloat:
        return write_float(e.float_value());
      case SymKind::kBool:
        out_ += e.int_value() != 0 ? "true" : "false";
        return;
      case SymKind::kSymbol:
        out_ += "Symbol('";
        out_ += e.name().str();
        out_ += '\'';
        out_ += assumptions_(e.name());
        out_ += ')';
        return;
      case SymKind::kSpelled:
        return write(e.canonical());
      case SymKind::kMod:
        // torch's Mod is undefined for negative operands. Like torch, use it only if no operand is
        // negative.
        return write_call(all_nonnegative(e.args()) ? "Mod" : "PythonMod", e.args());
      case SymKind::kCall:
        if (e.name().str() == "int_oo") {
          out_ += "int_oo";
          return;
        }
        return write_call(e.name().str(), e.args());
      default:
        break;
    }
    const std::string_view name = sympy_class(e.kind());
    FX_CHECK(!name.empty(), "the expression is defined");
    write_call(name, e.args());
  }

 private:
  bool all_nonnegative(absl::Span<const SymExpr> args) const {
    return absl::c_all_of(args, [this](SymExpr arg) { return is_nonnegative(arg); });
  }

  /// Returns true if the assumptions about symbols imply that the expression is not negative.
  bool is_nonnegative(SymExpr e) const {
    switch (e.kind()) {
      case SymKind::kInt:
        return e.int_value() >= 0;
      case SymKind::kSymbol:
        return assumptions_(e.name()).find("positive") != std::string_view::npos;
      case SymKind::kAdd:
      case SymKind::kMul:
      case SymKind::kFloorDiv:
      case SymKind::kMod:
      case SymKind::kMin:
      case SymKind::kMax:
        return all_nonnegative(e.args());
      default:
        return false;
    }
  }

  void write_float(double value) {
    if (std::isinf(value) || std::isnan(value)) {
      out_ += std::isnan(value) ? "nan" : value < 0 ? "Mul(Integer(-1), oo)" : "oo";
      return;
    }
    out_ += "Float('";
    text::append_float(out_, value);
    out_ += "', precision=53)";
  }

  void write_call(std::string_view name, absl::Span<const SymExpr> args) {
    out_ += name;
    out_ += '(';
    for (size_t i = 0; i < args.size(); ++i) {
      if (i > 0) out_ += ", ";
      write(args[i]);
    }
    out_ += ')';
  }

  std::string& out_;
  SymbolAssumptions assumptions_;
};

}  // namespace

void append_srepr(std::string& out, SymExpr expr, SymbolAssumptions assumptions) {
  SreprWriter(out, assumptions).write(expr);
}

}  // namespace fx::pt2
