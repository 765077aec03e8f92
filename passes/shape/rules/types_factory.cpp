// Type functions for factories: zeros, arange, rand, zeros_like and similar operators.
#include "fx/passes/shape/rules/elementwise_internal.h"
#include "fx/passes/shape/type_rules_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace fx::shape {
namespace {

constexpr DType kDefaultFloat = DType::kFloat32;

Type on_device(TypeCall& c, Type type, Device device) {
  if (!type || type.device() == device) return type;
  TensorSpec spec = type.spec();
  spec.device = device;
  return c.types().tensor(spec);
}

/// Returns the type of a tensor. The arguments from `options` on are dtype, layout, device and
/// pin_memory.
Type make(TypeCall& c, absl::Span<const Dim> sizes, int options, DType dtype,
          StrideSpec strides = {}) {
  const Type type = c.result(c.dtype_or(options, dtype), sizes, strides);
  return on_device(c, type, c.device_or(options + 2, c.device()));
}

/// zeros(size, options), empty, ones, rand, randn
Type of_sizes(TypeCall& c) { return make(c, c.dims(0), 1, kDefaultFloat); }
/// full(size, value, options): the default dtype is the dtype of the value.
Type full(TypeCall& c) { return make(c, c.dims(0), 2, c.scalar_dtype(1)); }
Type scalar_tensor(TypeCall& c) { return make(c, {}, 1, kDefaultFloat); }
/// empty(size, options, memory_format)
Type empty(TypeCall& c) {
  const DimVector sizes = c.dims(0);
  const MemoryFormat format = c.memory_format(5).value_or(MemoryFormat::kContiguous);
  return make(c, sizes, 1, kDefaultFloat, strides_of(sizes, format));
}
Type empty_strided(TypeCall& c) {
  const DimVector sizes = c.dims(0), strides = c.dims(1);
  if (sizes.size() != strides.size()) return c.fail("size and stride must have the same length");
  return make(c, sizes, 2, kDefaultFloat, strides);
}
/// rand(size, generator, options)
Type rand_generator(TypeCall& c) { return make(c, c.dims(0), 2, kDefaultFloat); }
/// randint(high, size), randint(low, high, size), optionally with a generator after the size
template <int size, int options>
Type randint(TypeCall& c) {
  return make(c, c.dims(size), options, DType::kInt64);
}
template <int options>
Type randperm(TypeCall& c) {
  return make(c, {c.dim(0)}, options, DType::kInt64);
}

Type eye(TypeCall& c) {
  const Dim n = c.dim(0);
  return make(c, {n, n}, 1, kDefaultFloat);
}
Type eye_m(TypeCall& c) { return make(c, {c.dim(0), c.dim(1)}, 2, kDefaultFloat); }

// ---------------------------------------------------------------- ranges

DType range_dtype(TypeCall& c, int count) {
  for (int i = 0; i < count; ++i)
    if (!is_integer_or_bool(c.scalar_dtype(i))) return kDefaultFloat;
  return DType::kInt64;
}

/// Returns the number of elements of the range from start (inclusive) to end (exclusive) in steps
/// of step. `start`, `end` and `step` are argument numbers; -1 means a start of 0 or a step of 1.
/// If argument `options`, the dtype, is int64, the numbers are truncated after they are checked.
Dim range_length(TypeCall& c, int start, int end, int step, int options) {
  const auto integer = [&c](int i, int64_t if_absent) -> std::optional<Dim> {
    if (i < 0) return Dim(if_absent);
    const TypeArgument& value = c.argument(i);
    return value.is_none() ? Dim(0) : value.as_dim();
  };
  if (c.dtype_or(options, kDefaultFloat) == DType::kBool &&
      c.device_or(options + 2, c.device()).type == DeviceType::kCpu) {
    c.fail_argument(options, "a dtype of numbers");
    return 0;
  }
  const std::optional<Dim> a = integer(start, 0), b = integer(end, 0), s = integer(step, 1);
  if (a && b && s) {
    if (*s == Dim(0)) {
      c.fail("step must be nonzero");
      return 0;
    }
    const bool down = s->is_int() && s->value() < 0;
    const bool backward = a->is_int() && b->is_int() && s->is_int() &&
                          (down ? a->value() < b->value() : b->value() < a->value());
    const Dim length = down ? ceil_div(*a - *b, -*s) : ceil_div(*b - *a, *s);
    if (backward || !c.guard_less_equal(0, length)) {
      c.fail(
          fmt::format("upper bound and lower bound are inconsistent with the sign of step: from {} "
                      "to {} in steps of {}",
                      to_string(*a), to_string(*b), to_string(*s)));
      return 0;
    }
    return length;
  }
  double first = start < 0 ? 0 : c.number(start), last = c.number(end),
         step_value = step < 0 ? 1 : c.number(step);
  const bool is_consistent = (last - first) / step_value >= 0;
  if (c.dtype_or(options, kDefaultFloat) == DType::kInt64) {
    first = std::trunc(first);
    last = std::trunc(last);
    step_value = std::trunc(step_value);
  }
  if (c.failed()) return 0;
  const double length = std::ceil((last - first) / step_value);
  if (!(is_consistent && length >= 0 && length < 9e18)) {
    c.fail(
        fmt::format("upper bound and lower bound are inconsistent with the sign of step: from {} "
                    "to {} in steps of {}",
                    first, last, step_value));
    return 0;
  }
  return static_cast<int64_t>(length);
}

Type arange(TypeCall& c) { return make(c, {range_length(c, -1, 0, -1, 1)}, 1, range_dtype(c, 1)); }
Type arange_start(TypeCall& c) {
  return make(c, {range_length(c, 0, 1, -1, 2)}, 2, range_dtype(c, 2));
}
Type arange_step(TypeCall& c) {
  return make(c, {range_length(c, 0, 1, 2, 3)}, 3, range_dtype(c, 3));
}

/// range(start, end, options), range(start, end, step, options): includes the end; the default
/// dtype is float32.
template <int step>
Type range(TypeCall& c) {
  const double first = c.number(0), last = c.number(1), step_value = step < 0 ? 1 : c.number(step);
  if (c.failed()) return Type();
  const double length = std::floor((last - first) / step_value) + 1;
  if (!(length >= 1 && length < 9e18))
    return c.fail(
        fmt::format("upper bound and lower bound are inconsistent with the sign of step: from {} "
                    "to {} in steps of {}",
                    first, last, step_value));
  return make(c, {Dim(static_cast<int64_t>(length))}, step < 0 ? 2 : 3, kDefaultFloat);
}

/// linspace(start, end, steps, options): complex if start or end is complex.
Type linspace(TypeCall& c) {
  DType dtype = kDefaultFloat;
  if (is_complex(c.scalar_dtype(0)) || is_complex(c.scalar_dtype(1))) dtype = DType::kComplex64;
  return make(c, {c.dim(2)}, 3, dtype);
}
Type logspace(TypeCall& c) {
  DType dtype = kDefaultFloat;
  if (is_complex(c.scalar_dtype(0)) || is_complex(c.scalar_dtype(1))) dtype = DType::kComplex64;
  return make(c, {c.dim(2)}, 4, dtype);
}

/// Operators with one result dimension, whose size is argument 0.
template <int options>
Type window(TypeCall& c) {
  return make(c, {c.dim(0)}, options, kDefaultFloat);
}
/// fft_rfftfreq(n, d, options)
Type rfftfreq(TypeCall& c) { return make(c, {floor_div(c.dim(0), 2) + 1}, 2, kDefaultFloat); }

/// Returns the number of elements on or below the diagonal `offset` of a matrix; nullopt if it does
/// not fit in 64 bits. `offset` is at most the greatest integer minus `rows`.
std::optional<int64_t> count_lower(int64_t rows, int64_t columns, int64_t offset) {
  int64_t count = 0;
  for (int64_t row = 0; row < rows; ++row) {
    const int64_t part = std::clamp(row + offset + 1, int64_t{0}, columns);
    if (part > std::numeric_limits<int64_t>::max() - count) return std::nullopt;
    count += part;
  }
  return count;
}
Type triangle(TypeCall& c, bool lower) {
  const int64_t rows = c.integer(0), columns = c.integer(1);
  if (rows < 0 || columns < 0 || rows > int64_t{1} << 24)
    return c.fail("row and col must be non-negative, and row must be at most 2^24");
  // Diagonals outside of the matrix are alike.
  const int64_t offset =
      std::clamp(c.integer(2), -rows - 1, std::numeric_limits<int64_t>::max() - rows);
  const auto count = count_lower(rows, columns, lower ? offset : offset - 1);
  if (!count) return c.fail("the result has too many elements");
  const Dim below = *count;
  return make(c, {Dim(2), lower ? below : Dim(rows) * columns - below}, 3, DType::kInt64);
}
Type tril_indices(TypeCall& c) { return triangle(c, true); }
Type triu_indices(TypeCall& c) { return triangle(c, false); }

// ---------------------------------------------------------------- like a tensor

/// zeros_like(self, options, memory_format)
Type like_with_options(TypeCall& c, int options) {
  const Type x = c.tensor(0);
  const MemoryFormat format = c.memory_format(options + 4).value_or(MemoryFormat::kPreserve);
  const Type type = like(c, x, c.dtype_or(options, x.dtype()), format);
  return on_device(c, type, c.device_or(options + 2, x.device()));
}
Type of_like(TypeCall& c) { return like_with_options(c, 1); }
/// full_like(self, value, options), rand_like(self, generator, options)
Type full_like(TypeCall& c) { return like_with_options(c, 2); }
Type randint_like_low(TypeCall& c) { return like_with_options(c, 3); }
Type randint_like_low_generator(TypeCall& c) { return like_with_options(c, 4); }

/// new_zeros(self, size, options)
Type of_new(TypeCall& c) { return make(c, c.dims(1), 2, c.tensor(0).dtype()); }
Type new_full(TypeCall& c) { return make(c, c.dims(1), 3, c.tensor(0).dtype()); }
Type new_empty_strided(TypeCall& c) {
  const DimVector sizes = c.dims(1), strides = c.dims(2);
  if (sizes.size() != strides.size()) return c.fail("size and stride must have the same length");
  return make(c, sizes, 3, c.tensor(0).dtype(), strides);
}

/// normal(mean, std) with tensors: the result has the dtype of the first tensor.
Type normal_tensors(TypeCall& c) {
  const Type a = c.tensor(0), b = c.tensor(1);
  if (a.is_tensor() && b.is_tensor()) {
    DimVector sizes = to_vector(a.sizes());
    if (!broadcast(c, sizes, b.sizes())) return Type();
    return c.result(a.dtype(), sizes);
  }
  const Type tensor = a.is_tensor() ? a : b;
  return like(c, tensor, tensor.dtype(), MemoryFormat::kContiguous);
}
Type normal_sizes(TypeCall& c) { return make(c, c.dims(2), 4, kDefaultFloat); }

/// empty_permuted(size, physical_layout): the layout lists the dimensions from the outermost to the
/// innermost.
Type empty_permuted(TypeCall& c) {
  const DimVector sizes = c.dims(0);
  const auto layout = c.integers(1);
  dim_set(c, layout, static_cast<int>(sizes.size()), false);
  if (c.failed() || layout.size() != sizes.size())
    return c.fail("physical_layout must be a permutation of the dimensions");
  DimVector strides(sizes.size(), Dim(1));
  Dim next = 1;
  for (size_t i = layout.size(); i-- > 0;) {
    const size_t d = index(wrap_dim(c, layout[i], static_cast<int>(sizes.size())));
    strides[d] = next;
    next *= max(sizes[d], 1);
  }
  return make(c, sizes, 2, kDefaultFloat, strides);
}

Type multinomial(TypeCall& c) {
  DimVector sizes = to_vector(c.tensor(0).sizes());
  if (sizes.empty() || sizes.size() > 2) return c.fail("prob_dist must be 1- or 2-dim");
  sizes.back() = c.dim(1);
  return c.result(DType::kInt64, sizes);
}

constexpr TypeRule kFactoryRules[] = {
    {"aten.zeros.default", of_sizes},
    {"aten._efficientzerotensor.default", of_sizes},
    {"aten.ones.default", of_sizes},
    {"aten.empty.memory_format", empty},
    {"aten.empty_strided.default", empty_strided},
    {"aten.empty_permuted.default", empty_permuted},
    {"aten.full.default", full},
    {"aten.scalar_tensor.default", scalar_tensor},
    {"aten.eye.default", eye},
    {"aten.eye.m", eye_m},
    {"aten.hann_window.default", window<1>},
    {"aten.hann_window.periodic", window<2>},
    {"aten.hamming_window.default", window<1>},
    {"aten.hamming_window.periodic", window<2>},
    {"aten.hamming_window.periodic_alpha", window<3>},
    {"aten.hamming_window.periodic_alpha_beta", window<4>},
    {"aten.blackman_window.default", window<1>},
    {"aten.blackman_window.periodic", window<2>},
    {"aten.bartlett_window.default", window<1>},
    {"aten.bartlett_window.periodic", window<2>},
    {"aten.kaiser_window.default", window<1>},
    {"aten.kaiser_window.periodic", window<2>},
    {"aten.kaiser_window.beta", window<3>},
    {"aten.fft_fftfreq.default", window<2>},
    {"aten.fft_rfftfreq.default", rfftfreq},
    {"aten.arange.default", arange},
    {"aten.arange.start", arange_start},
    {"aten.arange.start_step", arange_step},
    {"aten.range.default", range<-1>},
    {"aten.range.step", range<2>},
    {"aten.linspace.default", linspace},
    {"aten.linspace.Tensor_Tensor", linspace},
    {"aten.linspace.Tensor_Scalar", linspace},
    {"aten.linspace.Scalar_Tensor", linspace},
    {"aten.logspace.Tensor_Tensor", logspace},
    {"aten.logspace.Tensor_Scalar", logspace},
    {"aten.logspace.Scalar_Tensor", logspace},
    {"aten.logspace.default", logspace},
    {"aten.tril_indices.default", tril_indices},
    {"aten.triu_indices.default", triu_indices},
    {"aten.rand.default", of_sizes},
    {"aten.rand.generator", rand_generator},
    {"aten.randn.default", of_sizes},
    {"aten.randn.generator", rand_generator},
    {"aten.randint.default", randint<1, 2>},
    {"aten.randint.low", randint<2, 3>},
    {"aten.randint.generator", randint<1, 3>},
    {"aten.randint.low_generator", randint<2, 4>},
    {"aten.randperm.default", randperm<1>},
    {"aten.randperm.generator", randperm<2>},
    {"aten.normal.Tensor_Tensor", normal_tensors},
    {"aten.normal.Tensor_float", normal_tensors},
    {"aten.normal.float_Tensor", normal_tensors},
    {"aten.normal.float_float", normal_sizes},
    {"aten.multinomial.default", multinomial},
    {"aten.zeros_like.default", of_like},
    {"aten.ones_like.default", of_like},
    {"aten.empty_like.default", of_like},
    {"aten.full_like.default", full_like},
    {"aten.rand_like.default", of_like},
    {"aten.randn_like.default", of_like},
    {"aten.rand_like.generator", full_like},
    {"aten.randn_like.generator", full_like},
    {"aten.randint_like.default", full_like},
    {"aten.randint_like.Tensor", full_like},
    {"aten.randint_like.generator", randint_like_low},
    {"aten.randint_like.Tensor_generator", randint_like_low},
    {"aten.randint_like.low_dtype", randint_like_low},
    {"aten.randint_like.low_generator_dtype", randint_like_low_generator},
    {"aten.new_zeros.default", of_new},
    {"aten.new_ones.default", of_new},
    {"aten.new_empty.default", of_new},
    {"aten.new_full.default", new_full},
    {"aten.new_empty_strided.default", new_empty_strided},
};

}  // namespace

absl::Span<const TypeRule> factory_rules() { return kFactoryRules; }

}  // namespace fx::shape
