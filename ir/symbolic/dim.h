// Dim: a size, stride or offset, which is an integer or a symbolic expression.
//
// Operators are overloaded, so that (size + 2 * padding - kernel) / stride + 1 is
//
//   Dim out = floor_div(size + 2 * padding - kernel, stride) + 1;
//
// Arithmetic on integers costs an additional test for overflow. If an operation has no result
// (overflow, division by zero), it returns an undefined Dim, which propagates like NaN: check the
// final result.
#pragma once

#include "fx/ir/symbolic/sym_expr.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstdint>
#include <string>
#include <utility>

namespace fx {

class Dim {
 public:
  constexpr Dim() = default;  ///< 0
  constexpr Dim(int64_t value) : value_(value) {}
  constexpr Dim(int value) : value_(value) {}
  /// An integer expression becomes the integer. `expr` must not be null.
  Dim(SymExpr expr) {
    if (expr.is_int())
      value_ = expr.int_value();
    else
      expr_ = expr;
  }

  bool is_int() const { return !expr_; }
  bool is_symbolic() const { return static_cast<bool>(expr_); }
  /// The integer; is_int() must hold.
  int64_t value() const { return value_; }
  /// The expression; is_symbolic() must hold.
  SymExpr expr() const { return expr_; }
  bool is_undefined() const { return expr_ && expr_.is_undefined(); }
  /// The reason why the Dim is undefined; OK for a defined one.
  absl::Status status() const { return expr_ ? expr_.status() : absl::OkStatus(); }
  /// The form without a spelling, in which equal polynomials are equal.
  Dim canonical() const { return expr_ ? Dim(expr_.canonical()) : *this; }

  /// True for the same integer or the same pointer. Spellings of one value differ; see same_value.
  friend bool operator==(const Dim& a, const Dim& b) = default;
  template <typename H>
  friend H AbslHashValue(H h, const Dim& d) {
    return H::combine(std::move(h), d.value_, d.expr_);
  }

 private:
  int64_t value_ = 0;
  SymExpr expr_;
};
static_assert(sizeof(Dim) == 16);

/// True if both are the same integer or have the same canonical form.
inline bool same_value(const Dim& a, const Dim& b) { return a.canonical() == b.canonical(); }

Dim operator+(const Dim& a, const Dim& b);
Dim operator-(const Dim& a, const Dim& b);
Dim operator*(const Dim& a, const Dim& b);
Dim operator-(const Dim& a);
inline Dim& operator+=(Dim& a, const Dim& b) { return a = a + b; }
inline Dim& operator-=(Dim& a, const Dim& b) { return a = a - b; }
inline Dim& operator*=(Dim& a, const Dim& b) { return a = a * b; }
/// Rounds toward minus infinity, like Python's //.
Dim floor_div(const Dim& a, const Dim& b);
/// Rounds up: -(-a // b).
Dim ceil_div(const Dim& a, const Dim& b);
/// The result has the sign of the divisor, like Python's %.
Dim mod(const Dim& a, const Dim& b);
Dim min(const Dim& a, const Dim& b);
Dim max(const Dim& a, const Dim& b);

/// The integer value under the bindings. Returns the errors of eval_int for expressions.
absl::StatusOr<int64_t> eval_int(const Dim& dim, const SymBindings& bindings);

/// Appends the decimal number, or the text of the expression.
void append_text(std::string& out, const Dim& dim);
/// `[2, s0, 3]`.
void append_text(std::string& out, absl::Span<const Dim> dims);
std::string to_string(const Dim& dim);

}  // namespace fx
