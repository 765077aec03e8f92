// Canonical sums, products and powers of symbolic expressions.
//
// A sum is a list of terms, coefficient * monomial, sorted by monomial and each monomial once; a
// product is a coefficient and a list of factors, base ** exponent, each base once. Products of
// exact sums are multiplied out, so that polynomials have one form.
#include "fx/ir/support/check.h"
#include "fx/ir/symbolic/sym_expr_internal.h"

#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace fx {
namespace {

using internal::Number;
using internal::SymTerm;
using internal::undefined_expr;
using internal::UndefinedReason;

using Exprs = llvm::SmallVector<SymExpr, 8>;
using Terms = llvm::SmallVector<SymTerm, 8>;

struct Factor {
  SymExpr base;
  SymExpr exponent;
};
using Factors = llvm::SmallVector<Factor, 8>;

SymValueKind join(SymValueKind a, SymValueKind b) {
  if (a == SymValueKind::kBool) a = SymValueKind::kInt;
  if (b == SymValueKind::kBool) b = SymValueKind::kInt;
  if (a == SymValueKind::kUnknown || b == SymValueKind::kUnknown) return SymValueKind::kUnknown;
  return std::max(a, b);  // kInt < kReal < kFloat
}

SymValueKind join_all(absl::Span<const SymExpr> args) {
  SymValueKind kind = SymValueKind::kInt;
  for (SymExpr arg : args) kind = join(kind, arg.value_kind());
  return kind;
}

bool is_float(SymExpr e) { return e.value_kind() == SymValueKind::kFloat; }

bool is_sum(const Factor& f) {
  return f.base.kind() == SymKind::kAdd && f.exponent.is_int() && f.exponent.int_value() > 0;
}
bool is_power_of_sum(const Factor& f) { return is_sum(f) && f.exponent.int_value() > 1; }

/// The maximum number of terms of intermediate products before like terms are merged.
constexpr size_t kMaxProductTerms = 1024;

/// The number of terms of a factored monomial after its sums are multiplied out; 1: it has no sums.
size_t count_products(SymExpr monomial) {
  if (!monomial) return 1;
  const absl::Span<const SymExpr> factors =
      monomial.kind() == SymKind::kMul ? monomial.args() : absl::Span<const SymExpr>(&monomial, 1);
  size_t count = 1;
  const auto multiply = [&count](SymExpr sum, int64_t power) {
    for (; power > 0 && count <= kMaxProductTerms; --power) count *= sum.args().size();
  };
  for (SymExpr f : factors) {
    if (f.kind() == SymKind::kAdd) multiply(f, 1);
    if (f.kind() == SymKind::kPow && f.args()[0].kind() == SymKind::kAdd && f.args()[1].is_int())
      multiply(f.args()[0], f.args()[1].int_value());
  }
  return count;
}

/// True if an integer power is not distributed over the expression.
bool is_symbol_or_call(SymExpr e) {
  return e.kind() != SymKind::kMul && e.kind() != SymKind::kPow && e.kind() != SymKind::kAdd;
}

bool is_constant_number(SymExpr e) { return internal::is_number(e) || e.kind() == SymKind::kBool; }

}  // namespace

/// Builds the nodes of one table. Its methods accept canonical, defined operands.
class SymExprBuilder {
 public:
  explicit SymExprBuilder(SymExprTable& table) : impl_(*table.impl_) {}

  SymExpr sum(absl::Span<const SymExpr> operands);
  SymExpr product(absl::Span<const SymExpr> operands);
  SymExpr power(SymExpr base, SymExpr exponent);

 private:
  SymExpr number(const Number& value) { return impl_.number(value); }
  SymExpr integer(int64_t value) { return number(Number::integer(value)); }

  SymTerm split_term(SymExpr e);
  /// Adds the terms of a sum, or `e` itself if it is not a sum.
  void add_terms(SymExpr e, Terms& terms);
  SymExpr make_term(const SymTerm& term);
  bool merge_like_terms(Terms& terms);
  SymExpr make_sum(Terms& terms);

  /// The content of a sum: the common divisor of all coefficients, with the sign of the first; for
  /// floats only the sign. 1 if nothing can be factored out.
  Number content_of(SymExpr sum);
  /// The sum with its coefficients multiplied; undefined on overflow.
  SymExpr scaled_sum(SymExpr sum, const Number& scale);

  // Returns false if the coefficient overflows, or 0 is raised to a negative power.
  bool collect(SymExpr base, SymExpr exponent, Number& coefficient, Factors& factors);
  bool merge_like_bases(Number& coefficient, Factors& factors);
  SymExpr make_factor(const Factor& factor);
  SymExpr make_product(const Number& coefficient, absl::Span<const Factor> factors);
  SymExpr finish_product(const Number& coefficient, Factors& factors);
  bool multiply_terms(const SymTerm& a, const SymTerm& b, SymTerm& out);
  bool expand(const SymTerm& start, absl::Span<const Factor> sums, Terms& out);

  SymExprTable::Impl& impl_;
  UndefinedReason failure_ = UndefinedReason::kOverflow;
};

// ---------------------------------------------------------------- sums

SymTerm SymExprBuilder::split_term(SymExpr e) {
  if (is_constant_number(e)) return {internal::number_of(e), SymExpr()};
  if (e.kind() != SymKind::kMul || !internal::is_number(e.args()[0]))
    return {Number::integer(1), e};
  const Number coefficient = internal::number_of(e.args()[0]);
  const absl::Span<const SymExpr> rest = e.args().subspan(1);
  if (rest.size() == 1) return {coefficient, rest[0]};
  return {coefficient, impl_.intern({.kind = SymKind::kMul,
                                     .value_kind = join_all(rest),
                                     .args = {rest.data(), rest.size()}})};
}

SymExpr SymExprBuilder::make_term(const SymTerm& term) {
  if (!term.monomial) return number(term.coefficient);
  if (term.coefficient.is_one()) return term.monomial;
  Exprs args = {number(term.coefficient)};
  if (term.monomial.kind() == SymKind::kMul)
    args.append(term.monomial.args().begin(), term.monomial.args().end());
  else
    args.push_back(term.monomial);
  return impl_.intern({.kind = SymKind::kMul, .value_kind = join_all(args), .args = args});
}

// Sorts the terms and merges like ones; false on overflow. The constant term, if any, is last.
bool SymExprBuilder::merge_like_terms(Terms& terms) {
  if (terms.size() < 2) return true;
  std::sort(terms.begin(), terms.end(), [](const SymTerm& a, const SymTerm& b) {
    return internal::compare_monomials(a.monomial, b.monomial) < 0;
  });
  size_t kept = 0;
  for (size_t i = 0; i < terms.size();) {
    SymTerm term = terms[i++];
    for (; i < terms.size() && terms[i].monomial == term.monomial; ++i)
      if (!internal::add_to(term.coefficient, terms[i].coefficient)) return false;
    if (!term.coefficient.is_zero()) terms[kept++] = term;
  }
  terms.truncate(kept);
  return true;
}

void SymExprBuilder::add_terms(SymExpr e, Terms& terms) {
  if (e.kind() != SymKind::kAdd) {
    terms.push_back(split_term(e));
  } else {
    for (SymExpr arg : e.args()) terms.push_back(split_term(arg));
  }
}

SymExpr SymExprBuilder::make_sum(Terms& terms) {
  if (!merge_like_terms(terms)) return undefined_expr(UndefinedReason::kOverflow);
  if (terms.empty()) return integer(0);
  // A product that stayed factored because of large coefficients may now be multiplied out.
  for (size_t i = 0; i < terms.size(); ++i) {
    const size_t count = count_products(terms[i].monomial);
    if (count == 1 || count > 2 * kMaxExpandedTerms) continue;  // too large: it stays factored
    const SymExpr before = make_term(terms[i]);
    if (before.is_undefined()) return before;
    const SymExpr after = product({&before, 1});
    const bool is_nested = after.kind() == SymKind::kAdd;
    if (after.is_undefined() || (after == before && !is_nested)) continue;
    terms.erase(terms.begin() + static_cast<ptrdiff_t>(i));
    add_terms(after, terms);
    return make_sum(terms);
  }
  if (terms.size() == 1) return make_term(terms[0]);
  Exprs args;
  for (const SymTerm& term : terms) {
    const SymExpr arg = make_term(term);
    if (arg.is_undefined()) return arg;
    args.push_back(arg);
  }
  return impl_.intern({.kind = SymKind::kAdd, .value_kind = join_all(args), .args = args});
}

SymExpr SymExprBuilder::sum(absl::Span<const SymExpr> operands) {
  Terms terms;
  for (SymExpr e : operands) add_terms(e, terms);
  return make_sum(terms);
}

Number SymExprBuilder::content_of(SymExpr sum) {
  const Number one = Number::integer(1);
  int64_t numerators = 0;
  int64_t denominators = 1;
  bool is_negative = false;
  for (size_t i = 0; i < sum.args().size(); ++i) {
    const SymExpr term = sum.args()[i];
    const SymExpr first = term.kind() == SymKind::kMul ? term.args()[0] : term;
    const Number c = internal::is_number(first) ? internal::number_of(first) : one;
    if (i == 0) is_negative = c.is_negative();
    if (c.is_float) return Number::integer(is_negative ? -1 : 1);
    if (c.numerator == std::numeric_limits<int64_t>::min()) return one;
    numerators = std::gcd(numerators, c.numerator);
    const int64_t missing = c.denominator / std::gcd(denominators, c.denominator);
    if (__builtin_mul_overflow(denominators, missing, &denominators)) return one;
  }
  return {.numerator = is_negative ? -numerators : numerators, .denominator = denominators};
}

SymExpr SymExprBuilder::scaled_sum(SymExpr sum, const Number& scale) {
  Terms terms;
  for (SymExpr arg : sum.args()) {
    terms.push_back(split_term(arg));
    if (!internal::multiply_by(terms.back().coefficient, scale))
      return undefined_expr(UndefinedReason::kOverflow);
  }
  return make_sum(terms);
}

// ---------------------------------------------------------------- products

bool SymExprBuilder::collect(SymExpr base, SymExpr exponent, Number& coefficient,
                             Factors& factors) {
  if (exponent.is_int()) {
    if (is_constant_number(base)) {
      Number value = internal::number_of(base);
      if (value.is_zero() && exponent.int_value() < 0) {
        failure_ = UndefinedReason::kDivisionByZero;
        return false;
      }
      return internal::raise_to(value, exponent.int_value()) &&
             internal::multiply_by(coefficient, value);
    }
    if (base.kind() == SymKind::kMul) {
      for (SymExpr arg : base.args())
        if (!collect(arg, exponent, coefficient, factors)) return false;
      return true;
    }
    if (base.kind() == SymKind::kPow) {
      const SymExpr operands[] = {base.args()[1], exponent};
      const SymExpr inner = product(operands);
      if (inner.is_undefined()) return false;
      // sqrt(8*x)**2 is 8*x, whose factors are separate.
      if (inner.is_int()) return collect(base.args()[0], inner, coefficient, factors);
      factors.push_back({base.args()[0], inner});
      return true;
    }
    if (base.kind() == SymKind::kAdd) {
      // 1/(2*x + 2) and (1 - x)**3: factor out the common divisor of all terms.
      const Number content = content_of(base);
      Number power = content;
      Number inverse = Number::integer(1);
      if (!content.is_one() && internal::raise_to(power, exponent.int_value()) &&
          internal::divide_by(inverse, content)) {
        const SymExpr primitive = scaled_sum(base, inverse);
        // With smaller coefficients, the power may be multiplied out, after which its content may
        // differ.
        if (!primitive.is_undefined())
          return internal::multiply_by(coefficient, power) &&
                 collect(primitive, exponent, coefficient, factors);
      }
    }
  }
  // Roots of zero, and divisions by them.
  if (internal::is_number(exponent) && !exponent.is_int() && is_constant_number(base) &&
      internal::number_of(base).is_zero()) {
    if (!internal::number_of(exponent).is_negative())
      return internal::multiply_by(coefficient, internal::number_of(base));
    failure_ = UndefinedReason::kDivisionByZero;
    return false;
  }
  factors.push_back({base, exponent});
  return true;
}

bool SymExprBuilder::merge_like_bases(Number& coefficient, Factors& factors) {
  if (factors.size() > 1) {
    std::sort(factors.begin(), factors.end(), [](const Factor& a, const Factor& b) {
      const int order = compare_order(a.base, b.base);
      return order != 0 ? order < 0 : compare_order(a.exponent, b.exponent) < 0;
    });
  }
  size_t kept = 0;
  Factors opened;  // sqrt(8*s0) * sqrt(8*s0) is 8 * s0, two factors
  for (size_t i = 0; i < factors.size();) {
    Factor factor = factors[i];
    Exprs exponents = {factors[i++].exponent};
    for (; i < factors.size() && factors[i].base == factor.base; ++i)
      exponents.push_back(factors[i].exponent);
    if (exponents.size() > 1) factor.exponent = sum(exponents);
    if (factor.exponent.is_undefined()) return false;
    if (factor.exponent.is_int()) {
      if (factor.exponent.int_value() == 0) continue;
      if (is_constant_number(factor.base)) {  // 2**s0 * 2**-s0 * 2**3
        Number value = internal::number_of(factor.base);
        if (!internal::raise_to(value, factor.exponent.int_value()) ||
            !internal::multiply_by(coefficient, value))
          return false;
        continue;
      }
      if (exponents.size() > 1 && !is_symbol_or_call(factor.base)) {
        if (!collect(factor.base, factor.exponent, coefficient, opened)) return false;
        continue;
      }
    }
    factors[kept++] = factor;
  }
  factors.truncate(kept);
  if (opened.empty()) return true;
  factors.append(opened.begin(), opened.end());
  return merge_like_bases(coefficient, factors);  // terminates: the number of factors decreases
}

SymExpr SymExprBuilder::make_factor(const Factor& factor) {
  if (factor.exponent.is_int() && factor.exponent.int_value() == 1) return factor.base;
  const SymExpr args[] = {factor.base, factor.exponent};
  SymValueKind kind = join_all(args);
  // A power of an integer is an integer only if the exponent is known to be nonnegative.
  if (kind == SymValueKind::kInt && !(factor.exponent.is_int() && factor.exponent.int_value() >= 0))
    kind = SymValueKind::kReal;
  if (factor.exponent.kind() == SymKind::kRational) kind = SymValueKind::kFloat;
  return impl_.intern({.kind = SymKind::kPow, .value_kind = kind, .args = args});
}

SymExpr SymExprBuilder::make_product(const Number& coefficient, absl::Span<const Factor> factors) {
  if (factors.empty() || coefficient.is_zero()) return number(coefficient);
  Exprs args;
  if (!coefficient.is_one()) args.push_back(number(coefficient));
  for (const Factor& factor : factors) {
    const SymExpr arg = make_factor(factor);
    if (arg.is_undefined()) return arg;
    args.push_back(arg);
  }
  if (args.size() == 1) return args[0];
  // Powers of one base are merged, but the printed order also depends on exponents.
  std::sort(args.begin(), args.end(), [](SymExpr a, SymExpr b) { return compare_order(a, b) < 0; });
  return impl_.intern({.kind = SymKind::kMul, .value_kind = join_all(args), .args = args});
}

bool SymExprBuilder::multiply_terms(const SymTerm& a, const SymTerm& b, SymTerm& out) {
  Number coefficient = a.coefficient;
  if (!internal::multiply_by(coefficient, b.coefficient)) return false;
  if (!a.monomial || !b.monomial) {
    out = {coefficient, a.monomial ? a.monomial : b.monomial};
    return true;
  }
  Factors factors;
  const SymExpr one = integer(1);
  if (!collect(a.monomial, one, coefficient, factors) ||
      !collect(b.monomial, one, coefficient, factors) || !merge_like_bases(coefficient, factors))
    return false;
  // The factored sums would need to be expanded now: leave the product unchanged.
  if (std::any_of(factors.begin(), factors.end(), is_power_of_sum)) return false;
  const SymExpr monomial = factors.empty() ? SymExpr() : make_product(Number::integer(1), factors);
  if (monomial && monomial.is_undefined()) return false;
  out = {coefficient, monomial};
  return true;
}

// Multiplies `start` by sums raised to positive powers; false if the result is too large.
bool SymExprBuilder::expand(const SymTerm& start, absl::Span<const Factor> sums, Terms& out) {
  out = {start};
  for (const Factor& factor : sums) {
    Terms terms;
    for (SymExpr arg : factor.base.args()) terms.push_back(split_term(arg));
    if (factor.exponent.int_value() >= kMaxExpandedTerms) return false;
    for (int64_t n = factor.exponent.int_value(); n > 0; --n) {
      if (out.size() * terms.size() > kMaxProductTerms) return false;
      Terms products;
      for (const SymTerm& a : out) {
        for (const SymTerm& b : terms)
          if (!multiply_terms(a, b, products.emplace_back())) return false;
      }
      if (!merge_like_terms(products)) return false;
      if (products.size() > kMaxExpandedTerms) return false;
      out = std::move(products);
    }
  }
  return true;
}

SymExpr SymExprBuilder::finish_product(const Number& coefficient, Factors& factors) {
  Number scale = coefficient;
  if (!merge_like_bases(scale, factors)) return undefined_expr(failure_);
  if (scale.is_zero()) return integer(0);
  // As in SymPy, a single number is distributed over any sum, including sums of floats.
  if (factors.size() == 1 && is_sum(factors[0]) && factors[0].exponent.int_value() == 1) {
    if (scale.is_one()) return factors[0].base;
    const SymExpr scaled = scaled_sum(factors[0].base, scale);
    return scaled.is_undefined() ? make_product(scale, factors) : scaled;
  }
  // Multiplying out would round floats differently.
  const bool is_exact =
      !scale.is_float && std::all_of(factors.begin(), factors.end(), [](const Factor& f) {
        return !is_float(f.base) && !is_float(f.exponent);
      });
  if (is_exact && std::any_of(factors.begin(), factors.end(), is_sum)) {
    Factors rest;
    Factors sums;
    for (const Factor& factor : factors) (is_sum(factor) ? sums : rest).push_back(factor);
    const SymExpr monomial = rest.empty() ? SymExpr() : make_product(Number::integer(1), rest);
    if (monomial && monomial.is_undefined()) return monomial;
    Terms terms;
    if (expand({scale, monomial}, sums, terms)) return make_sum(terms);
  }
  // A power is multiplied out even if the whole product is not: 2.0*(x - 3)**2 is 2.0 times the
  // expanded (x - 3)**2.
  const bool was_tried = is_exact && factors.size() == 1 && scale.is_one();
  bool expanded = false;
  for (Factor& factor : factors) {
    Terms terms;
    if (was_tried || !is_power_of_sum(factor) || is_float(factor.base) ||
        !expand({Number::integer(1), SymExpr()}, {&factor, 1}, terms))
      continue;
    factor = {make_sum(terms), integer(1)};
    expanded = true;
  }
  if (!expanded) return make_product(scale, factors);
  Factors opened;  // sums that were powers: the divisor of their terms is factored out again
  for (const Factor& factor : factors)
    if (!collect(factor.base, factor.exponent, scale, opened)) return undefined_expr(failure_);
  return finish_product(scale, opened);
}

SymExpr SymExprBuilder::product(absl::Span<const SymExpr> operands) {
  Number coefficient = Number::integer(1);
  Factors factors;
  const SymExpr one = integer(1);
  for (SymExpr e : operands)
    if (!collect(e, one, coefficient, factors)) return undefined_expr(failure_);
  return finish_product(coefficient, factors);
}

SymExpr SymExprBuilder::power(SymExpr base, SymExpr exponent) {
  if (exponent.is_int()) {
    if (exponent.int_value() == 1) return base;
    if (exponent.int_value() == 0) return integer(1);
  } else if (is_constant_number(base) && is_constant_number(exponent)) {
    const double x = internal::number_of(base).as_float();
    const double y = internal::number_of(exponent).as_float();
    const bool has_float = base.kind() == SymKind::kFloat || exponent.kind() == SymKind::kFloat;
    if (has_float && x >= 0) return number(Number::real(std::pow(x, y)));
  }
  if (base.is_int() && base.int_value() == 1) return base;
  Number coefficient = Number::integer(1);
  Factors factors;
  if (!collect(base, exponent, coefficient, factors)) return undefined_expr(failure_);
  return finish_product(coefficient, factors);
}

// ---------------------------------------------------------------- SymExprTable

namespace {

Exprs canonical(absl::Span<const SymExpr> operands) {
  Exprs result;
  for (SymExpr e : operands) result.push_back(e.canonical());
  return result;
}

}  // namespace

SymExpr SymExprTable::add(absl::Span<const SymExpr> terms) {
  if (const SymExpr undefined = internal::first_undefined(terms)) return undefined;
  return SymExprBuilder(*this).sum(canonical(terms));
}

SymExpr SymExprTable::mul(absl::Span<const SymExpr> factors) {
  if (const SymExpr undefined = internal::first_undefined(factors)) return undefined;
  return SymExprBuilder(*this).product(canonical(factors));
}

SymExpr SymExprTable::pow(SymExpr base, SymExpr exponent) {
  if (base.is_undefined()) return base;
  if (exponent.is_undefined()) return exponent;
  return SymExprBuilder(*this).power(base.canonical(), exponent.canonical());
}

}  // namespace fx
