// Number: a coefficient of a symbolic expression, a 64-bit fraction or a float. Private to ir/.
//
// Arithmetic returns true if the exact result fits; otherwise the left operand is unspecified.
#pragma once

#include <cstdint>

namespace fx::internal {

struct Number {
  bool is_float = false;
  int64_t numerator = 0;
  int64_t denominator = 1;  // positive, in lowest terms
  double value = 0;         // only for floats

  static Number integer(int64_t n) { return {.numerator = n}; }
  static Number real(double v) { return {.is_float = true, .value = v}; }

  bool is_int() const { return !is_float && denominator == 1; }
  /// True for the exact 0 and 1, not for 0.0 and 1.0.
  bool is_zero() const { return !is_float && numerator == 0; }
  bool is_one() const { return is_int() && numerator == 1; }
  bool is_negative() const { return is_float ? value < 0 : numerator < 0; }
  double as_float() const {
    return is_float ? value : static_cast<double>(numerator) / static_cast<double>(denominator);
  }
  friend bool operator==(const Number&, const Number&) = default;
};

/// `denominator` is not zero.
[[nodiscard]] bool make_fraction(Number& out, int64_t numerator, int64_t denominator);
[[nodiscard]] bool add_to(Number& a, const Number& b);
[[nodiscard]] bool multiply_by(Number& a, const Number& b);
/// `b` is not zero.
[[nodiscard]] bool divide_by(Number& a, const Number& b);
/// Negative exponents require a nonzero base.
[[nodiscard]] bool raise_to(Number& base, int64_t exponent);
/// The largest integer that is not greater than a / b, as a float for floats. `b` is not zero.
[[nodiscard]] bool floor_divide_by(Number& a, const Number& b);
/// a - b * floor(a / b): has the sign of b, as in Python. `b` is not zero.
[[nodiscard]] bool reduce_modulo(Number& a, const Number& b);
/// Negative, zero or positive as a < b, a == b, a > b by value. NaN is greater than all numbers.
int compare_value(const Number& a, const Number& b);
/// The same for an integer and a float that is not NaN. The integer is not rounded.
int compare_exactly(int64_t a, double b);

/// Python's a / b for integers: the nearest double of the exact quotient. `b` is not zero.
double true_quotient(int64_t a, int64_t b);

/// Python's a // b and a % b for floats. `b` is not zero.
double floor_quotient(double a, double b);
double floor_remainder(double a, double b);

/// Floor division of integers; `b` is neither 0 nor, with the smallest `a`, -1.
inline int64_t floor_quotient(int64_t a, int64_t b) {
  const int64_t q = a / b;
  return q - ((a % b != 0) && ((a < 0) != (b < 0)));
}
inline int64_t floor_remainder(int64_t a, int64_t b) {
  const int64_t r = a % b;
  return r != 0 && ((r < 0) != (b < 0)) ? r + b : r;
}

}  // namespace fx::internal
