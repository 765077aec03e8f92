// Prints symbolic expressions: Python syntax with SymPy's spacing, parentheses and names, so that
// text from torch is reproduced byte for byte. sym_parse.cpp reads it and has the grammar.
#include "fx/ir/support/check.h"
#include "fx/ir/support/text_cursor.h"
#include "fx/ir/support/text_tokens.h"
#include "fx/ir/symbolic/sym_expr_internal.h"

#include <cmath>
#include <limits>

namespace fx {
namespace {

using internal::is_number;
using internal::kPrecedenceAdd;
using internal::kPrecedenceAnd;
using internal::kPrecedenceAtom;
using internal::kPrecedenceMul;
using internal::kPrecedenceNot;
using internal::kPrecedenceOr;
using internal::kPrecedencePow;
using internal::kPrecedenceRelational;
using internal::Number;
using internal::SymFunction;
using internal::UndefinedReason;

constexpr int kPrecedenceLow = 35;  // FloorDiv and Mod, as torch defines them

bool is_reserved(std::string_view name) {
  return name == "True" || name == "False" || name == "oo" || name == "nan" || name == "int_oo";
}

}  // namespace

namespace internal {

bool is_plain_name(std::string_view name) {
  bool start = true;
  for (char c : name) {
    if (c == '.' ? start : !(start ? is_word_start(c) : is_word(c))) return false;
    start = c == '.';
  }
  return !start && !is_reserved(name);
}

}  // namespace internal

namespace {

int precedence(SymExpr e) {
  switch (e.kind()) {
    case SymKind::kInt:
    case SymKind::kFloat:
      return internal::number_of(e).is_negative() ? kPrecedenceAdd : kPrecedenceAtom;
    case SymKind::kRational:
      return e.int_value() < 0 ? kPrecedenceAdd : kPrecedenceMul;
    case SymKind::kAdd:
      return kPrecedenceAdd;
    case SymKind::kMul: {
      for (SymExpr factor : e.args()) {
        const bool is_low =
            factor.kind() == SymKind::kFloorDiv || factor.kind() == SymKind::kMod ||
            (factor.kind() == SymKind::kCall && internal::call_precedence(factor) < kPrecedenceMul);
        if (is_low) return kPrecedenceMul;
      }
      const SymExpr first = e.args()[0];
      return is_number(first) && internal::number_of(first).is_negative() ? kPrecedenceAdd
                                                                          : kPrecedenceMul;
    }
    case SymKind::kPow:
      return kPrecedencePow;
    case SymKind::kFloorDiv:
    case SymKind::kMod:
      return kPrecedenceLow;
    case SymKind::kEq:
    case SymKind::kNe:
      return kPrecedenceMul;
    case SymKind::kLt:
    case SymKind::kLe:
    case SymKind::kGt:
    case SymKind::kGe:
      return kPrecedenceRelational;
    case SymKind::kAnd:
      return kPrecedenceAnd;
    case SymKind::kOr:
      return kPrecedenceOr;
    case SymKind::kNot:
      return kPrecedenceNot;
    case SymKind::kCall:
      return internal::call_precedence(e);
    default:
      return kPrecedenceAtom;
  }
}

// Appends expressions. Depth is bounded by kMaxSymExprDepth, size by kMaxSymExprSize.
class Printer {
 public:
  explicit Printer(std::string& out) : out_(out) {}

  void print(SymExpr e) {
    switch (e.kind()) {
      case SymKind::kUndefined:
        out_ += "undefined(";
        out_ += internal::undefined_reason_name(static_cast<UndefinedReason>(e.data()->function));
        out_ += ')';
        return;
      case SymKind::kInt:
      case SymKind::kRational:
      case SymKind::kFloat:
        return print_number(internal::number_of(e));
      case SymKind::kBool:
        out_ += e.int_value() != 0 ? "True" : "False";
        return;
      case SymKind::kSymbol:
        return print_symbol(e.name().str());
      case SymKind::kSpelled:
        out_ += e.name().str();
        return;
      case SymKind::kAdd:
        return print_sum(e);
      case SymKind::kMul:
        return print_product(e);
      case SymKind::kPow:
        return print_power(e.args()[0], e.args()[1]);
      case SymKind::kFloorDiv:
        out_ += '(';
        print_inside(e.args()[0], kPrecedenceAtom - 1);
        out_ += "//";
        print_inside(e.args()[1], kPrecedenceAtom - 1);
        out_ += ')';
        return;
      case SymKind::kMod:
        return print_call("Mod", e.args());
      case SymKind::kMin:
        return print_call("Min", e.args());
      case SymKind::kMax:
        return print_call("Max", e.args());
      case SymKind::kEq:
        return print_call("Eq", e.args());
      case SymKind::kNe:
        return print_call("Ne", e.args());
      case SymKind::kLt:
        return print_infix(e.args(), " < ", kPrecedenceRelational);
      case SymKind::kLe:
        return print_infix(e.args(), " <= ", kPrecedenceRelational);
      case SymKind::kGt:
        return print_infix(e.args(), " > ", kPrecedenceRelational);
      case SymKind::kGe:
        return print_infix(e.args(), " >= ", kPrecedenceRelational);
      case SymKind::kAnd:
        return print_infix(e.args(), " & ", 38);  // parentheses as for integers' & |
      case SymKind::kOr:
        return print_infix(e.args(), " | ", 36);
      case SymKind::kNot:
        out_ += '~';
        return print_inside(e.args()[0], kPrecedenceNot);
      case SymKind::kCall:
        if (static_cast<SymFunction>(e.data()->function) == SymFunction::kIntInfinity) {
          out_ += "int_oo";
          return;
        }
        return print_call(e.name().str(), e.args());
      case SymKind::kTuple:
        return print_tuple(e.args());
    }
    FX_UNREACHABLE("SymKind");
  }

 private:
  void print_number(const Number& n) {
    if (!n.is_float) {
      text::append_int(out_, n.numerator);
      if (n.denominator == 1) return;
      out_ += '/';
      text::append_int(out_, n.denominator);
    } else if (std::isinf(n.value)) {
      out_ += n.value < 0 ? "-oo" : "oo";
    } else {
      text::append_float(out_, n.value);
    }
  }

  void print_symbol(std::string_view name) {
    if (internal::is_plain_name(name)) {
      out_ += name;
      return;
    }
    out_ += "Symbol(";
    text::append_quoted(out_, name);
    out_ += ')';
  }

  /// Prints `e`, in parentheses unless it binds tighter than `level`.
  void print_inside(SymExpr e, int level) {
    if (precedence(e) > level) return print(e);
    out_ += '(';
    print(e);
    out_ += ')';
  }

  void print_list(absl::Span<const SymExpr> args) {
    for (size_t i = 0; i < args.size(); ++i) {
      if (i > 0) out_ += ", ";
      print(args[i]);
    }
  }
  void print_call(std::string_view function, absl::Span<const SymExpr> args) {
    out_ += function;
    out_ += '(';
    print_list(args);
    out_ += ')';
  }
  void print_tuple(absl::Span<const SymExpr> args) {
    out_ += '(';
    print_list(args);
    out_ += args.size() == 1 ? ",)" : ")";
  }
  void print_infix(absl::Span<const SymExpr> args, std::string_view sign, int level) {
    for (size_t i = 0; i < args.size(); ++i) {
      if (i > 0) out_ += sign;
      print_inside(args[i], level);
    }
  }

  void print_sum(SymExpr e) {
    const absl::Span<const SymExpr> args = e.args();
    // SymPy writes 2 - s0, but -s0 - 2 and -s0*s1 + 2.
    const bool constant_first = args.size() == 2 && is_positive_number(args[1]) &&
                                args[0].kind() == SymKind::kMul && args[0].args().size() == 2 &&
                                is_number(args[0].args()[0]) &&
                                internal::number_of(args[0].args()[0]).is_negative();
    for (size_t i = 0; i < args.size(); ++i) {
      const SymExpr term = constant_first ? args[1 - i] : args[i];
      const size_t start = out_.size();
      if (i > 0) out_ += " + ";
      const size_t sign = out_.size();
      if (precedence(term) < kPrecedenceAdd)
        print_inside(term, kPrecedenceAdd);
      else
        print(term);
      if (i > 0 && out_[sign] == '-') out_.replace(start, 4, " - ");
    }
  }

  static bool is_positive_number(SymExpr e) {
    return is_number(e) && internal::compare_value(internal::number_of(e), Number::integer(0)) > 0;
  }

  void print_product(SymExpr e) {
    const int level = precedence(e);
    absl::Span<const SymExpr> factors = e.args();
    Number coefficient = Number::integer(1);
    if (is_number(factors[0])) {
      coefficient = internal::number_of(factors[0]);
      factors.remove_prefix(1);
    }
    Number positive = coefficient;
    const bool negate =
        coefficient.is_negative() && internal::multiply_by(positive, Number::integer(-1));
    if (negate) coefficient = positive;
    if (negate) out_ += '-';
    size_t num_numerators = 0;
    const auto times = [&] {
      if (num_numerators++ > 0) out_ += '*';
    };
    if (coefficient.is_float || coefficient.numerator != 1) {
      times();
      print_number(coefficient.is_float ? coefficient : Number::integer(coefficient.numerator));
    }
    size_t num_denominators = !coefficient.is_float && coefficient.denominator != 1 ? 1 : 0;
    for (SymExpr factor : factors) {
      if (is_inverse(factor)) {
        ++num_denominators;
      } else if (!is_inverse_sum(factor)) {
        times();
        print_inside(factor, level);
      }
    }
    if (num_numerators == 0) out_ += '1';
    if (num_denominators > 0) out_ += num_denominators == 1 ? "/" : "/(";
    size_t done = 0;
    if (!coefficient.is_float && coefficient.denominator != 1) {
      text::append_int(out_, coefficient.denominator);
      ++done;
    }
    for (SymExpr factor : factors) {
      if (!is_inverse(factor)) continue;
      if (done++ > 0) out_ += '*';
      print_inverse(factor, level);
    }
    if (num_denominators > 1) out_ += ')';
    // Print each sum separately: parsed as one product, the sums would be multiplied out.
    for (SymExpr factor : factors) {
      if (!is_inverse_sum(factor)) continue;
      out_ += '/';
      print_inside(factor.args()[0], level);
    }
  }

  /// True for a power with a negative numeric exponent, which is printed in the denominator.
  static bool is_inverse(SymExpr factor) {
    if (factor.kind() != SymKind::kPow) return false;
    const SymExpr exponent = factor.args()[1];
    if (exponent.is_int() && factor.args()[0].kind() == SymKind::kAdd) return false;
    return (exponent.is_int() || exponent.kind() == SymKind::kRational) &&
           exponent.int_value() < 0 && exponent.int_value() != std::numeric_limits<int64_t>::min();
  }
  static bool is_inverse_sum(SymExpr factor) {
    return factor.kind() == SymKind::kPow && factor.args()[0].kind() == SymKind::kAdd &&
           factor.args()[1].is_int() && factor.args()[1].int_value() == -1;
  }

  void print_inverse(SymExpr power, int level) {
    const SymExpr exponent = power.args()[1];
    if (exponent.is_int() && exponent.int_value() == -1)
      return print_inside(power.args()[0], level);
    if (exponent.int_value() == -1 && exponent.denominator() == 2)
      return print_root(power.args()[0]);
    print_base(power.args()[0]);
    out_ += "**";
    const bool whole = exponent.is_int();
    if (!whole) out_ += '(';
    text::append_int(out_, -exponent.int_value());
    if (!whole) {
      out_ += '/';
      text::append_int(out_, exponent.denominator());
    }
    if (!whole) out_ += ')';
  }

  /// Prints the base of a power. In SymPy, ~ binds tighter than **; in Python, it does not: ~x**2
  /// is ~(x**2).
  void print_base(SymExpr base) {
    print_inside(base, base.kind() == SymKind::kNot ? kPrecedenceNot : kPrecedencePow);
  }

  void print_root(SymExpr base) {
    out_ += "sqrt(";
    print(base);
    out_ += ')';
  }

  void print_power(SymExpr base, SymExpr exponent) {
    if (exponent.kind() == SymKind::kRational && exponent.denominator() == 2 &&
        (exponent.int_value() == 1 || exponent.int_value() == -1)) {
      if (exponent.int_value() < 0) out_ += "1/";
      return print_root(base);
    }
    if (exponent.is_int() && exponent.int_value() == -1) {
      out_ += "1/";
      return print_inside(base, kPrecedencePow);
    }
    print_base(base);
    out_ += "**";
    print_inside(exponent, kPrecedencePow);
  }

  std::string& out_;
};

}  // namespace

void append_text(std::string& out, SymExpr expr) { Printer(out).print(expr); }

std::string to_string(SymExpr expr) {
  std::string text;
  append_text(text, expr);
  return text;
}

}  // namespace fx
