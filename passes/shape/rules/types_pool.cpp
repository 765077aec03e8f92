// Type functions for pooling, forward and backward.
#include "fx/ir/support/pluralize.h"
#include "fx/passes/shape/rules/view_math_internal.h"
#include "fx/passes/shape/type_rules_internal.h"

#include "fmt/format.h"

namespace fx::shape {
namespace {

struct Window {
  DimVector kernel, stride, padding, dilation;
  bool ceil_mode = false;
};

/// Returns the parameters in these arguments of the call. `dilation` is -1 if the operator has
/// none.
Window window(TypeCall& c, size_t n, int kernel, int stride, int padding, int dilation,
              int ceil_mode) {
  Window w;
  w.kernel = c.dims(kernel, n);
  w.stride =
      c.list_size(stride) == 0 && !c.argument(stride).as_dim() ? w.kernel : c.dims(stride, n);
  w.padding = c.dims(padding, n);
  w.dilation = dilation < 0 ? DimVector(n, Dim(1)) : c.dims(dilation, n);
  w.ceil_mode = c.boolean(ceil_mode);
  return w;
}

/// Returns the number of windows in dimension `i`. Equivalent to pooling_output_shape in
/// ATen/native/Pool.h.
Dim windows(TypeCall& c, const Dim& size, const Window& w, size_t i) {
  if (!c.guard_less_equal(1, w.stride[i]) || !c.guard_less_equal(0, w.padding[i]) ||
      !c.guard_less_equal(1, w.kernel[i]) || !c.guard_less_equal(1, w.dilation[i])) {
    c.fail("kernel, stride and dilation must be at least 1, and padding must be at least 0");
    return 0;
  }
  if (!c.guard_less_equal(2 * w.padding[i], w.kernel[i])) {
    c.fail(fmt::format(
        "the padding must be at most half of the kernel size: padding {}, kernel size {}",
        to_string(w.padding[i]), to_string(w.kernel[i])));
    return 0;
  }
  Dim last_start = size + 2 * w.padding[i] - w.dilation[i] * (w.kernel[i] - 1) - 1;
  if (w.ceil_mode) last_start += w.stride[i] - 1;
  Dim count = floor_div(last_start, w.stride[i]) + 1;
  // The last window must start inside the input or its left padding.
  if (w.ceil_mode && !c.guard_less_equal((count - 1) * w.stride[i] + 1, size + w.padding[i]))
    count -= 1;
  if (!c.guard_less_equal(1, count)) {
    c.fail(fmt::format("output size is too small: kernel size {}, input size {}",
                       to_string(w.kernel[i]), to_string(size)));
  }
  return count;
}

/// Returns the sizes of `x` after pooling its last n dimensions. The batch dimension is
/// optional.
DimVector pooled_sizes(TypeCall& c, Type x, size_t n, const Window& w) {
  DimVector sizes = to_vector(x.sizes());
  if (sizes.size() != n + 1 && sizes.size() != n + 2) {
    c.fail(fmt::format("the input has {}, but must have {} or {}",
                       pluralize(sizes.size(), "dimension"), n + 1, n + 2));
    return sizes;
  }
  for (size_t i = 0; i < n && !c.failed(); ++i) {
    Dim& size = sizes[sizes.size() - n + i];
    size = windows(c, size, w, i);
  }
  return sizes;
}

Type in_format_of(TypeCall& c, Type x, DType dtype, const DimVector& sizes) {
  if (c.failed()) return Type();
  const MemoryFormat format = suggested_format(c, x);
  if (format == MemoryFormat::kContiguous) return c.result(dtype, sizes);
  return c.result(dtype, sizes, strides_of(sizes, format));
}

/// Returns the type of a 1-d pool of these sizes, which the kernel of the 2-d pool computes: the
/// input has an additional dimension of size 1 before the last one, and its memory format.
Type in_format_of_2d(TypeCall& c, Type x, DType dtype, DimVector sizes) {
  if (c.failed()) return Type();
  sizes.insert(sizes.end() - 1, Dim(1));
  const Type result = in_format_of(c, unsqueeze(c, x, -2), dtype, sizes);
  return result ? squeeze(c, result, -2) : Type();
}

template <size_t n>
Type max_pool_indices(TypeCall& c) {
  const Type x = c.tensor(0);
  const DimVector sizes = pooled_sizes(c, x, n, window(c, n, 1, 2, 3, 4, 5));
  return c.tuple({in_format_of(c, x, x.dtype(), sizes), in_format_of(c, x, DType::kInt64, sizes)});
}
template <size_t n>
Type max_pool(TypeCall& c) {
  const Type x = c.tensor(0);
  return in_format_of(c, x, x.dtype(), pooled_sizes(c, x, n, window(c, n, 1, 2, 3, 4, 5)));
}
/// max_pool1d: the result is always row-major.
Type max_pool1d(TypeCall& c) {
  const Type x = c.tensor(0);
  const DimVector sizes = pooled_sizes(c, x, 1, window(c, 1, 1, 2, 3, 4, 5));
  return c.failed() ? Type() : c.result(x.dtype(), sizes);
}
Type max_pool1d_indices(TypeCall& c) {
  const Type x = c.tensor(0);
  const DimVector sizes = pooled_sizes(c, x, 1, window(c, 1, 1, 2, 3, 4, 5));
  return c.tuple(
      {in_format_of_2d(c, x, x.dtype(), sizes), in_format_of_2d(c, x, DType::kInt64, sizes)});
}
template <size_t n>
Type avg_pool(TypeCall& c) {
  const Type x = c.tensor(0);
  const DimVector sizes = pooled_sizes(c, x, n, window(c, n, 1, 2, 3, -1, 4));
  if (n == 1) return in_format_of_2d(c, x, x.dtype(), sizes);
  if (n == 3) return c.failed() ? Type() : c.result(x.dtype(), sizes);
  return in_format_of(c, x, x.dtype(), sizes);
}

/// (grad, self, ...): the gradient of self, in its suggested memory format.
Type pool_backward(TypeCall& c) {
  const Type x = c.tensor(1);
  return like(c, x, x.dtype(), suggested_format(c, x));
}
Type pool_backward_contiguous(TypeCall& c) { return contiguous_like(c, c.tensor(1)); }

/// True if dimension `first` of a gradient and the dimensions after it have these sizes. Earlier
/// dimensions, the batch, may be smaller: the kernels process only the items in the gradient.
/// Otherwise fails the call.
bool check_gradient_sizes(TypeCall& c, Type grad, absl::Span<const Dim> sizes, size_t first) {
  bool ok = grad.sizes().size() == sizes.size();
  for (size_t d = 0; ok && d < sizes.size(); ++d)
    ok = d < first ? c.guard_less_equal(grad.sizes()[d], sizes[d])
                   : c.guard_equal(grad.sizes()[d], sizes[d]);
  if (!ok)
    c.fail(
        fmt::format("the gradient {} must have the sizes of the forward result", to_string(grad)));
  return ok;
}
/// avg_pool2d_backward(grad, self, kernel_size, stride, padding, ceil_mode, ...)
template <size_t n>
Type avg_pool_backward(TypeCall& c) {
  const Type x = c.tensor(1);
  const DimVector sizes = pooled_sizes(c, x, n, window(c, n, 2, 3, 4, -1, 5));
  if (c.failed() || !check_gradient_sizes(c, c.tensor(0), sizes, index(x.rank()) - n - 1))
    return Type();
  return n == 2 ? pool_backward(c) : pool_backward_contiguous(c);
}
/// max_pool2d_with_indices_backward(grad, self, kernel_size, stride, padding, dilation, ceil_mode,
/// indices)
Type max_pool2d_backward(TypeCall& c) {
  const DimVector sizes = pooled_sizes(c, c.tensor(1), 2, window(c, 2, 2, 3, 4, 5, 6));
  if (c.failed() || !check_gradient_sizes(c, c.tensor(0), sizes, 0)) return Type();
  if (!same_sizes(c, c.tensor(7).sizes(), c.tensor(0).sizes()))
    return c.fail("the indices must have the sizes of the gradient");
  return pool_backward(c);
}
/// max_pool3d_with_indices_backward, with the same arguments: the kernel adds each element of the
/// gradient at its index, and does not compare gradient and indices with the sizes of the forward
/// result.
Type max_pool3d_backward(TypeCall& c) {
  const Type grad = c.tensor(0), x = c.tensor(1);
  const DimVector kernel = c.dims(2, 3), padding = c.dims(4, 3), dilation = c.dims(5, 3);
  const DimVector stride = c.list_size(3) == 0 ? kernel : c.dims(3, 3);
  if (c.failed()) return Type();
  if (x.rank() != 4 && x.rank() != 5) return c.fail("the input must have 4 or 5 dimensions");
  for (size_t i = 0; i < 3; ++i)
    if (!c.guard_less_equal(1, kernel[i]) || !c.guard_less_equal(1, stride[i]) ||
        !c.guard_less_equal(1, dilation[i]) || !c.guard_less_equal(padding[i] * 2, kernel[i]))
      return c.fail(
          "kernel, stride and dilation must be greater than 0, and the padding must be at most "
          "half of the kernel size");
  DimVector sizes = to_vector(x.sizes());
  for (size_t d = sizes.size() - 4; d < sizes.size(); ++d) {
    if (sizes[d] == Dim(0)) return c.fail("the input must not be empty");
    if (d == sizes.size() - 4 || grad.sizes().size() != sizes.size()) continue;
    if (grad.sizes()[d] == Dim(0)) return c.fail("the gradient must not be empty");
    sizes[d] = grad.sizes()[d];
  }
  if (!check_gradient_sizes(c, grad, sizes, index(x.rank()) - 4)) return Type();
  // The indices must have at least as many items in the batch as the gradient.
  const Type indices = c.tensor(7);
  bool ok = indices.rank() == grad.rank();
  for (int d = 0; ok && d < grad.rank(); ++d) {
    const Dim &size = grad.sizes()[index(d)], &available = indices.sizes()[index(d)];
    ok = d < grad.rank() - 4 ? c.guard_less_equal(size, available) : c.guard_equal(size, available);
  }
  if (!ok)
    return c.fail("the indices must have the sizes of the gradient; only the batch may be larger");
  return pool_backward(c);
}

/// Returns the sizes of `x` after pooling its last n dimensions. With `may_be_mean`, output sizes of
/// 1 in all dimensions are a mean, which accepts every rank.
template <size_t n>
DimVector adaptive_sizes(TypeCall& c, bool may_be_mean = false) {
  const Type x = c.tensor(0);
  DimVector sizes = to_vector(x.sizes());
  const DimVector output_sizes = c.dims(1, n);
  const bool is_mean =
      may_be_mean && n > 1 && sizes.size() >= n && output_sizes == DimVector(n, Dim(1));
  if (sizes.size() != n + 1 && sizes.size() != n + 2 && !is_mean) {
    c.fail(fmt::format("the input has {}, but must have {} or {}",
                       pluralize(sizes.size(), "dimension"), n + 1, n + 2));
    return sizes;
  }
  for (size_t i = 0; i < n; ++i) sizes[sizes.size() - n + i] = output_sizes[i];
  return sizes;
}

template <bool may_be_mean>
Type adaptive_avg_pool2d(TypeCall& c) {
  const Type x = c.tensor(0);
  const DimVector sizes = adaptive_sizes<2>(c, may_be_mean);
  if (sizes.size() > 4) return c.failed() ? Type() : c.result(x.dtype(), sizes);
  return in_format_of(c, x, x.dtype(), sizes);
}
Type adaptive_avg_pool1d(TypeCall& c) {
  return in_format_of_2d(c, c.tensor(0), c.tensor(0).dtype(), adaptive_sizes<1>(c));
}
template <bool may_be_mean>
Type adaptive_avg_pool3d(TypeCall& c) {
  const DimVector sizes = adaptive_sizes<3>(c, may_be_mean);
  return c.failed() ? Type() : c.result(c.tensor(0).dtype(), sizes);
}
template <size_t n>
Type adaptive_max_pool(TypeCall& c) {
  const DimVector sizes = adaptive_sizes<n>(c);
  const Type x = c.tensor(0);
  if (c.failed()) return Type();
  if (n == 1) {
    return c.tuple(
        {in_format_of_2d(c, x, x.dtype(), sizes), in_format_of_2d(c, x, DType::kInt64, sizes)});
  }
  if (n == 2)
    return c.tuple(
        {in_format_of(c, x, x.dtype(), sizes), in_format_of(c, x, DType::kInt64, sizes)});
  return c.tuple({c.result(x.dtype(), sizes), c.result(DType::kInt64, sizes)});
}

template <size_t n>
Type max_unpool(TypeCall& c) {
  const Type x = c.tensor(0);
  DimVector sizes = to_vector(x.sizes());
  const DimVector output_sizes = c.dims(2, n);
  if (sizes.size() != n + 1 && sizes.size() != n + 2)
    return c.fail("the input must have one or two more dimensions than the window");
  if (!same_sizes(c, x.sizes(), c.tensor(1).sizes()))
    return c.fail("values and indices must have the same sizes");
  for (size_t i = 0; i < n; ++i) sizes[sizes.size() - n + i] = output_sizes[i];
  return n == 2 ? in_format_of(c, x, x.dtype(), sizes) : c.result(x.dtype(), sizes);
}

/// fractional_max_pool2d(self, kernel_size, output_size, random_samples)
template <size_t n>
Type fractional_max_pool(TypeCall& c) {
  const Type x = c.tensor(0);
  DimVector sizes = to_vector(x.sizes());
  const DimVector output_sizes = c.dims(2, n);
  if (sizes.size() != n + 1 && sizes.size() != n + 2)
    return c.fail("the input must have one or two more dimensions than the window");
  for (size_t i = 0; i < n; ++i) sizes[sizes.size() - n + i] = output_sizes[i];
  return c.tuple({c.result(x.dtype(), sizes), c.result(DType::kInt64, sizes)});
}

constexpr TypeRule kPoolRules[] = {
    {"aten.max_pool1d.default", max_pool1d},
    {"aten.max_pool1d_with_indices.default", max_pool1d_indices},
    {"aten.max_pool2d.default", max_pool<2>},
    {"aten.max_pool3d.default", max_pool<3>},
    {"aten.max_pool2d_with_indices.default", max_pool_indices<2>},
    {"aten.max_pool3d_with_indices.default", max_pool_indices<3>},
    {"aten.max_pool2d_with_indices_backward.default", max_pool2d_backward},
    {"aten.max_pool3d_with_indices_backward.default", max_pool3d_backward},
    {"aten.avg_pool1d.default", avg_pool<1>},
    {"aten.avg_pool2d.default", avg_pool<2>},
    {"aten.avg_pool3d.default", avg_pool<3>},
    {"aten.avg_pool2d_backward.default", avg_pool_backward<2>},
    {"aten.avg_pool3d_backward.default", avg_pool_backward<3>},
    {"aten.adaptive_avg_pool1d.default", adaptive_avg_pool1d},
    {"aten.adaptive_avg_pool2d.default", adaptive_avg_pool2d<true>},
    {"aten._adaptive_avg_pool2d.default", adaptive_avg_pool2d<false>},
    {"aten.adaptive_avg_pool3d.default", adaptive_avg_pool3d<true>},
    {"aten._adaptive_avg_pool3d.default", adaptive_avg_pool3d<false>},
    {"aten._adaptive_avg_pool2d_backward.default", pool_backward},
    {"aten._adaptive_avg_pool3d_backward.default", pool_backward_contiguous},
    {"aten.adaptive_max_pool1d.default", adaptive_max_pool<1>},
    {"aten.adaptive_max_pool2d.default", adaptive_max_pool<2>},
    {"aten.adaptive_max_pool3d.default", adaptive_max_pool<3>},
    {"aten.adaptive_max_pool2d_backward.default", pool_backward},
    {"aten.adaptive_max_pool3d_backward.default", pool_backward_contiguous},
    {"aten.max_unpool2d.default", max_unpool<2>},
    {"aten.max_unpool3d.default", max_unpool<3>},
    {"aten.fractional_max_pool2d.default", fractional_max_pool<2>},
    {"aten.fractional_max_pool3d.default", fractional_max_pool<3>},
    {"aten.fractional_max_pool2d_backward.default", pool_backward_contiguous},
    {"aten.fractional_max_pool3d_backward.default", pool_backward_contiguous},
};

}  // namespace

absl::Span<const TypeRule> pool_rules() { return kPoolRules; }

}  // namespace fx::shape
