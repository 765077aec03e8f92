// Type functions for Fourier transforms.
#include "fx/passes/shape/rules/elementwise_internal.h"
#include "fx/passes/shape/rules/view_math_internal.h"
#include "fx/passes/shape/type_rules_internal.h"

#include "fmt/format.h"

#include <algorithm>

namespace fx::shape {
namespace {

using Dims = absl::InlinedVector<int64_t, 6>;

bool strides_descend(const Dim& a, const Dim& b) {
  return a.is_int() && b.is_int() && a.value() > b.value();
}

/// Returns dimensions counted from the front, sorted by descending stride. With `keep_last`, the
/// last dimension keeps its position.
Dims sorted(TypeCall& c, Type x, const Dims& dims, bool keep_last) {
  Dims order;
  for (int64_t d : dims) order.push_back(wrap_dim(c, d, x.rank()));
  if (c.failed()) return order;
  std::stable_sort(order.begin(), order.end() - (keep_last && !order.empty()),
                   [&](int64_t a, int64_t b) {
                     return strides_descend(x.strides()[static_cast<size_t>(a)],
                                            x.strides()[static_cast<size_t>(b)]);
                   });
  return order;
}

/// Returns the type of a tensor in the layout of _exec_fft (ATen/native/mkl/SpectralOps.cpp): a
/// dense batch of signals. The outer dimensions are those not in `dims`, sorted by their strides;
/// `dims` follow.
Type in_fft_layout(TypeCall& c, Type x, DType dtype, const DimVector& sizes, const Dims& dims) {
  if (c.failed()) return Type();
  Dims order;
  for (int64_t d = 0; d < x.rank(); ++d) order.push_back(d);
  // The unstable partition determines the order of dimensions with equal strides.
  order.erase(std::partition(order.begin(), order.end(),
                             [&](int64_t d) { return std::ranges::find(dims, d) == dims.end(); }),
              order.end());
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return strides_descend(x.strides()[static_cast<size_t>(a)],
                           x.strides()[static_cast<size_t>(b)]);
  });
  order.insert(order.end(), dims.begin(), dims.end());
  DimVector strides(sizes.size(), Dim(1));
  Dim next = 1;
  for (size_t i = order.size(); i-- > 0;) {
    strides[static_cast<size_t>(order[i])] = next;
    next *= max(sizes[static_cast<size_t>(order[i])], 1);
  }
  return c.result(dtype, sizes, strides);
}

Type c2c_of(TypeCall& c, Type x, const Dims& dims) {
  if (!x) return Type();
  if (x.rank() == 0 && dims.empty()) return like(c, x, complex_of(x.dtype()));
  if (x.rank() == 0) return c.fail("the input must have at least one dimension");
  dim_set(c, dims, x.rank(), false);
  if (c.failed()) return Type();
  if (dims.empty()) return like(c, x, x.dtype());
  return in_fft_layout(c, x, complex_of(x.dtype()), to_vector(x.sizes()),
                       sorted(c, x, dims, false));
}

Type r2c_of(TypeCall& c, Type x, const Dims& dims, bool onesided) {
  if (!x) return Type();
  if (x.rank() == 0) return c.fail("the input must have at least one dimension");
  dim_set(c, dims, x.rank(), false);
  if (c.failed() || dims.empty()) return c.fail("must transform at least one axis");
  DimVector sizes = to_vector(x.sizes());
  const Dims order = sorted(c, x, dims, true);
  Dim& last = sizes[static_cast<size_t>(order.back())];
  if (onesided) last = floor_div(last, 2) + 1;
  return in_fft_layout(c, x, complex_of(x.dtype()), sizes, order);
}

/// Returns the type of a transform to real numbers. First, all dimensions except the last are
/// transformed as complex numbers.
Type c2r_of(TypeCall& c, Type x, Dims dims, const Dim& last_size) {
  if (!x) return Type();
  if (x.rank() == 0) return c.fail("the input must have at least one dimension");
  if (dims.empty()) return c.fail("must transform at least one axis");
  const Dims last = {wrap_dim(c, dims.back(), x.rank())};
  if (c.failed()) return Type();
  dims.pop_back();  // `dims` may contain it twice, since it is transformed after the others
  if (!dims.empty()) x = c2c_of(c, x, dims);
  if (!x) return Type();
  DimVector sizes = to_vector(x.sizes());
  sizes[static_cast<size_t>(last[0])] = last_size;
  return in_fft_layout(c, x, real_of(x.dtype()), sizes, last);
}

/// _fft_c2c(self, dim, normalization, forward)
Type c2c(TypeCall& c) { return c2c_of(c, c.tensor(0), c.integers(1)); }
/// _fft_r2c(self, dim, normalization, onesided)
Type r2c(TypeCall& c) { return r2c_of(c, c.tensor(0), c.integers(1), c.boolean(3)); }
/// _fft_c2r(self, dim, normalization, last_dim_size)
Type c2r(TypeCall& c) { return c2r_of(c, c.tensor(0), c.integers(1), c.dim(3)); }

/// Returns the type of `x` after slicing or zero-padding a dimension to `size`.
Type resized(TypeCall& c, Type x, int dim, const Dim& size) {
  if (!x) return Type();
  DimVector sizes = to_vector(x.sizes());
  Dim& dim_size = sizes[static_cast<size_t>(dim)];
  if (same_value(dim_size, size)) return x;
  if (!c.guard_less_equal(1, size))
    return c.fail("the number of data points of a transform must be at least 1");
  const bool is_slice = c.guard_less_equal(size, dim_size);
  dim_size = size;
  if (is_slice) return view_of(c, x, sizes, to_vector(x.strides()), x.offset());
  return c.result(x.dtype(), sizes);
}

Type as_dtype(TypeCall& c, Type x, DType dtype) {
  return x && x.dtype() != dtype ? like(c, x, dtype) : x;
}

/// The input of fft_rfft(self, n, dim) and similar operators, and the dimension to transform.
struct Signal {
  Type x;
  Dims dims;
};
Signal signal(TypeCall& c) {
  const Type x = c.tensor(0);
  const int dim = wrap_dim(c, c.integer(2), x.rank());
  if (dim < 0 || x.rank() == 0) {
    c.fail("the input must have at least one dimension");
    return {};
  }
  return {x, {dim}};
}

Type rfft(TypeCall& c) {
  const Signal s = signal(c);
  if (!s.x) return Type();
  const int dim = static_cast<int>(s.dims[0]);
  const Type x = resized(c, as_dtype(c, s.x, float_of(s.x.dtype())), dim,
                         c.dim_or(1, s.x.sizes()[index(dim)]));
  return r2c_of(c, x, s.dims, true);
}
Type irfft(TypeCall& c) {
  const Signal s = signal(c);
  if (!s.x) return Type();
  const int dim = static_cast<int>(s.dims[0]);
  const Dim size = c.dim_or(1, 2 * (s.x.sizes()[index(dim)] - 1));
  const Type x = resized(c, as_dtype(c, s.x, complex_of(s.x.dtype())), dim, floor_div(size, 2) + 1);
  return c2r_of(c, x, s.dims, size);
}
/// fft_fft, fft_ifft: real inputs use the kernel for real numbers.
Type fft(TypeCall& c) {
  const Signal s = signal(c);
  if (!s.x) return Type();
  const int dim = static_cast<int>(s.dims[0]);
  const Type x = resized(c, as_dtype(c, s.x, float_of(s.x.dtype())), dim,
                         c.dim_or(1, s.x.sizes()[index(dim)]));
  if (!x) return Type();
  return is_complex(x.dtype()) ? c2c_of(c, x, s.dims) : r2c_of(c, x, s.dims, false);
}
/// fft_fft2(self, s, dim), fft_fftn: transforms complex numbers; real inputs are converted.
Type fftn(TypeCall& c) {
  Type x = c.tensor(0);
  const DimVector output_sizes = c.dims(1);
  Dims dims = c.integers(2);
  const auto count =
      static_cast<int64_t>(output_sizes.empty() ? x.sizes().size() : output_sizes.size());
  if (dims.empty())
    for (int64_t i = 0; i < count; ++i) dims.push_back(i - count);
  dim_set(c, dims, x.rank(), false);
  if (x.rank() == 0) return c.fail("the input must have at least one dimension");
  if (c.failed()) return Type();
  if (!output_sizes.empty() && output_sizes.size() != dims.size())
    return c.fail("s must have one size for each dimension to transform");
  for (size_t i = 0; x && i < output_sizes.size(); ++i)
    if (output_sizes[i] != Dim(-1))
      x = resized(c, x, wrap_dim(c, dims[i], x.rank()), output_sizes[i]);
  if (!x) return Type();
  return c2c_of(c, as_dtype(c, x, x ? complex_of(x.dtype()) : DType::kComplex64), dims);
}

/// The dimensions of fft_rfftn(self, s, dim) and similar operators, and `self` after slicing
/// or padding to the sizes `s`. `last_size` is the size of a real result in the last dimension;
/// in that dimension, the input has last_size // 2 + 1 elements.
struct Signals {
  Type x;
  Dims dims;
  Dim last_size = 0;
};
Signals signals(TypeCall& c, DType dtype, bool real_result) {
  Signals s{as_dtype(c, c.tensor(0), dtype), c.integers(2)};
  const DimVector output_sizes = c.dims(1);
  const int rank = c.tensor(0).rank();
  const auto count = static_cast<int64_t>(output_sizes.empty() ? index(rank) : output_sizes.size());
  if (s.dims.empty())
    for (int64_t i = 0; i < count; ++i) s.dims.push_back(i - count);
  dim_set(c, s.dims, rank, false);
  if (rank == 0 || s.dims.empty()) c.fail("must transform at least one axis");
  if (!output_sizes.empty() && output_sizes.size() != s.dims.size())
    c.fail("s must have one size for each dimension to transform");
  if (c.failed()) return {};
  for (int64_t& dim : s.dims) dim = wrap_dim(c, dim, rank);
  const Dim last = c.tensor(0).sizes()[static_cast<size_t>(s.dims.back())];
  s.last_size =
      output_sizes.empty() || output_sizes.back() == Dim(-1) ? 2 * (last - 1) : output_sizes.back();
  for (size_t i = 0; i < s.dims.size(); ++i) {
    Dim size = output_sizes.empty() || output_sizes[i] == Dim(-1)
                   ? c.tensor(0).sizes()[static_cast<size_t>(s.dims[i])]
                   : output_sizes[i];
    if (real_result && i + 1 == s.dims.size()) size = floor_div(s.last_size, 2) + 1;
    s.x = resized(c, s.x, static_cast<int>(s.dims[i]), size);
  }
  return s;
}
Type rfftn(TypeCall& c) {
  const Signals s = signals(c, float_of(c.tensor(0).dtype()), false);
  return r2c_of(c, s.x, s.dims, true);
}
/// irfftn, hfftn
Type irfftn(TypeCall& c) {
  const Signals s = signals(c, complex_of(c.tensor(0).dtype()), true);
  return c2r_of(c, s.x, s.dims, s.last_size);
}
/// fft_ihfftn, fft_ihfft2: transforms the last dimension as real numbers, then the others as
/// complex numbers.
Type ihfftn(TypeCall& c) {
  Signals s = signals(c, float_of(c.tensor(0).dtype()), false);
  if (!s.x) return Type();
  const Type half = r2c_of(c, s.x, {s.dims.back()}, true);
  s.dims.pop_back();
  return s.dims.empty() ? half : c2c_of(c, half, s.dims);
}

/// stft(self, n_fft, hop_length, win_length, window, ...): transforms overlapping views of the
/// signal multiplied by the window. The result has one row for each frequency and one column for
/// each frame. Later arguments differ between the overloads.
Type stft(TypeCall& c, bool center, int onesided, int return_complex) {
  Type x = c.tensor(0);
  const Type window = c.optional_tensor(4);
  if (x.rank() < 1 || x.rank() > 2)
    return c.fail(fmt::format("expected a 1-D or 2-D tensor, not {}", to_string(x)));
  const bool batched = x.rank() == 2;
  if (!batched) x = unsqueeze(c, x, 0);
  const Dim size = c.dim(1), hop = c.dim_or(2, floor_div(size, 4));
  if (!x || c.failed()) return Type();
  if (!c.guard_less_equal(1, size) || !c.guard_less_equal(1, hop))
    return c.fail("n_fft and hop_length must be at least 1");
  if (center) x = c.result(x.dtype(), {x.sizes()[0], x.sizes()[1] + 2 * floor_div(size, 2)});
  if (!x || !c.guard_less_equal(size, x.sizes()[1]))
    return c.fail(
        "n_fft must be at most the length of the signal: the signal is shorter than a frame");
  const Dim frames = floor_div(x.sizes()[1] - size, hop) + 1;
  x = view_of(c, x, {x.sizes()[0], frames, size},
              {x.strides()[0], hop * x.strides()[1], x.strides()[1]}, x.offset());
  if (x && window) {
    Promotion promotion;
    promotion.add_tensor(x);
    promotion.add_tensor(window);
    x = promoted_elementwise(c, promotion.result(), {{x, c.result(window.dtype(), {size})}});
  }
  if (!x) return Type();
  const bool complex_input = is_complex(x.dtype());
  const bool half = c.boolean_or(onesided, !complex_input);
  if (complex_input && half)
    return c.fail("onesided must be False if the input or the window is complex");
  Type result = complex_input ? c2c_of(c, x, {2}) : r2c_of(c, x, {2}, half);
  if (result) result = transpose(c, result, 1, 2);
  if (result && !batched) result = select(c, result, 0, 0);
  if (!result || c.boolean_or(return_complex, complex_input)) return result;
  DimVector sizes = to_vector(result.sizes()), strides = to_vector(result.strides());
  for (Dim& stride : strides) stride = 2 * stride;
  sizes.push_back(2);
  strides.push_back(1);
  return c.result(real_of(result.dtype()), sizes, strides);
}
Type stft_plain(TypeCall& c) { return stft(c, false, 6, 7); }
Type stft_center(TypeCall& c) { return stft(c, c.boolean(5), 8, 9); }

/// istft(self, n_fft, hop_length, win_length, window, center, normalized, onesided, length,
/// return_complex): adds the overlapping frames and, if `center`, removes the padding.
Type istft(TypeCall& c) {
  const Type x = c.tensor(0);
  if (x.rank() < 2 || x.rank() > 3)
    return c.fail(fmt::format("expected a tensor with 2 or 3 dimensions, not {}", to_string(x)));
  if (!is_complex(x.dtype())) return c.fail("istft requires a complex-valued input tensor");
  const Dim size = c.dim(1), hop = c.dim_or(2, floor_div(size, 4));
  Dim length = size + hop * (x.sizes().back() - 1);
  if (c.boolean(5)) length = length - 2 * floor_div(size, 2);
  DimVector sizes(x.sizes().begin(), x.sizes().end() - 2);
  sizes.push_back(c.dim_or(8, length));
  return c.result(c.boolean(9) ? x.dtype() : real_of(x.dtype()), sizes);
}

constexpr TypeRule kFftRules[] = {
    {"aten._fft_c2c.default", c2c},      {"aten._fft_r2c.default", r2c},
    {"aten._fft_c2r.default", c2r},      {"aten.fft_rfft.default", rfft},
    {"aten.fft_irfft.default", irfft},   {"aten.fft_fft.default", fft},
    {"aten.fft_ifft.default", fft},      {"aten.fft_fft2.default", fftn},
    {"aten.fft_ifft2.default", fftn},    {"aten.fft_fftn.default", fftn},
    {"aten.fft_ifftn.default", fftn},    {"aten.fft_hfft.default", irfft},
    {"aten.fft_ihfft.default", rfft},    {"aten.fft_rfft2.default", rfftn},
    {"aten.fft_rfftn.default", rfftn},   {"aten.fft_irfft2.default", irfftn},
    {"aten.fft_irfftn.default", irfftn}, {"aten.fft_hfft2.default", irfftn},
    {"aten.fft_hfftn.default", irfftn},  {"aten.fft_ihfft2.default", ihfftn},
    {"aten.fft_ihfftn.default", ihfftn}, {"aten.stft.default", stft_plain},
    {"aten.stft.center", stft_center},   {"aten.istft.default", istft},
};

}  // namespace

absl::Span<const TypeRule> fft_rules() { return kFftRules; }

}  // namespace fx::shape
