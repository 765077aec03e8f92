// Canonical floor division and remainder of symbolic expressions.
//
// Every rewrite holds for all integers and every divisor except zero:
//   (q*b + r) // b      = q + r // b          multiples of the divisor, integer parts of constants
//   (g*x + c) // (g*b)  = (x + c // g) // b   common factors; g, b > 0, or g divides c
//   (x // y + c) // b   = (x + c*y) // (y*b)  for positive integers b and y
#include "fx/ir/symbolic/sym_expr_internal.h"

#include "llvm/ADT/SmallVector.h"

#include <limits>
#include <numeric>

namespace fx {
namespace {

using internal::Number;
using internal::undefined_expr;
using internal::UndefinedReason;
using Exprs = llvm::SmallVector<SymExpr, 8>;

absl::Span<const SymExpr> terms_of(const SymExpr& e) {
  if (e.kind() == SymKind::kAdd) return e.args();
  return {&e, 1};
}
absl::Span<const SymExpr> factors_of(const SymExpr& e) {
  if (e.kind() == SymKind::kMul) return e.args();
  return {&e, 1};
}

bool is_zero(SymExpr e) { return e.is_int() && e.int_value() == 0; }

/// The integer coefficient of a term; 0 if it is a fraction or the smallest integer (whose absolute
/// value does not fit).
int64_t coefficient_of(SymExpr term) {
  const SymExpr first = factors_of(term)[0];
  if (!internal::is_number(first)) return 1;
  const bool fits = first.is_int() && first.int_value() != std::numeric_limits<int64_t>::min();
  return fits ? first.int_value() : 0;
}

/// The greatest common divisor of all coefficients; 0 when one is not an integer.
int64_t content_of(SymExpr e) {
  int64_t content = 0;
  for (SymExpr term : terms_of(e)) {
    const int64_t c = coefficient_of(term);
    if (c == 0) return 0;
    content = std::gcd(content, c);
  }
  return content;
}

/// The power of `base` in a term; 0 if the term does not have the base, or its exponent is not an
/// integer.
int64_t power_in(SymExpr term, SymExpr base) {
  for (SymExpr factor : factors_of(term)) {
    if (factor == base) return 1;
    if (factor.kind() == SymKind::kPow && factor.args()[0] == base && factor.args()[1].is_int())
      return factor.args()[1].int_value();
  }
  return 0;
}

/// The product of symbols and calls that divides every term of both, without a coefficient; null if
/// there is none.
SymExpr common_factor(SymExprTable& table, SymExpr a, SymExpr b) {
  Exprs common;
  for (SymExpr factor : factors_of(terms_of(b)[0])) {
    if (internal::is_number(factor)) continue;
    SymExpr base = factor;
    if (factor.kind() == SymKind::kPow && factor.args()[1].is_int()) base = factor.args()[0];
    int64_t power = std::numeric_limits<int64_t>::max();
    for (SymExpr term : terms_of(a)) power = std::min(power, power_in(term, base));
    for (SymExpr term : terms_of(b)) power = std::min(power, power_in(term, base));
    if (power > 0) common.push_back(table.pow(base, table.integer(power)));
  }
  return common.empty() ? SymExpr() : table.mul(common);
}

SymExpr divide_terms(SymExprTable& table, SymExpr e, SymExpr divisor) {
  const SymExpr inverse = table.pow(divisor, table.integer(-1));
  Exprs quotients;
  for (SymExpr term : terms_of(e)) quotients.push_back(table.mul(term, inverse));
  return table.add(quotients);
}

/// A dividend as multiple * divisor + rest, where no term of `rest` is divisible. The divisor is
/// not -1.
struct Division {
  Exprs multiple;
  Exprs rest;
};

Division split_multiples(SymExprTable& table, SymExpr dividend, int64_t divisor) {
  Division result;
  for (SymExpr term : terms_of(dividend)) {
    const SymExpr first = factors_of(term)[0];
    const int64_t c = first.is_int() ? first.int_value() : 1;
    if (!internal::is_integer(term) || (internal::is_number(first) && !first.is_int())) {
      result.rest.push_back(term);
    } else if (term.is_int()) {
      result.multiple.push_back(table.integer(internal::floor_quotient(c, divisor)));
      const int64_t rest = internal::floor_remainder(c, divisor);
      if (rest != 0) result.rest.push_back(table.integer(rest));
    } else if (c % divisor == 0) {
      result.multiple.push_back(table.mul(term, table.rational(1, divisor)));
    } else {
      result.rest.push_back(term);
    }
  }
  return result;
}

SymExpr keep(SymExprTable::Impl& impl, SymKind kind, SymExpr a, SymExpr b) {
  const bool is_exact = internal::is_exact(a) && internal::is_exact(b);
  SymValueKind value_kind = is_exact ? SymValueKind::kInt : SymValueKind::kUnknown;
  if (a.value_kind() == SymValueKind::kFloat || b.value_kind() == SymValueKind::kFloat)
    value_kind = SymValueKind::kFloat;
  // A remainder of fractions is a fraction.
  if (kind == SymKind::kMod && is_exact && !(internal::is_integer(a) && internal::is_integer(b)))
    value_kind = SymValueKind::kReal;
  const SymExpr args[] = {a, b};
  return impl.intern({.kind = kind, .value_kind = value_kind, .args = args});
}

/// dividend // divisor for a positive divisor and exact operands.
SymExpr floor_div_by_int(SymExprTable& table, SymExprTable::Impl& impl, SymExpr dividend,
                         int64_t divisor) {
  Division parts = split_multiples(table, dividend, divisor);
  SymExpr rest = table.add(parts.rest);
  if (rest.is_undefined()) return rest;
  if (internal::is_number(rest)) {  // only a constant remains
    parts.multiple.push_back(table.floor_div(rest, table.integer(divisor)));
    return table.add(parts.multiple);
  }
  // Divide the coefficients of integer terms and the divisor by their common divisor; then the
  // constant.
  int64_t shared = divisor;
  bool is_integer = true;
  for (SymExpr term : terms_of(rest)) {
    if (term.is_int()) continue;
    const int64_t c = coefficient_of(term);
    is_integer = is_integer && internal::is_integer(term) && c != 0;
    shared = std::gcd(shared, c);
  }
  if (is_integer && shared > 1) {
    Exprs terms;
    for (SymExpr term : terms_of(rest)) {
      terms.push_back(term.is_int()
                          ? table.integer(internal::floor_quotient(term.int_value(), shared))
                          : table.mul(term, table.rational(1, shared)));
    }
    parts.multiple.push_back(table.floor_div(table.add(terms), table.integer(divisor / shared)));
    return table.add(parts.multiple);
  }
  SymExpr quotient = rest;
  if (divisor != 1 || !internal::is_integer(rest)) {
    SymExpr inner;
    SymExpr constant = table.integer(0);
    for (SymExpr term : terms_of(rest)) {
      if (term.is_int())
        constant = term;
      else if (!inner)
        inner = term;
      else
        inner = rest;  // more than one term
    }
    if (inner.kind() == SymKind::kFloorDiv && inner.args()[1].is_int() &&
        inner.args()[1].int_value() > 0) {
      const SymExpr y = inner.args()[1];
      quotient = table.floor_div(table.add(inner.args()[0], table.mul(constant, y)),
                                 table.mul(y, table.integer(divisor)));
    } else {
      quotient = keep(impl, SymKind::kFloorDiv, rest, table.integer(divisor));
    }
  }
  if (quotient.is_undefined()) return quotient;
  parts.multiple.push_back(quotient);
  return table.add(parts.multiple);
}

/// a // b for a number b.
SymExpr floor_div_by_number(SymExprTable& table, SymExprTable::Impl& impl, SymExpr a, SymExpr b) {
  Number divisor = internal::number_of(b);
  if (divisor.as_float() == 0) return undefined_expr(UndefinedReason::kDivisionByZero);
  if (internal::is_number(a)) {
    Number value = internal::number_of(a);
    if (!internal::floor_divide_by(value, divisor))
      return undefined_expr(UndefinedReason::kOverflow);
    return impl.number(value);
  }
  if (divisor.is_float || !internal::is_exact(a)) return keep(impl, SymKind::kFloorDiv, a, b);
  if (!divisor.is_int()) {
    a = table.mul(a, table.integer(divisor.denominator));
    divisor = Number::integer(divisor.numerator);
  }
  if (divisor.numerator < 0) {
    if (!internal::multiply_by(divisor, Number::integer(-1)))
      return undefined_expr(UndefinedReason::kOverflow);
    a = table.neg(a);
  }
  if (a.is_undefined()) return a;
  return floor_div_by_int(table, impl, a, divisor.numerator);
}

/// a // b without the common factors of exact operands; null if they have none.
SymExpr floor_div_reduced(SymExprTable& table, SymExpr a, SymExpr b) {
  if (const SymExpr common = common_factor(table, a, b)) {
    const SymExpr x = divide_terms(table, a, common);
    const SymExpr y = divide_terms(table, b, common);
    if (!x.is_undefined() && !y.is_undefined()) return table.floor_div(x, y);
  }
  const int64_t x = content_of(a);
  const int64_t y = content_of(b);
  if (x == 0 || y == 0) return SymExpr();
  if (const int64_t shared = std::gcd(x, y); shared > 1) {
    return table.floor_div(divide_terms(table, a, table.integer(shared)),
                           divide_terms(table, b, table.integer(shared)));
  }
  const SymExpr primitive = divide_terms(table, a, table.integer(x));
  if (primitive == divide_terms(table, b, table.integer(y)))
    return table.integer(internal::floor_quotient(x, y));
  return SymExpr();
}

/// The remainder of a by a number b.
SymExpr mod_by_number(SymExprTable& table, SymExprTable::Impl& impl, SymExpr a, SymExpr b) {
  const Number divisor = internal::number_of(b);
  if (divisor.as_float() == 0) return undefined_expr(UndefinedReason::kDivisionByZero);
  if (internal::is_number(a)) {
    Number value = internal::number_of(a);
    if (!internal::reduce_modulo(value, divisor)) return undefined_expr(UndefinedReason::kOverflow);
    return impl.number(value);
  }
  if (!divisor.is_int() || !internal::is_exact(a)) return keep(impl, SymKind::kMod, a, b);
  if (divisor.numerator == -1)
    return internal::is_integer(a) ? table.integer(0) : keep(impl, SymKind::kMod, a, b);
  a = table.add(split_multiples(table, a, divisor.numerator).rest);
  if (a.is_undefined()) return a;
  if (internal::is_number(a)) return table.mod(a, b);
  return keep(impl, SymKind::kMod, a, b);
}

}  // namespace

SymExpr SymExprTable::floor_div(SymExpr a, SymExpr b) {
  const auto compute = [this, a, b]() mutable -> SymExpr {
    if (a.is_undefined()) return a;
    if (b.is_undefined()) return b;
    a = a.canonical();
    b = b.canonical();
    if (internal::is_number(b)) return floor_div_by_number(*this, *impl_, a, b);
    if (is_zero(a)) return a;
    if (a == b) return integer(1);
    if (internal::is_exact(a) && internal::is_exact(b))
      if (const SymExpr reduced = floor_div_reduced(*this, a, b)) return reduced;
    return keep(*impl_, SymKind::kFloorDiv, a, b);
  };
  return internal::memoized(impl_->id, SymKind::kFloorDiv, a, b, compute);
}

SymExpr SymExprTable::mod(SymExpr a, SymExpr b) {
  if (a.is_undefined()) return a;
  if (b.is_undefined()) return b;
  a = a.canonical();
  b = b.canonical();
  if (internal::is_number(b)) return mod_by_number(*this, *impl_, a, b);
  if (is_zero(a)) return a;
  if (a == b) return integer(0);
  if (b.kind() != SymKind::kAdd && internal::is_integer(a) && internal::is_integer(b)) {
    // Terms that are multiples of the divisor, a product, do not count.
    Exprs rest;
    for (SymExpr term : terms_of(a)) {
      const SymExpr quotient = div(term, b);
      if (quotient.is_undefined() || !internal::is_integer(quotient)) rest.push_back(term);
    }
    if (rest.size() < terms_of(a).size()) return mod(add(rest), b);
  }
  return keep(*impl_, SymKind::kMod, a, b);
}

}  // namespace fx
