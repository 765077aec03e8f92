// Evaluates symbolic expressions: exact fractions in 64 bits, floats as in C++, booleans.
#include "fx/ir/support/check.h"
#include "fx/ir/support/status.h"
#include "fx/ir/symbolic/sym_expr_internal.h"

#include "absl/container/flat_hash_map.h"
#include "fmt/format.h"
#include "llvm/ADT/SmallVector.h"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

namespace fx {

using internal::Number;
using internal::SymFunction;

SymValue SymValue::rational(int64_t numerator, int64_t denominator) {
  SymValue value(numerator);
  value.denominator_ = denominator;
  if (denominator != 1) value.kind_ = SymValueKind::kReal;
  return value;
}

double SymValue::as_float() const {
  return kind_ == SymValueKind::kFloat
             ? float_
             : static_cast<double>(int_) / static_cast<double>(denominator_);
}

namespace {

using Values = llvm::SmallVector<SymValue, 8>;

Number to_number(const SymValue& value) {
  if (value.kind() == SymValueKind::kFloat) return Number::real(value.as_float());
  return {.numerator = value.int_value(), .denominator = value.denominator()};
}

SymValue to_value(const Number& number) {
  if (number.is_float) return SymValue(number.value);
  return SymValue::rational(number.numerator, number.denominator);
}

absl::Status overflow() {
  return absl::OutOfRangeError("a symbolic expression does not fit in 64 bits");
}
absl::Status division_by_zero() {
  return absl::InvalidArgumentError("a symbolic expression divides by zero");
}
absl::Status domain_error(SymExpr e) {
  return absl::InvalidArgumentError(
      fmt::format("'{}' is undefined for these arguments", to_string(e)));
}

// Calls std::log or another function of <cmath>.
double apply_math(SymFunction function, double x) {
  switch (function) {
    case SymFunction::kSqrt:
      return std::sqrt(x);
    case SymFunction::kCos:
      return std::cos(x);
    case SymFunction::kCosh:
      return std::cosh(x);
    case SymFunction::kSin:
      return std::sin(x);
    case SymFunction::kSinh:
      return std::sinh(x);
    case SymFunction::kTan:
      return std::tan(x);
    case SymFunction::kTanh:
      return std::tanh(x);
    case SymFunction::kAsin:
      return std::asin(x);
    case SymFunction::kAcos:
      return std::acos(x);
    case SymFunction::kAtan:
      return std::atan(x);
    case SymFunction::kExp:
      return std::exp(x);
    case SymFunction::kLog:
      return std::log(x);
    case SymFunction::kAsinh:
      return std::asinh(x);
    case SymFunction::kLog2:
      return std::log2(x);
    default:
      FX_UNREACHABLE("not a function of one float");
  }
}

// Rounds to the nearest integer, ties to even, in any rounding mode.
double round_half_even(double x) {
  const double floor = std::floor(x);
  const double fraction = x - floor;
  if (fraction != 0.5) return fraction < 0.5 ? floor : floor + 1;
  return std::fmod(floor, 2) == 0 ? floor : floor + 1;
}

double round_decimal(double x, int64_t digits) {
  if (digits > 300 || !std::isfinite(x)) return x;
  if (digits < -300) return std::copysign(0.0, x);
  // As in Python, round the decimal digits, not a product, which would be rounded twice.
  if (digits >= 0) {
    const std::string text = fmt::format("{:.{}f}", x, static_cast<int>(digits));
    return std::strtod(text.c_str(), nullptr);
  }
  const double scale = std::pow(10.0, static_cast<double>(-digits));
  return round_half_even(x / scale) * scale;
}

// Depth is bounded by kMaxSymExprDepth. Shared subtrees are evaluated once.
class Evaluator {
 public:
  explicit Evaluator(const SymBindings& bindings) : bindings_(bindings) {}

  absl::StatusOr<SymValue> value(SymExpr e) {
    switch (e.kind()) {
      case SymKind::kUndefined:
        return e.status();
      case SymKind::kInt:
        return SymValue(e.int_value());
      case SymKind::kRational:
        return SymValue::rational(e.int_value(), e.denominator());
      case SymKind::kFloat:
        return SymValue(e.float_value());
      case SymKind::kBool:
        return SymValue(e.int_value() != 0);
      case SymKind::kSymbol: {
        const auto found = bindings_.find(e.name());
        if (found != bindings_.end()) return found->second;
        return absl::NotFoundError(fmt::format("symbol '{}' has no value", e.name().str()));
      }
      default:
        break;
    }
    const auto done = done_.find(e);
    if (done != done_.end()) return done->second;
    FX_ASSIGN_OR_RETURN(const SymValue result, compound(e));
    done_.emplace(e, result);
    return result;
  }

 private:
  absl::StatusOr<SymValue> compound(SymExpr e) {
    if (e.kind() == SymKind::kCall) {
      const auto function = static_cast<SymFunction>(e.data()->function);
      if (function == SymFunction::kPiecewise) return piecewise(e);
      if (function == SymFunction::kWhere) {
        FX_ASSIGN_OR_RETURN(const bool condition, truth(e.args()[0]));
        return value(e.args()[condition ? 1 : 2]);
      }
    }
    if (e.kind() == SymKind::kTuple) return absl::InvalidArgumentError("a tuple is not a number");
    Values args;
    for (SymExpr arg : e.args()) {
      FX_ASSIGN_OR_RETURN(const SymValue item, value(arg));
      args.push_back(item);
    }
    return apply(e, args);
  }

  absl::StatusOr<bool> truth(SymExpr e) {
    FX_ASSIGN_OR_RETURN(const SymValue v, value(e));
    return v.as_float() != 0;
  }

  absl::StatusOr<SymValue> piecewise(SymExpr e) {
    for (SymExpr branch : e.args()) {
      if (branch.kind() != SymKind::kTuple || branch.args().size() != 2) return domain_error(e);
      FX_ASSIGN_OR_RETURN(const bool condition, truth(branch.args()[1]));
      if (condition) return value(branch.args()[0]);
    }
    return domain_error(e);
  }

  static absl::StatusOr<SymValue> apply(SymExpr e, absl::Span<const SymValue> args) {
    switch (e.kind()) {
      case SymKind::kAdd: {
        Number sum = Number::integer(0);
        for (const SymValue& arg : args)
          if (!internal::add_to(sum, to_number(arg))) return overflow();
        return to_value(sum);
      }
      case SymKind::kMul: {
        Number product = Number::integer(1);
        for (const SymValue& arg : args)
          if (!internal::multiply_by(product, to_number(arg))) return overflow();
        return to_value(product);
      }
      case SymKind::kPow:
        return power(e, to_number(args[0]), to_number(args[1]));
      case SymKind::kFloorDiv:
      case SymKind::kMod: {
        Number result = to_number(args[0]);
        const Number divisor = to_number(args[1]);
        if (divisor.as_float() == 0) return division_by_zero();
        const bool fits = e.kind() == SymKind::kMod ? internal::reduce_modulo(result, divisor)
                                                    : internal::floor_divide_by(result, divisor);
        if (!fits) return overflow();
        return to_value(result);
      }
      case SymKind::kMin:
      case SymKind::kMax: {
        Number result = to_number(args[0]);
        for (const SymValue& arg : args) {
          const int order = internal::compare_value(to_number(arg), result);
          if (e.kind() == SymKind::kMin ? order < 0 : order > 0) result = to_number(arg);
        }
        return to_value(result);
      }
      case SymKind::kEq:
      case SymKind::kNe:
      case SymKind::kLt:
      case SymKind::kLe:
      case SymKind::kGt:
      case SymKind::kGe:
        return relation(e.kind(), to_number(args[0]), to_number(args[1]));
      case SymKind::kAnd: {
        for (const SymValue& arg : args)
          if (arg.as_float() == 0) return SymValue(false);
        return SymValue(true);
      }
      case SymKind::kOr: {
        for (const SymValue& arg : args)
          if (arg.as_float() != 0) return SymValue(true);
        return SymValue(false);
      }
      case SymKind::kNot:
        return SymValue(args[0].as_float() == 0);
      case SymKind::kCall:
        return call(e, args);
      case SymKind::kSpelled:
        return args[0];
      default:
        FX_UNREACHABLE("leaves and tuples have been handled");
    }
  }

  static absl::StatusOr<SymValue> relation(SymKind kind, const Number& a, const Number& b) {
    const bool unordered =
        (a.is_float && std::isnan(a.value)) || (b.is_float && std::isnan(b.value));
    if (unordered) return SymValue(kind == SymKind::kNe);
    const int order = internal::compare_value(a, b);
    switch (kind) {
      case SymKind::kEq:
        return SymValue(order == 0);
      case SymKind::kNe:
        return SymValue(order != 0);
      case SymKind::kLt:
        return SymValue(order < 0);
      case SymKind::kLe:
        return SymValue(order <= 0);
      case SymKind::kGt:
        return SymValue(order > 0);
      default:
        return SymValue(order >= 0);
    }
  }

  static absl::StatusOr<SymValue> power(SymExpr e, Number base, const Number& exponent) {
    if (exponent.is_int()) {
      if (base.is_zero() && exponent.numerator < 0) return division_by_zero();
      if (!internal::raise_to(base, exponent.numerator)) return overflow();
      return to_value(base);
    }
    const double x = base.as_float();
    const double y = exponent.as_float();
    if (x < 0 && y != std::floor(y)) return domain_error(e);
    if (x == 0 && y < 0) return division_by_zero();
    return SymValue(std::pow(x, y));
  }

  static absl::StatusOr<SymValue> to_whole(double x) {
    // 2**63 is the first float beyond int64.
    if (!(x >= -0x1p63 && x < 0x1p63)) return overflow();
    return SymValue(static_cast<int64_t>(x));
  }

  static absl::StatusOr<SymValue> call(SymExpr e, absl::Span<const SymValue> args) {
    const auto function = static_cast<SymFunction>(e.data()->function);
    switch (function) {
      case SymFunction::kUnknown:
        return absl::UnimplementedError(fmt::format("function '{}' is unknown", e.name().str()));
      case SymFunction::kIntInfinity:
        return absl::OutOfRangeError("int_oo is not a 64-bit number");
      case SymFunction::kToFloat:
        return SymValue(args[0].as_float());
      case SymFunction::kTruncToInt:
        return to_whole(std::trunc(args[0].as_float()));
      case SymFunction::kTruncToFloat:
        return SymValue(std::trunc(args[0].as_float()));
      case SymFunction::kFloorToInt:
        return to_whole(std::floor(args[0].as_float()));
      case SymFunction::kCeilToInt:
        return to_whole(std::ceil(args[0].as_float()));
      case SymFunction::kRoundToInt:
        return to_whole(round_half_even(args[0].as_float()));
      case SymFunction::kRoundDecimal:
        return SymValue(round_decimal(args[0].as_float(), args[1].int_value()));
      case SymFunction::kIntTrueDiv:
      case SymFunction::kFloatTrueDiv:
        return true_div(args[0], args[1]);
      case SymFunction::kFloatPow:
        return power(e, Number::real(args[0].as_float()), Number::real(args[1].as_float()));
      case SymFunction::kPowByNatural:
        if (args[1].as_float() < 0) return domain_error(e);
        return power(e, to_number(args[0]), to_number(args[1]));
      case SymFunction::kLShift:
      case SymFunction::kRShift:
        return shift(e, function, args);
      case SymFunction::kAbs: {
        Number number = to_number(args[0]);
        if (number.is_negative() && !internal::multiply_by(number, Number::integer(-1)))
          return overflow();
        return to_value(number);
      }
      case SymFunction::kBitAnd:
      case SymFunction::kBitOr:
      case SymFunction::kBitXor:
        return bitwise(e, function, args);
      default:
        break;
    }
    const double result = apply_math(function, args[0].as_float());
    if (std::isnan(result) && !std::isnan(args[0].as_float())) return domain_error(e);
    return SymValue(result);
  }

  // As in Python, integers greater than 2**53 are not rounded before they are divided.
  static absl::StatusOr<SymValue> true_div(const SymValue& a, const SymValue& b) {
    if (b.as_float() == 0) return division_by_zero();
    if (a.kind() != SymValueKind::kInt || b.kind() != SymValueKind::kInt)
      return SymValue(a.as_float() / b.as_float());
    return SymValue(internal::true_quotient(a.int_value(), b.int_value()));
  }

  static absl::StatusOr<SymValue> shift(SymExpr e, SymFunction function,
                                        absl::Span<const SymValue> args) {
    const int64_t count = args[1].int_value();
    const bool whole = args[0].kind() != SymValueKind::kFloat && args[0].denominator() == 1 &&
                       args[1].kind() == SymValueKind::kInt;
    if (!whole || count < 0) return domain_error(e);
    if (function == SymFunction::kRShift)
      return SymValue(args[0].int_value() >> std::min<int64_t>(count, 63));
    Number number = Number::integer(2);
    if (args[0].int_value() == 0) return SymValue(0);
    if (count > 63) return overflow();
    if (count == 63)
      return args[0].int_value() == -1
                 ? absl::StatusOr<SymValue>(std::numeric_limits<int64_t>::min())
                 : overflow();
    if (!internal::raise_to(number, count) ||
        !internal::multiply_by(number, Number::integer(args[0].int_value())))
      return overflow();
    return to_value(number);
  }

  static absl::StatusOr<SymValue> bitwise(SymExpr e, SymFunction function,
                                          absl::Span<const SymValue> args) {
    for (const SymValue& arg : args)
      if (arg.kind() == SymValueKind::kFloat || arg.denominator() != 1) return domain_error(e);
    const int64_t a = args[0].int_value();
    const int64_t b = args[1].int_value();
    const int64_t result = function == SymFunction::kBitAnd  ? a & b
                           : function == SymFunction::kBitOr ? a | b
                                                             : a ^ b;
    const bool is_bool =
        args[0].kind() == SymValueKind::kBool && args[1].kind() == SymValueKind::kBool;
    return is_bool ? SymValue(result != 0) : SymValue(result);
  }

  const SymBindings& bindings_;
  absl::flat_hash_map<SymExpr, SymValue> done_;
};

absl::Status wrong_kind(SymExpr e, std::string_view expected) {
  return absl::InvalidArgumentError(fmt::format("'{}' is not {}", to_string(e), expected));
}

}  // namespace

absl::StatusOr<SymValue> evaluate(SymExpr expr, const SymBindings& bindings) {
  return Evaluator(bindings).value(expr.canonical());
}

absl::StatusOr<int64_t> eval_int(SymExpr expr, const SymBindings& bindings) {
  FX_ASSIGN_OR_RETURN(const SymValue value, evaluate(expr, bindings));
  if (value.kind() != SymValueKind::kInt) return wrong_kind(expr, "an integer");
  return value.int_value();
}

absl::StatusOr<double> eval_float(SymExpr expr, const SymBindings& bindings) {
  FX_ASSIGN_OR_RETURN(const SymValue value, evaluate(expr, bindings));
  if (value.kind() == SymValueKind::kBool) return wrong_kind(expr, "a number");
  return value.as_float();
}

absl::StatusOr<bool> eval_bool(SymExpr expr, const SymBindings& bindings) {
  FX_ASSIGN_OR_RETURN(const SymValue value, evaluate(expr, bindings));
  if (value.kind() != SymValueKind::kBool) return wrong_kind(expr, "a boolean");
  return value.int_value() != 0;
}

}  // namespace fx
