#include "fx/ir/symbolic/number_functions.h"

#include "fx/ir/support/text_tokens.h"
#include "fx/ir/symbolic/sym_number_internal.h"

#include "absl/status/status.h"
#include "fmt/format.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace fx {
namespace {

// ---------------------------------------------------------------- computed

template <class T>
PythonNumber number(T value) {
  return PythonNumber::of(value);
}

absl::Status too_large() {
  return absl::InvalidArgumentError("the result does not fit in 64 bits");
}
absl::Status by_zero() { return absl::InvalidArgumentError("division by zero"); }

absl::StatusOr<PythonNumber> to_int(double value) {
  constexpr double kLimit = 9223372036854775808.0;
  if (!(value >= -kLimit && value < kLimit)) return too_large();
  return number(static_cast<int64_t>(value));
}

absl::StatusOr<PythonNumber> real_power(double x, double y) {
  if (x == 0 && y < 0 && std::isfinite(y)) return by_zero();
  const bool is_finite = std::isfinite(x) && std::isfinite(y);
  if (is_finite && x < 0 && y != std::floor(y))
    return absl::InvalidArgumentError(
        fmt::format("{} to the power of {} is a complex number", x, y));
  const double result = std::pow(x, y);
  if (is_finite && std::isinf(result))
    return absl::InvalidArgumentError("the result does not fit in a double");
  return number(result);
}

absl::StatusOr<PythonNumber> float_arithmetic(char op, double x, double y) {
  switch (op) {
    case '+':
      return number(x + y);
    case '-':
      return number(x - y);
    case '*':
      return number(x * y);
    case '^':
      return real_power(x, y);
    default:
      if (y == 0) return by_zero();
      return number(op == '%' ? internal::floor_remainder(x, y) : internal::floor_quotient(x, y));
  }
}

absl::StatusOr<PythonNumber> integer_power(int64_t base, int64_t exponent) {
  if (exponent < 0) {
    if (base == 0) return by_zero();
    return real_power(static_cast<double>(base), static_cast<double>(exponent));
  }
  // Square repeatedly: at most 63 steps for any exponent.
  int64_t result = 1;
  while (exponent != 0) {
    if ((exponent & 1) && __builtin_mul_overflow(result, base, &result)) return too_large();
    exponent >>= 1;
    if (exponent != 0 && __builtin_mul_overflow(base, base, &base)) return too_large();
  }
  return number(result);
}

absl::StatusOr<PythonNumber> arithmetic(char op, const PythonNumber& a, const PythonNumber& b) {
  if (op == '/') {
    if (b.real() == 0) return by_zero();
    if (!a.is_float() && !b.is_float()) return number(internal::true_quotient(a.i, b.i));
    return number(a.real() / b.real());
  }
  if (a.is_float() || b.is_float()) return float_arithmetic(op, a.real(), b.real());
  int64_t result = 0;
  switch (op) {
    case '+':
      if (__builtin_add_overflow(a.i, b.i, &result)) return too_large();
      return number(result);
    case '-':
      if (__builtin_sub_overflow(a.i, b.i, &result)) return too_large();
      return number(result);
    case '*':
      if (__builtin_mul_overflow(a.i, b.i, &result)) return too_large();
      return number(result);
    case '^':
      return integer_power(a.i, b.i);
    default:
      if (b.i == 0) return by_zero();
      if (a.i == std::numeric_limits<int64_t>::min() && b.i == -1) {
        if (op == '%') return number(int64_t{0});
        return too_large();
      }
      result = internal::floor_quotient(a.i, b.i);
      return number(op == '%' ? a.i - result * b.i : result);
  }
}

/// -1, 0 or 1; 2 if an operand is NaN. Integers are not converted to doubles, which cannot
/// represent all of them.
int compare(const PythonNumber& a, const PythonNumber& b) {
  if (!a.is_float() && !b.is_float()) return a.i < b.i ? -1 : a.i > b.i;
  const double x = a.real(), y = b.real();
  if (std::isnan(x) || std::isnan(y)) return 2;
  if (!a.is_float()) return internal::compare_exactly(a.i, y);
  if (!b.is_float()) return -internal::compare_exactly(b.i, x);
  return x < y ? -1 : x > y;
}

template <char op>
absl::StatusOr<PythonNumber> binary(absl::Span<const PythonNumber> n) {
  return arithmetic(op, n[0], n[1]);
}

template <bool less, bool equal, bool greater>
absl::StatusOr<PythonNumber> relation(absl::Span<const PythonNumber> n) {
  const int order = compare(n[0], n[1]);
  if (order == 2) return number(less && greater);  // only != is true
  return number(order < 0 ? less : order > 0 ? greater : equal);
}

template <bool maximum>
absl::StatusOr<PythonNumber> extreme(absl::Span<const PythonNumber> n) {
  size_t best = 0;
  for (size_t i = 1; i < n.size(); ++i)
    if (compare(n[i], n[best]) == (maximum ? 1 : -1)) best = i;
  // torch.sym_max of an int and a float is a float.
  const bool any_float =
      std::any_of(n.begin(), n.end(), [](const PythonNumber& x) { return x.is_float(); });
  return any_float ? number(n[best].real()) : n[best];
}

template <double (*function)(double)>
absl::StatusOr<PythonNumber> rounded(absl::Span<const PythonNumber> n) {
  return n[0].is_float() ? to_int(function(n[0].f)) : number(n[0].i);
}

// As in Python: a finite operand without a finite result is a domain error or an overflow.
template <double (*function)(double)>
absl::StatusOr<PythonNumber> real(absl::Span<const PythonNumber> n) {
  const double x = n[0].real(), result = function(x);
  if ((std::isnan(result) && !std::isnan(x)) || (std::isinf(result) && std::isfinite(x)))
    return absl::InvalidArgumentError(fmt::format("the function has no finite value at {}", x));
  return number(result);
}

/// round() of one operand: half to even.
absl::StatusOr<PythonNumber> nearest(absl::Span<const PythonNumber> n) {
  return n[0].is_float() ? to_int(std::nearbyint(n[0].f)) : number(n[0].i);
}

absl::StatusOr<PythonNumber> plus(absl::Span<const PythonNumber> n) {
  return n[0].is_float() ? n[0] : number(n[0].i);  // +True is 1
}

absl::StatusOr<PythonNumber> negate(absl::Span<const PythonNumber> n) {
  if (n[0].is_float()) return number(-n[0].f);
  return arithmetic('-', PythonNumber(), n[0]);
}

absl::StatusOr<PythonNumber> absolute(absl::Span<const PythonNumber> n) {
  if (n[0].is_float()) return number(std::fabs(n[0].f));
  if (n[0].i < 0) return negate(n);
  return number(n[0].i);
}

absl::StatusOr<PythonNumber> is_false(absl::Span<const PythonNumber> n) {
  return number(n[0].real() == 0);
}

absl::StatusOr<PythonNumber> to_float(absl::Span<const PythonNumber> n) {
  return number(n[0].real());
}

template <char op>
absl::StatusOr<PythonNumber> bitwise(absl::Span<const PythonNumber> n) {
  if (n[0].is_float() || n[1].is_float())
    return absl::InvalidArgumentError("bitwise functions require integers, not floats");
  const int64_t result = op == '&'   ? n[0].i & n[1].i
                         : op == '|' ? n[0].i | n[1].i
                                     : n[0].i ^ n[1].i;
  if (n[0].kind == PythonNumber::kBool && n[1].kind == PythonNumber::kBool)
    return number(result != 0);
  return number(result);
}

template <bool left>
absl::StatusOr<PythonNumber> shift(absl::Span<const PythonNumber> n) {
  if (n[0].is_float() || n[1].is_float())
    return absl::InvalidArgumentError("bitwise functions require integers, not floats");
  const int64_t value = n[0].i, count = n[1].i;
  if (count < 0) return absl::InvalidArgumentError("a shift count must not be negative");
  if (!left) return number(value >> std::min<int64_t>(count, 63));
  if (value == 0) return number(int64_t{0});
  const int64_t shifted = count > 62 ? 0 : int64_t{1} << count;
  int64_t result = 0;
  if (count == 63 && value == -1) return number(std::numeric_limits<int64_t>::min());
  if (count > 62 || __builtin_mul_overflow(value, shifted, &result)) return too_large();
  return number(result);
}

absl::StatusOr<PythonNumber> invert(absl::Span<const PythonNumber> n) {
  if (n[0].is_float())
    return absl::InvalidArgumentError("bitwise functions require integers, not floats");
  return number(~n[0].i);
}

template <char op, int start>
absl::StatusOr<PythonNumber> fold(absl::Span<const PythonNumber> n) {
  PythonNumber total = PythonNumber::of(int64_t{start});
  for (const PythonNumber& x : n) {
    absl::StatusOr<PythonNumber> next = arithmetic(op, total, x);
    if (!next.ok()) return next;
    total = *next;
  }
  return total;
}

absl::StatusOr<PythonNumber> choose(absl::Span<const PythonNumber> n) {
  return n[n[0].real() != 0 ? 1 : 2];
}

// ---------------------------------------------------------------- symbolic

using Operands = absl::Span<const SymExpr>;

bool may_be_float(SymExpr e) {
  return e.value_kind() == SymValueKind::kFloat || e.value_kind() == SymValueKind::kReal;
}

/// In arithmetic, True is 1.
SymExpr as_number(SymExprTable& exprs, SymExpr x) {
  return x.canonical().kind() == SymKind::kBool ? exprs.integer(x.canonical().int_value()) : x;
}
SymExpr as_float(SymExprTable& exprs, SymExpr x) {
  const SymExpr operands[] = {as_number(exprs, x)};
  return may_be_float(x) ? x : exprs.call("ToFloat", operands);
}

using Binary = SymExpr (SymExprTable::*)(SymExpr, SymExpr);
template <Binary function>
SymExpr binary_symbol(SymExprTable& exprs, Operands x) {
  SymExpr a = as_number(exprs, x[0]), b = as_number(exprs, x[1]);
  // The result of a float and an int is a float: 0 * -1.0 is -0.0.
  if (may_be_float(a) || may_be_float(b)) {
    a = as_float(exprs, a);
    b = as_float(exprs, b);
  }
  return (exprs.*function)(a, b);
}
SymExpr power_symbol(SymExprTable& exprs, Operands x) {
  // A negative power of an int is a float.
  const SymExpr exponent = as_number(exprs, x[1]).canonical();
  if (exponent.is_int() && exponent.int_value() < 0) {
    const SymExpr operands[] = {as_float(exprs, x[0]), as_float(exprs, exponent)};
    return exprs.call("FloatPow", operands);
  }
  return binary_symbol<&SymExprTable::pow>(exprs, x);
}
SymExpr negate_symbol(SymExprTable& exprs, Operands x) { return exprs.neg(as_number(exprs, x[0])); }
/// sym_max(True, 0) is True, and sym_max(2, nan) depends on the order.
template <Binary function>
SymExpr extreme_symbol(SymExprTable& exprs, Operands x) {
  for (const SymExpr& e : x) {
    const SymExpr value = e.canonical();
    if (value.value_kind() == SymValueKind::kBool ||
        (value.kind() == SymKind::kFloat && std::isnan(value.float_value())))
      return SymExpr();
  }
  return binary_symbol<function>(exprs, x);
}

SymExpr true_div(SymExprTable& exprs, Operands x) {
  const SymExpr operands[] = {as_number(exprs, x[0]), as_number(exprs, x[1])};
  return exprs.call(may_be_float(x[0]) || may_be_float(x[1]) ? "FloatTrueDiv" : "IntTrueDiv",
                    operands);
}
template <SymKind relation>
SymExpr compare_symbols(SymExprTable& exprs, Operands x) {
  return exprs.compare(relation, as_number(exprs, x[0]), as_number(exprs, x[1]));
}
SymExpr to_float_symbol(SymExprTable& exprs, Operands x) {
  const SymExpr operands[] = {as_number(exprs, x[0])};
  return exprs.call("ToFloat", operands);
}

/// A function from float to int, by its name in SymPy.
enum class Rounding : uint8_t { kTrunc, kFloor, kCeil };
template <Rounding rounding>
SymExpr round_symbol(SymExprTable& exprs, Operands x) {
  if (!may_be_float(x[0])) return as_number(exprs, x[0]);
  return exprs.call(rounding == Rounding::kTrunc   ? "TruncToInt"
                    : rounding == Rounding::kFloor ? "FloorToInt"
                                                   : "CeilToInt",
                    x);
}

template <Literal sympy>
SymExpr real_symbol(SymExprTable& exprs, Operands x) {
  const SymExpr operands[] = {as_float(exprs, x[0])};
  return exprs.call(sympy.view(), operands);
}

// ---------------------------------------------------------------- the table

using F = NumberFunction;
constexpr uint8_t kAny = F::kAny;

/// A function of one float: `cpp` is its C++ text, `sympy` its symbolic form. With kMaterializes,
/// it is the function that computes this form.
enum class RealUse : bool { kComputes, kMaterializes };
using enum RealUse;
template <double (*function)(double), Literal sympy>
constexpr NumberFunction real_function(std::string_view name, std::string_view cpp,
                                       RealUse use = kComputes) {
  return {name,
          1,
          1,
          F::kFloat,
          real<function>,
          real_symbol<sympy>,
          use == kMaterializes ? sympy.view() : std::string_view(),
          cpp};
}

constexpr NumberFunction::Symbolic kAddSymbols = binary_symbol<&SymExprTable::add>;
constexpr NumberFunction::Symbolic kSubSymbols = binary_symbol<&SymExprTable::sub>;
constexpr NumberFunction::Symbolic kMulSymbols = binary_symbol<&SymExprTable::mul>;

// Sorted by name, for binary search.
// clang-format off
constexpr NumberFunction kFunctions[] = {
    {"builtins.round", 1, 1, F::kInt, nearest, nullptr, "RoundToInt",
     "fxcpp::to_int(std::nearbyint({0}))"},
    real_function<std::acos, "OpaqueUnaryFn_acos">("math.acos", "std::acos({0})"),
    real_function<std::asin, "OpaqueUnaryFn_asin">("math.asin", "std::asin({0})"),
    real_function<std::asinh, "OpaqueUnaryFn_asinh">("math.asinh", "std::asinh({0})"),
    real_function<std::atan, "OpaqueUnaryFn_atan">("math.atan", "std::atan({0})"),
    {"math.ceil", 1, 1, F::kInt, rounded<std::ceil>, round_symbol<Rounding::kCeil>,
     "CeilToInt ceiling", "fxcpp::to_int(std::ceil({0}))"},
    real_function<std::cos, "OpaqueUnaryFn_cos">("math.cos", "std::cos({0})"),
    real_function<std::cosh, "OpaqueUnaryFn_cosh">("math.cosh", "std::cosh({0})"),
    real_function<std::exp, "OpaqueUnaryFn_exp">("math.exp", "std::exp({0})", kMaterializes),
    {"math.floor", 1, 1, F::kInt, rounded<std::floor>, round_symbol<Rounding::kFloor>,
     "FloorToInt floor", "fxcpp::to_int(std::floor({0}))"},
    real_function<std::log2, "OpaqueUnaryFn_log2">("math.log2", "std::log2({0})"),
    {"math.prod", 0, kAny, F::kSame, fold<'*', 1>},
    real_function<std::sin, "OpaqueUnaryFn_sin">("math.sin", "std::sin({0})"),
    real_function<std::sinh, "OpaqueUnaryFn_sinh">("math.sinh", "std::sinh({0})"),
    real_function<std::sqrt, "OpaqueUnaryFn_sqrt">("math.sqrt", "std::sqrt({0})"),
    real_function<std::tan, "OpaqueUnaryFn_tan">("math.tan", "std::tan({0})"),
    real_function<std::tanh, "OpaqueUnaryFn_tanh">("math.tanh", "std::tanh({0})"),
    {"math.trunc", 1, 1, F::kInt, rounded<std::trunc>, round_symbol<Rounding::kTrunc>,
     "TruncToInt", "fxcpp::to_int(std::trunc({0}))"},
    {"operator.abs", 1, 1, F::kSame, absolute, nullptr, "", "fxcpp::absolute({0})"},
    {"operator.add", 2, 2, F::kSame, binary<'+'>, kAddSymbols, "", "fxcpp::add({0}, {1})", true},
    {"operator.and_", 2, 2, F::kSame, bitwise<'&'>, nullptr, "BitwiseFn_bitwise_and",
     "{0} & {1}"},
    {"operator.eq", 2, 2, F::kBool, relation<false, true, false>, compare_symbols<SymKind::kEq>,
     "", "{0} == {1}", true},
    {"operator.floordiv", 2, 2, F::kSame, binary<'|'>,
     binary_symbol<&SymExprTable::floor_div>, "",
     "fxcpp::floor_divide({0}, {1})", true},
    {"operator.ge", 2, 2, F::kBool, relation<false, true, true>, compare_symbols<SymKind::kGe>,
     "", "{0} >= {1}", true},
    {"operator.gt", 2, 2, F::kBool, relation<false, false, true>, compare_symbols<SymKind::kGt>,
     "", "{0} > {1}", true},
    {"operator.invert", 1, 1, F::kInt, invert, nullptr, "", "fxcpp::invert({0})"},
    {"operator.le", 2, 2, F::kBool, relation<true, true, false>, compare_symbols<SymKind::kLe>,
     "", "{0} <= {1}", true},
    {"operator.lshift", 2, 2, F::kInt, shift<true>, nullptr, "LShift",
     "fxcpp::shift_left({0}, {1})"},
    {"operator.lt", 2, 2, F::kBool, relation<true, false, false>, compare_symbols<SymKind::kLt>,
     "", "{0} < {1}", true},
    {"operator.mod", 2, 2, F::kSame, binary<'%'>,
     binary_symbol<&SymExprTable::mod>, "",
     "fxcpp::modulo({0}, {1})", true},
    {"operator.mul", 2, 2, F::kSame, binary<'*'>, kMulSymbols, "", "fxcpp::multiply({0}, {1})", true},
    {"operator.ne", 2, 2, F::kBool, relation<true, false, true>, compare_symbols<SymKind::kNe>,
     "", "{0} != {1}", true},
    {"operator.neg", 1, 1, F::kSame, negate,
     negate_symbol, "", "fxcpp::negate({0})", true},
    {"operator.not_", 1, 1, F::kBool, is_false, nullptr, "", "!{0}"},
    {"operator.or_", 2, 2, F::kSame, bitwise<'|'>, nullptr, "BitwiseFn_bitwise_or", "{0} | {1}"},
    {"operator.pos", 1, 1, F::kSame, plus, nullptr, "", "+{0}"},
    {"operator.pow", 2, 2, F::kSame, binary<'^'>,
     power_symbol, "FloatPow PowByNatural",
     "fxcpp::power({0}, {1})", true},
    {"operator.rshift", 2, 2, F::kInt, shift<false>, nullptr, "RShift",
     "fxcpp::shift_right({0}, {1})"},
    {"operator.sub", 2, 2, F::kSame, binary<'-'>, kSubSymbols, "", "fxcpp::subtract({0}, {1})", true},
    {"operator.truediv", 2, 2, F::kFloat, binary<'/'>, true_div, "IntTrueDiv FloatTrueDiv",
     "fxcpp::divide({0}, {1})", true},
    {"operator.xor", 2, 2, F::kSame, bitwise<'^'>, nullptr, "BitwiseFn_bitwise_xor", "{0} ^ {1}"},
    {"round", 1, 1, F::kInt, nearest, nullptr, "", "fxcpp::to_int(std::nearbyint({0}))"},
    real_function<std::acos, "OpaqueUnaryFn_acos">("torch._sym_acos", "std::acos({0})", kMaterializes),
    real_function<std::asin, "OpaqueUnaryFn_asin">("torch._sym_asin", "std::asin({0})", kMaterializes),
    real_function<std::atan, "OpaqueUnaryFn_atan">("torch._sym_atan", "std::atan({0})", kMaterializes),
    real_function<std::cos, "OpaqueUnaryFn_cos">("torch._sym_cos", "std::cos({0})", kMaterializes),
    real_function<std::cosh, "OpaqueUnaryFn_cosh">("torch._sym_cosh", "std::cosh({0})", kMaterializes),
    real_function<std::exp, "OpaqueUnaryFn_exp">("torch._sym_exp", "std::exp({0})"),
    real_function<std::log, "OpaqueUnaryFn_log">("torch._sym_log", "std::log({0})"),
    real_function<std::log2, "OpaqueUnaryFn_log2">("torch._sym_log2", "std::log2({0})", kMaterializes),
    real_function<std::sin, "OpaqueUnaryFn_sin">("torch._sym_sin", "std::sin({0})", kMaterializes),
    real_function<std::sinh, "OpaqueUnaryFn_sinh">("torch._sym_sinh", "std::sinh({0})", kMaterializes),
    real_function<std::sqrt, "OpaqueUnaryFn_sqrt">("torch._sym_sqrt", "std::sqrt({0})", kMaterializes),
    real_function<std::tan, "OpaqueUnaryFn_tan">("torch._sym_tan", "std::tan({0})", kMaterializes),
    real_function<std::tanh, "OpaqueUnaryFn_tanh">("torch._sym_tanh", "std::tanh({0})", kMaterializes),
    {"torch.sym_float", 1, 1, F::kFloat, to_float, to_float_symbol, "ToFloat",
     "static_cast<double>({0})"},
    {"torch.sym_int", 1, 1, F::kInt, rounded<std::trunc>, round_symbol<Rounding::kTrunc>, "",
     "fxcpp::to_int(std::trunc({0}))"},
    {"torch.sym_ite", 3, 3, F::kSame, choose},
    {"torch.sym_max", 2, 2, F::kSame, extreme<true>,
     extreme_symbol<&SymExprTable::max>, "",
     "fxcpp::larger({0}, {1})"},
    {"torch.sym_min", 2, 2, F::kSame, extreme<false>,
     extreme_symbol<&SymExprTable::min>, "",
     "fxcpp::smaller({0}, {1})"},
    {"torch.sym_not", 1, 1, F::kBool, is_false,
     [](SymExprTable& e, Operands x) { return e.logical_not(x[0]); }, "", "!{0}"},
    real_function<std::sqrt, "OpaqueUnaryFn_sqrt">("torch.sym_sqrt", "std::sqrt({0})"),
    {"torch.sym_sum", 0, kAny, F::kSame, fold<'+', 0>},
};
// clang-format on
static_assert(std::is_sorted(std::begin(kFunctions), std::end(kFunctions),
                             [](const F& a, const F& b) { return a.name < b.name; }));

/// True if `word` is one of `words`, which are separated by spaces.
bool contains_word(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const size_t end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == word) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

}  // namespace

const NumberFunction* find_number_function(std::string_view name) {
  name = plain_number_function(name);
  const NumberFunction* row =
      std::lower_bound(std::begin(kFunctions), std::end(kFunctions), name,
                       [](const F& function, std::string_view n) { return function.name < n; });
  return row != std::end(kFunctions) && row->name == name ? row : nullptr;
}

std::string_view function_of_sympy(std::string_view call) {
  for (const NumberFunction& function : kFunctions)
    if (contains_word(function.sympy, call)) return function.name;
  return {};
}

absl::Span<const NumberFunction> number_functions() { return kFunctions; }

}  // namespace fx
