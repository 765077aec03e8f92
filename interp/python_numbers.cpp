// See python_numbers.h.
#include "fx/interp/python_numbers.h"

#include "absl/status/status.h"
#include "fmt/format.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace fx {
namespace {

/// A number as Python computes with it; a bool is an int there.
struct Number {
  bool is_float = false;
  int64_t i = 0;
  double f = 0;
  double real() const { return is_float ? f : static_cast<double>(i); }
};

bool read_number(const Argument& argument, Number& number) {
  if (argument.is_bool()) return number.i = argument.as_bool(), true;
  if (argument.is_int()) return number.i = argument.as_int(), true;
  if (!argument.is_float()) return false;
  number.is_float = true;
  number.f = argument.as_float();
  return true;
}

absl::Status too_large() {
  return absl::InvalidArgumentError("the result does not fit into 64 bits");
}
absl::Status by_zero() { return absl::InvalidArgumentError("division by zero"); }

int64_t floor_div(int64_t a, int64_t b) {
  const int64_t q = a / b;
  return q - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

double floor_mod(double a, double b) {
  const double m = std::fmod(a, b);
  return m != 0 && (m < 0) != (b < 0) ? m + b : m;
}

/// A float that a function makes an integer of.
absl::StatusOr<Argument> to_int(double value) {
  constexpr double kLimit = 9223372036854775808.0;
  if (!(value >= -kLimit && value < kLimit)) return too_large();
  return Argument(static_cast<int64_t>(value));
}

absl::StatusOr<Argument> arithmetic(char op, const Number& a, const Number& b) {
  if (op == '/') {
    if (b.real() == 0) return by_zero();
    return Argument(a.real() / b.real());
  }
  if (a.is_float || b.is_float) {
    const double x = a.real(), y = b.real();
    switch (op) {
      case '+':
        return Argument(x + y);
      case '-':
        return Argument(x - y);
      case '*':
        return Argument(x * y);
      case '^':
        if (x == 0 && y < 0) return by_zero();
        return Argument(std::pow(x, y));
      default:
        if (y == 0) return by_zero();
        return Argument(op == '%' ? floor_mod(x, y) : std::floor(x / y));
    }
  }
  int64_t result = 0;
  switch (op) {
    case '+':
      if (__builtin_add_overflow(a.i, b.i, &result)) return too_large();
      return Argument(result);
    case '-':
      if (__builtin_sub_overflow(a.i, b.i, &result)) return too_large();
      return Argument(result);
    case '*':
      if (__builtin_mul_overflow(a.i, b.i, &result)) return too_large();
      return Argument(result);
    case '^': {
      if (b.i < 0) {
        if (a.i == 0) return by_zero();
        return Argument(std::pow(a.real(), b.real()));
      }
      // Squaring: at most 63 steps, whatever the exponent.
      int64_t base = a.i;
      result = 1;
      for (int64_t left = b.i; left != 0;) {
        if ((left & 1) && __builtin_mul_overflow(result, base, &result)) return too_large();
        left >>= 1;
        if (left != 0 && __builtin_mul_overflow(base, base, &base)) return too_large();
      }
      return Argument(result);
    }
    default:
      if (b.i == 0) return by_zero();
      if (a.i == std::numeric_limits<int64_t>::min() && b.i == -1) {
        if (op == '%') return Argument(0);
        return too_large();
      }
      result = floor_div(a.i, b.i);
      return Argument(op == '%' ? a.i - result * b.i : result);
  }
}

/// -1, 0, 1; 2 when a NaN is among them. Integers as such: doubles do not hold all of them.
int compare(const Number& a, const Number& b) {
  if (!a.is_float && !b.is_float) return a.i < b.i ? -1 : a.i > b.i;
  const double x = a.real(), y = b.real();
  if (std::isnan(x) || std::isnan(y)) return 2;
  return x < y ? -1 : x > y;
}

using Function = absl::StatusOr<Argument> (*)(absl::Span<const Number> n,
                                              absl::Span<const Argument> args);

struct Row {
  std::string_view name;
  size_t least, most;
  Function call;
};

template <char op>
absl::StatusOr<Argument> binary(absl::Span<const Number> n, absl::Span<const Argument>) {
  return arithmetic(op, n[0], n[1]);
}

template <bool less, bool equal, bool greater>
absl::StatusOr<Argument> relation(absl::Span<const Number> n, absl::Span<const Argument>) {
  const int order = compare(n[0], n[1]);
  if (order == 2) return Argument(less && greater);  // only != holds
  return Argument(order < 0 ? less : order > 0 ? greater : equal);
}

template <bool maximum>
absl::StatusOr<Argument> extreme(absl::Span<const Number> n, absl::Span<const Argument> args) {
  size_t best = 0;
  for (size_t i = 1; i < n.size(); ++i)
    if (compare(n[i], n[best]) == (maximum ? 1 : -1)) best = i;
  // torch.sym_max of an int and a float is a float.
  const bool any_float =
      std::any_of(n.begin(), n.end(), [](const Number& x) { return x.is_float; });
  return any_float ? Argument(n[best].real()) : args[best];
}

template <double (*function)(double)>
absl::StatusOr<Argument> rounded(absl::Span<const Number> n, absl::Span<const Argument>) {
  return n[0].is_float ? to_int(function(n[0].f)) : Argument(n[0].i);
}

template <double (*function)(double)>
absl::StatusOr<Argument> real(absl::Span<const Number> n, absl::Span<const Argument>) {
  return Argument(function(n[0].real()));
}

absl::StatusOr<Argument> square_root(absl::Span<const Number> n, absl::Span<const Argument>) {
  if (n[0].real() < 0) return absl::InvalidArgumentError("square root of a negative number");
  return Argument(std::sqrt(n[0].real()));
}

absl::StatusOr<Argument> negate(absl::Span<const Number> n, absl::Span<const Argument>) {
  if (n[0].is_float) return Argument(-n[0].f);
  return arithmetic('-', Number(), n[0]);
}

absl::StatusOr<Argument> absolute(absl::Span<const Number> n, absl::Span<const Argument> args) {
  if (n[0].is_float) return Argument(std::fabs(n[0].f));
  if (n[0].i < 0) return negate(n, args);
  return Argument(n[0].i);
}

absl::StatusOr<Argument> is_false(absl::Span<const Number> n, absl::Span<const Argument>) {
  return Argument(n[0].real() == 0);
}

absl::StatusOr<Argument> to_float(absl::Span<const Number> n, absl::Span<const Argument>) {
  return Argument(n[0].real());
}

template <char op>
absl::StatusOr<Argument> bitwise(absl::Span<const Number> n, absl::Span<const Argument> args) {
  if (n[0].is_float || n[1].is_float) return absl::InvalidArgumentError("bits of a float");
  const int64_t result = op == '&'   ? n[0].i & n[1].i
                         : op == '|' ? n[0].i | n[1].i
                                     : n[0].i ^ n[1].i;
  if (args[0].is_bool() && args[1].is_bool()) return Argument(result != 0);
  return Argument(result);
}

template <char op, int start>
absl::StatusOr<Argument> fold(absl::Span<const Number> n, absl::Span<const Argument>) {
  Argument total(start);
  Number so_far{.i = start};
  for (const Number& x : n) {
    absl::StatusOr<Argument> next = arithmetic(op, so_far, x);
    if (!next.ok()) return next;
    total = *std::move(next);
    so_far = Number();
    read_number(total, so_far);
  }
  return total;
}

absl::StatusOr<Argument> choose(absl::Span<const Number> n, absl::Span<const Argument> args) {
  return args[n[0].real() != 0 ? 1 : 2];
}

constexpr size_t kAny = SIZE_MAX;

// By name, for binary search.
constexpr Row kFunctions[] = {
    {"math.ceil", 1, 1, rounded<std::ceil>},
    {"math.floor", 1, 1, rounded<std::floor>},
    {"math.prod", 0, kAny, fold<'*', 1>},
    {"math.sqrt", 1, 1, square_root},
    {"math.trunc", 1, 1, rounded<std::trunc>},
    {"operator.abs", 1, 1, absolute},
    {"operator.add", 2, 2, binary<'+'>},
    {"operator.and_", 2, 2, bitwise<'&'>},
    {"operator.eq", 2, 2, relation<false, true, false>},
    {"operator.floordiv", 2, 2, binary<'|'>},
    {"operator.ge", 2, 2, relation<false, true, true>},
    {"operator.gt", 2, 2, relation<false, false, true>},
    {"operator.le", 2, 2, relation<true, true, false>},
    {"operator.lt", 2, 2, relation<true, false, false>},
    {"operator.mod", 2, 2, binary<'%'>},
    {"operator.mul", 2, 2, binary<'*'>},
    {"operator.ne", 2, 2, relation<true, false, true>},
    {"operator.neg", 1, 1, negate},
    {"operator.not_", 1, 1, is_false},
    {"operator.or_", 2, 2, bitwise<'|'>},
    {"operator.pow", 2, 2, binary<'^'>},
    {"operator.sub", 2, 2, binary<'-'>},
    {"operator.truediv", 2, 2, binary<'/'>},
    {"operator.xor", 2, 2, bitwise<'^'>},
    {"torch._sym_cos", 1, 1, real<std::cos>},
    {"torch._sym_exp", 1, 1, real<std::exp>},
    {"torch._sym_log", 1, 1, real<std::log>},
    {"torch._sym_sin", 1, 1, real<std::sin>},
    {"torch._sym_sqrt", 1, 1, square_root},
    {"torch.sym_float", 1, 1, to_float},
    {"torch.sym_int", 1, 1, rounded<std::trunc>},
    {"torch.sym_ite", 3, 3, choose},
    {"torch.sym_max", 2, 2, extreme<true>},
    {"torch.sym_min", 2, 2, extreme<false>},
    {"torch.sym_not", 1, 1, is_false},
    {"torch.sym_sum", 0, kAny, fold<'+', 0>},
};
static_assert(std::is_sorted(std::begin(kFunctions), std::end(kFunctions),
                             [](const Row& a, const Row& b) { return a.name < b.name; }));

const Row* find(std::string_view name) {
  const Row* row = std::lower_bound(std::begin(kFunctions), std::end(kFunctions), name,
                                    [](const Row& r, std::string_view n) { return r.name < n; });
  return row != std::end(kFunctions) && row->name == name ? row : nullptr;
}

}  // namespace

bool is_python_number_function(std::string_view function) { return find(function) != nullptr; }

absl::StatusOr<Argument> call_python_number(std::string_view function,
                                            absl::Span<const Argument> args) {
  const Row* row = find(function);
  if (!row) return absl::NotFoundError(fmt::format("there is no function {} of numbers", function));
  // torch.sym_sum and math.prod take a list.
  std::vector<Argument> items;
  if (row->most == kAny && args.size() == 1 && (args[0].is_list() || args[0].is_tuple())) {
    for (size_t i = 0; i < args[0].size(); ++i) items.push_back(args[0][i]);
    args = items;
  }
  if (args.size() < row->least || args.size() > row->most) {
    return absl::InvalidArgumentError(
        fmt::format("{} takes {} arguments, not {}", function, row->least, args.size()));
  }
  std::vector<Number> numbers(args.size());
  for (size_t i = 0; i < args.size(); ++i) {
    if (!read_number(args[i], numbers[i])) {
      return absl::InvalidArgumentError(fmt::format("{} of a {}, which is no number", function,
                                                    argument_kind_name(args[i].kind())));
    }
  }
  return row->call(numbers, args);
}

}  // namespace fx
