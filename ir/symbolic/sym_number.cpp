// Exact fractions and floats: see sym_number_internal.h. Products are computed in 128 bits, so that
// only overflow after reduction to lowest terms is an error.
#include "fx/ir/symbolic/sym_number_internal.h"

#include <cmath>
#include <limits>

namespace fx::internal {
namespace {

__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;

Wide gcd(Wide a, Wide b) {
  if (a < 0) a = -a;
  if (b < 0) b = -b;
  while (b != 0) {
    const Wide r = a % b;
    a = b;
    b = r;
  }
  return a;
}

bool store(Number& out, Wide numerator, Wide denominator) {
  constexpr Wide kMin = std::numeric_limits<int64_t>::min();
  constexpr Wide kMax = std::numeric_limits<int64_t>::max();
  if (denominator != 1) {
    if (denominator < 0) {
      numerator = -numerator;
      denominator = -denominator;
    }
    if (const Wide g = gcd(numerator, denominator); g > 1) {
      numerator /= g;
      denominator /= g;
    }
  }
  if (numerator < kMin || numerator > kMax || denominator > kMax) return false;
  out = {.numerator = static_cast<int64_t>(numerator),
         .denominator = static_cast<int64_t>(denominator)};
  return true;
}

Wide floor_wide(Wide a, Wide b) {
  const Wide q = a / b;
  return q - ((a % b != 0) && ((a < 0) != (b < 0)));
}

}  // namespace

bool make_fraction(Number& out, int64_t numerator, int64_t denominator) {
  return store(out, numerator, denominator);
}

bool add_to(Number& a, const Number& b) {
  if (a.is_float || b.is_float) {
    a = Number::real(a.as_float() + b.as_float());
    return true;
  }
  if (a.denominator == 1 && b.denominator == 1)
    return !__builtin_add_overflow(a.numerator, b.numerator, &a.numerator);
  // Each product is less than 2^126, so their sum fits.
  return store(a, Wide{a.numerator} * b.denominator + Wide{b.numerator} * a.denominator,
               Wide{a.denominator} * b.denominator);
}

bool multiply_by(Number& a, const Number& b) {
  if (a.is_float || b.is_float) {
    a = Number::real(a.as_float() * b.as_float());
    return true;
  }
  if (a.denominator == 1 && b.denominator == 1)
    return !__builtin_mul_overflow(a.numerator, b.numerator, &a.numerator);
  return store(a, Wide{a.numerator} * b.numerator, Wide{a.denominator} * b.denominator);
}

bool divide_by(Number& a, const Number& b) {
  if (a.is_float || b.is_float) {
    a = Number::real(a.as_float() / b.as_float());
    return true;
  }
  return store(a, Wide{a.numerator} * b.denominator, Wide{a.denominator} * b.numerator);
}

bool raise_to(Number& base, int64_t exponent) {
  if (base.is_float) {
    base.value = std::pow(base.value, static_cast<double>(exponent));
    return true;
  }
  const bool invert = exponent < 0;
  uint64_t left = invert ? -static_cast<uint64_t>(exponent) : static_cast<uint64_t>(exponent);
  Number square = base;
  Number result = Number::integer(1);
  while (left != 0) {
    if ((left & 1) != 0 && !multiply_by(result, square)) return false;
    left >>= 1;
    if (left != 0 && !multiply_by(square, Number(square))) return false;
  }
  base = Number::integer(1);
  return invert ? divide_by(base, result) : multiply_by(base, result);
}

bool floor_divide_by(Number& a, const Number& b) {
  if (a.is_float || b.is_float) {
    a = Number::real(floor_quotient(a.as_float(), b.as_float()));
    return true;
  }
  return store(a, floor_wide(Wide{a.numerator} * b.denominator, Wide{a.denominator} * b.numerator),
               1);
}

bool reduce_modulo(Number& a, const Number& b) {
  if (a.is_float || b.is_float) {
    a = Number::real(floor_remainder(a.as_float(), b.as_float()));
    return true;
  }
  if (a.denominator == 1 && b.denominator == 1) {
    a.numerator = b.numerator == -1 ? 0 : floor_remainder(a.numerator, b.numerator);
    return true;
  }
  Number quotient = a;
  if (!floor_divide_by(quotient, b) || !multiply_by(quotient, b)) return false;
  return multiply_by(quotient, Number::integer(-1)) && add_to(a, quotient);
}

int compare_value(const Number& a, const Number& b) {
  if (!a.is_float && !b.is_float) {
    const Wide left = Wide{a.numerator} * b.denominator;
    const Wide right = Wide{b.numerator} * a.denominator;
    return left < right ? -1 : left > right;
  }
  const double x = a.as_float();
  const double y = b.as_float();
  if (std::isnan(x) || std::isnan(y)) return static_cast<int>(std::isnan(x)) - std::isnan(y);
  if (a.is_int()) return compare_exactly(a.numerator, y);
  if (b.is_int()) return -compare_exactly(b.numerator, x);
  return x < y ? -1 : x > y;
}

int compare_exactly(int64_t a, double b) {
  if (b >= 0x1p63) return -1;
  if (b < -0x1p63) return 1;
  const double whole = std::trunc(b);
  const auto integer = static_cast<int64_t>(whole);
  if (a != integer) return a < integer ? -1 : 1;
  return whole < b ? -1 : whole > b;
}

double true_quotient(int64_t a, int64_t b) {
  constexpr int64_t kExact = int64_t{1} << 53;
  if (a >= -kExact && a <= kExact && b >= -kExact && b <= kExact)
    return static_cast<double>(a) / static_cast<double>(b);
  // The quotient of a shifted dividend has at least 64 bits. A remainder sets the lowest bit, so
  // that the conversion rounds once, like Python.
  const auto magnitude = [](int64_t x) {
    return x < 0 ? -static_cast<uint64_t>(x) : static_cast<uint64_t>(x);
  };
  if (a == 0) return b < 0 ? -0.0 : 0.0;
  UnsignedWide dividend = magnitude(a);
  int shift = 0;
  for (; (dividend >> 127) == 0; ++shift) dividend <<= 1;
  UnsignedWide quotient = dividend / magnitude(b);
  if (dividend % magnitude(b) != 0) quotient |= 1;
  const double result = std::ldexp(static_cast<double>(quotient), -shift);
  return (a < 0) != (b < 0) ? -result : result;
}

// The remainder is exact, and determines the quotient: the quotient of 1.0 and 0.1 rounds to 10,
// but 1.0 // 0.1 is 9.
double floor_quotient(double a, double b) {
  const double remainder = std::fmod(a, b);
  double quotient = (a - remainder) / b;
  if (remainder != 0 && (b < 0) != (remainder < 0)) quotient -= 1;
  if (quotient == 0) return std::copysign(0.0, a / b);
  const double whole = std::floor(quotient);
  return quotient - whole > 0.5 ? whole + 1 : whole;
}

double floor_remainder(double a, double b) {
  const double remainder = std::fmod(a, b);
  if (remainder == 0) return std::copysign(0.0, b);
  return (b < 0) != (remainder < 0) ? remainder + b : remainder;
}

}  // namespace fx::internal
