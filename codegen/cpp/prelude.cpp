#include "fx/codegen/cpp/prelude_internal.h"

namespace fx::cpp {

const std::string_view kNumbersPrelude = R"text(
#ifndef FXCPP_NUMBERS
#define FXCPP_NUMBERS
  namespace fxcpp {  // Python's arithmetic: // and % round down, / returns a float, overflow is an
                     // error
  template <class A, class B>
  constexpr bool kInts = std::is_integral_v<A> && std::is_integral_v<B>;

  template <class A, class B>
  using Number = std::conditional_t<kInts<A, B>, int64_t, double>;

  template <class A, class B>
  Number<A, B> add(A a, B b) {
    Number<A, B> result = static_cast<Number<A, B>>(a);
    if constexpr (kInts<A, B>) {
      TORCH_CHECK(!__builtin_add_overflow(result, static_cast<int64_t>(b), &result),
                  "a number does not fit in 64 bits");
      return result;
    } else {
      return result + static_cast<double>(b);
    }
  }
  template <class A, class B>
  Number<A, B> subtract(A a, B b) {
    Number<A, B> result = static_cast<Number<A, B>>(a);
    if constexpr (kInts<A, B>) {
      TORCH_CHECK(!__builtin_sub_overflow(result, static_cast<int64_t>(b), &result),
                  "a number does not fit in 64 bits");
      return result;
    } else {
      return result - static_cast<double>(b);
    }
  }
  template <class A, class B>
  Number<A, B> multiply(A a, B b) {
    Number<A, B> result = static_cast<Number<A, B>>(a);
    if constexpr (kInts<A, B>) {
      TORCH_CHECK(!__builtin_mul_overflow(result, static_cast<int64_t>(b), &result),
                  "a number does not fit in 64 bits");
      return result;
    } else {
      return result * static_cast<double>(b);
    }
  }
  template <class A>
  Number<A, A> negate(A a) {
    if constexpr (kInts<A, A>) return subtract(int64_t{0}, a);
    else return -a;
  }
  template <class A>
  Number<A, A> absolute(A a) {
    if constexpr (kInts<A, A>) return a < A{0} ? negate(a) : static_cast<int64_t>(a);
    else return std::fabs(a);
  }
  template <class A>
  int64_t invert(A a) {
    static_assert(std::is_integral_v<A>, "~ requires an integer");
    return ~static_cast<int64_t>(a);
  }
  template <class A, class B>
  int64_t shift_left(A a, B b) {
    static_assert(kInts<A, B>, "a shift requires integers");
    const auto value = static_cast<int64_t>(a), count = static_cast<int64_t>(b);
    TORCH_CHECK(count >= 0, "a shift count must not be negative");
    if (value == 0 || count == 0) return value;
    int64_t result = 0;
    TORCH_CHECK(count <= 63 &&
                    !__builtin_mul_overflow(value, int64_t{1} << (count - 1), &result) &&
                    !__builtin_mul_overflow(result, int64_t{2}, &result),
                "a number does not fit in 64 bits");
    return result;
  }
  template <class A, class B>
  int64_t shift_right(A a, B b) {
    static_assert(kInts<A, B>, "a shift requires integers");
    const auto count = static_cast<int64_t>(b);
    TORCH_CHECK(count >= 0, "a shift count must not be negative");
    return static_cast<int64_t>(a) >> (count < 63 ? count : 63);
  }
  template <class A, class B>
  std::partial_ordering order(A a, B b) {  // exact: doubles cannot represent all integers
    if constexpr (kInts<A, B>) {
      return static_cast<int64_t>(a) <=> static_cast<int64_t>(b);
    } else if constexpr (std::is_integral_v<B>) {
      return 0 <=> order(b, a);
    } else if constexpr (std::is_integral_v<A>) {
      if (!(b >= -0x1p63 && b < 0x1p63)) return 0.0 <=> b;
      const auto whole = static_cast<int64_t>(b);
      if (static_cast<int64_t>(a) != whole) return static_cast<int64_t>(a) <=> whole;
      return static_cast<double>(whole) <=> b;
    } else {
      return a <=> b;
    }
  }
  template <class A, class B>
  double divide(A a, B b) {
    TORCH_CHECK(b != 0, "division by zero");
    if constexpr (kInts<A, B>) {
      const int64_t x = a, y = b, exact = int64_t{1} << 53;
      if (x > exact || x < -exact || y > exact || y < -exact) {  // round the exact quotient once
        if (x == 0) return y < 0 ? -0.0 : 0.0;
        __extension__ using Wide = unsigned __int128;
        const auto magnitude = [](int64_t v) {
          return v < 0 ? 0 - static_cast<uint64_t>(v) : static_cast<uint64_t>(v);
        };
        Wide dividend = magnitude(x);
        int shift = 0;
        for (; (dividend >> 127) == 0; ++shift) dividend <<= 1;
        Wide quotient = dividend / magnitude(y);
        if (dividend % magnitude(y) != 0) quotient |= 1;
        const double result = std::ldexp(static_cast<double>(quotient), -shift);
        return (x < 0) != (y < 0) ? -result : result;
      }
    }
    return static_cast<double>(a) / static_cast<double>(b);
  }
  template <class A, class B>
  std::conditional_t<kInts<A, B>, int64_t, double> floor_divide(A a, B b) {
    TORCH_CHECK(b != 0, "division by zero");
    if constexpr (kInts<A, B>) {
      TORCH_CHECK(b != -1 || a != std::numeric_limits<int64_t>::min(),
                  "a number does not fit in 64 bits");
      const int64_t quotient = a / b;
      return (a % b != 0 && (a < 0) != (b < 0)) ? quotient - 1 : quotient;
    } else {  // 1.0 // 0.1 is 9.0, although the quotient rounds to 10
      const auto x = static_cast<double>(a), y = static_cast<double>(b);
      const double rest = std::fmod(x, y);
      const double quotient = (x - rest) / y - (rest != 0 && (rest < 0) != (y < 0) ? 1 : 0);
      if (quotient == 0) return std::copysign(0.0, x / y);
      return std::floor(quotient) + (quotient - std::floor(quotient) > 0.5 ? 1 : 0);
    }
  }
  template <class A, class B>
  std::conditional_t<kInts<A, B>, int64_t, double> modulo(A a, B b) {
    TORCH_CHECK(b != 0, "modulo by zero");
    if constexpr (kInts<A, B>) {
      if (b == -1) return 0;  // the smallest integer % -1 overflows in C++
      const int64_t rest = a % b;
      return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
    } else {
      const double rest = std::fmod(static_cast<double>(a), static_cast<double>(b));
      if (rest == 0) return std::copysign(0.0, static_cast<double>(b));
      return (rest < 0) != (b < 0) ? rest + static_cast<double>(b) : rest;
    }
  }
  template <class A, class B>
  std::conditional_t<kInts<A, B>, int64_t, double> power(A a, B b) {
    if constexpr (kInts<A, B>) {
      TORCH_CHECK(b >= 0, "a negative power of an integer is not an integer");
      int64_t result = 1, base = a;
      for (int64_t rest = b; rest != 0; rest >>= 1) {
        TORCH_CHECK((rest & 1) == 0 || !__builtin_mul_overflow(result, base, &result),
                    "a number does not fit in 64 bits");
        TORCH_CHECK(rest == 1 || !__builtin_mul_overflow(base, base, &base),
                    "a number does not fit in 64 bits");
      }
      return result;
    } else {
      const auto x = static_cast<double>(a), y = static_cast<double>(b);
      const bool is_finite = std::isfinite(x) && std::isfinite(y);
      TORCH_CHECK(!is_finite || x != 0 || y >= 0, "division by zero");
      TORCH_CHECK(!is_finite || x >= 0 || y == std::floor(y), "the power is a complex number");
      const double result = std::pow(x, y);
      TORCH_CHECK(!is_finite || std::isfinite(result), "a number does not fit in a double");
      return result;
    }
  }
  template <class A, class B>
  std::conditional_t<kInts<A, B>, int64_t, double> larger(A a, B b) {
    return order(b, a) > 0 ? b : a;
  }
  template <class A, class B>
  std::conditional_t<kInts<A, B>, int64_t, double> smaller(A a, B b) {
    return order(b, a) < 0 ? b : a;
  }
  template <class A>
  double real(A operand, double result) {  // the result of a function of one float
    const auto x = static_cast<double>(operand);
    TORCH_CHECK(std::isnan(result) ? std::isnan(x) : std::isfinite(result) || !std::isfinite(x),
                "the function has no finite value at ", x);
    return result;
  }
  inline int64_t to_int(double value) {
    TORCH_CHECK(value >= -0x1p63 && value < 0x1p63, "a number does not fit in 64 bits");
    return static_cast<int64_t>(value);
  }
  }  // namespace fxcpp
#endif
)text";

const std::string_view kCallPrelude = R"text(
#ifndef FXCPP_CALL
#define FXCPP_CALL
  namespace fxcpp {  // operators that have no C++ function
  inline std::vector<c10::IValue> call_operator(const char* name, const char* overload,
                                                std::vector<c10::IValue> stack) {
    c10::Dispatcher::singleton().findSchemaOrThrow(name, overload).callBoxed(stack);
    return stack;
  }
  inline std::vector<at::Tensor> tensors_of(const std::vector<c10::IValue>& values) {
    std::vector<at::Tensor> tensors;
    for (const c10::IValue& value : values)
      tensors.push_back(value.isNone() ? at::Tensor() : value.toTensor());
    return tensors;
  }
  }  // namespace fxcpp
#endif
)text";

const std::string_view kScanPrelude = R"text(
#ifndef FXCPP_SCAN
#define FXCPP_SCAN
  namespace fxcpp {  // torch's scan: `body` receives the carried values and a slice of each sequence
  template <class Body>
  std::vector<at::Tensor> scan(std::vector<at::Tensor> carried,
                               const std::vector<at::Tensor>& sequences, Body body) {
    const size_t count = carried.size();
    std::vector<std::vector<at::Tensor>> outputs;
    for (int64_t step = 0; step < sequences.at(0).size(0); ++step) {
      std::vector<at::Tensor> values = carried;
      for (const at::Tensor& xs : sequences) values.push_back(at::select(xs, 0, step));
      const std::vector<at::Tensor> results = body(values);
      TORCH_CHECK(results.size() >= count, "the body of a scan returns fewer values than it carries");
      outputs.resize(results.size() - count);
      for (size_t k = 0; k < outputs.size(); ++k) outputs[k].push_back(results[count + k]);
      carried.assign(results.begin(), results.begin() + static_cast<std::ptrdiff_t>(count));
    }
    for (const std::vector<at::Tensor>& ys : outputs) carried.push_back(at::stack(ys));
    return carried;
  }
  }  // namespace fxcpp
#endif
)text";

const std::string_view kStackedLoopPrelude = R"text(
#ifndef FXCPP_STACKED_LOOP
#define FXCPP_STACKED_LOOP
  namespace fxcpp {  // torch's while_loop_stack_output: the values of all iterations
  template <class Test, class Body>
  std::vector<at::Tensor> stacked_loop(std::vector<at::Tensor> carried, Test test, Body body) {
    std::vector<std::vector<at::Tensor>> rows(carried.size());
    while (test(carried)) {
      carried = body(carried);
      TORCH_CHECK(carried.size() == rows.size(),
                  "the body of a loop must return as many values as it carries");
      for (size_t k = 0; k < rows.size(); ++k) rows[k].push_back(carried[k]);
    }
    for (size_t k = 0; k < rows.size(); ++k)  // no iterations: the inputs as one row
      carried[k] = rows[k].empty() ? carried[k].clone().unsqueeze(0) : at::stack(rows[k]);
    return carried;
  }
  }  // namespace fxcpp
#endif
)text";

const std::string_view kAutocastPrelude = R"text(
#ifndef FXCPP_AUTOCAST
#define FXCPP_AUTOCAST
  namespace fxcpp {  // torch.autocast, for a scope
  class Autocast {
   public:
    Autocast(at::DeviceType device, std::optional<at::ScalarType> dtype, bool enabled,
             std::optional<bool> cache)
        : device_(device),
          dtype_(at::autocast::get_autocast_dtype(device)),
          enabled_(at::autocast::is_autocast_enabled(device)),
          cache_(at::autocast::is_autocast_cache_enabled()) {
      at::autocast::set_autocast_enabled(device, enabled);
      if (dtype) at::autocast::set_autocast_dtype(device, *dtype);
      if (cache) at::autocast::set_autocast_cache_enabled(*cache);
      at::autocast::increment_nesting();
    }
    ~Autocast() {
      if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
      at::autocast::set_autocast_cache_enabled(cache_);
      at::autocast::set_autocast_dtype(device_, dtype_);
      at::autocast::set_autocast_enabled(device_, enabled_);
    }
    Autocast(const Autocast&) = delete;
    Autocast& operator=(const Autocast&) = delete;

   private:
    const at::DeviceType device_;
    const at::ScalarType dtype_;
    const bool enabled_, cache_;
  };
  }  // namespace fxcpp
#endif
)text";

}  // namespace fx::cpp
