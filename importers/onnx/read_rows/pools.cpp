// Pooling.
#include "fx/importers/onnx/read_rows/rows_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <limits>

namespace fx::onnx::reader {
namespace {

struct PoolSpec {
  Ints kernel, strides, dilations, windows;
  Padding padding;
  bool ceil = false;
  size_t count() const { return kernel.size(); }
  bool is_dilated() const {
    return std::ranges::any_of(dilations, [](int64_t d) { return d != 1; });
  }
  /// Returns true if torch's pooling operators accept the pads.
  bool has_native_padding() const {
    bool fits = padding.is_symmetric();
    for (size_t i = 0; i < kernel.size(); ++i)
      fits &= padding.low[i] >= 0 && padding.low[i] <= kernel[i] / 2;
    return fits;
  }
};

PoolSpec pool_of(Call& c, Val x) {
  PoolSpec spec;
  const int rank = c.rank(x);
  if (rank < 3 || rank > 5) c.fail("its input must have one, two or three spatial dimensions");
  if (c.failed()) return spec;
  const auto count = static_cast<size_t>(rank - 2);
  spec.kernel = spatial(c, "kernel_shape", count, 0);
  spec.strides = spatial(c, "strides", count, 1);
  spec.dilations = spatial(c, "dilations", count, 1);
  spec.ceil = c.flag("ceil_mode");
  constexpr int64_t kMaxValue = 1 << 20;
  for (size_t i = 0; i < count; ++i) {
    const int64_t smallest = std::min({spec.kernel[i], spec.strides[i], spec.dilations[i]});
    const int64_t largest = std::max({spec.kernel[i], spec.strides[i], spec.dilations[i]});
    if (smallest <= 0 || largest > kMaxValue) {
      c.fail_invalid("kernel_shape, strides and dilations must be between 1 and 2^20");
      return spec;
    }
    spec.windows.push_back((spec.kernel[i] - 1) * spec.dilations[i] + 1);
  }
  spec.padding = padding_of(c, x, spec.windows, spec.strides);
  return spec;
}

/// Returns the number of elements by which the last windows exceed the padded input (ceil_mode).
/// The last window must start inside the input or its left padding.
Ints ceil_margins(Call& c, Val x, const PoolSpec& spec) {
  Ints margins(spec.count(), 0);
  if (!spec.ceil) return margins;
  for (size_t i = 0; i < spec.count() && !c.failed(); ++i) {
    const int64_t size = c.constant_dim(x, static_cast<int64_t>(i) + 2);
    const int64_t padded = size + spec.padding.low[i] + spec.padding.high[i];
    const int64_t remainder = padded - spec.windows[i];
    if (remainder < 0) continue;
    int64_t steps = (remainder + spec.strides[i] - 1) / spec.strides[i];
    if (steps * spec.strides[i] >= size + spec.padding.low[i]) --steps;
    margins[i] = std::max<int64_t>(0, steps * spec.strides[i] + spec.windows[i] - padded);
  }
  return margins;
}

Ints sum_of(const Ints& a, const Ints& b) {
  Ints sums;
  for (size_t i = 0; i < a.size(); ++i) sums.push_back(a[i] + b[i]);
  return sums;
}

void max_pool(Call& c) {
  Val x = c.in(0);
  const DType dtype = c.dtype(x);
  const PoolSpec spec = pool_of(c, x);
  const bool is_column_major = c.integer("storage_order", 0) != 0;
  if (c.failed()) return;
  const bool returns_indices = c.has_output(1);
  if (returns_indices && is_column_major)
    return c.fail("indices in column-major order are not supported");
  const Val image = x;
  if (!is_floating_point(dtype)) x = c.cast(x, DType::kFloat32);  // exact for 8-bit integers
  Ints padding = spec.padding.low;
  bool ceil = spec.ceil;
  if (!spec.has_native_padding()) {
    if (returns_indices) return c.fail("indices with these pads are not supported");
    const Ints high = sum_of(spec.padding.high, ceil_margins(c, x, spec));
    x = pad_constant(c, x, spec.padding.low, high, -std::numeric_limits<double>::infinity());
    padding.assign(padding.size(), 0);
    ceil = false;
  }
  const std::string name = fmt::format("aten.max_pool{}d", spec.count());
  const std::initializer_list<Argument> args = {
      x, c.list(spec.kernel), c.list(spec.strides), c.list(padding), c.list(spec.dilations), ceil};
  if (!returns_indices) return c.result(c.cast(c.op(name + ".default", args), dtype));
  const Val results = c.op(name + "_with_indices.default", args);
  c.result(0, c.cast(c.item(results, 0), dtype));
  // torch's indices are relative to a plane, ONNX's to the entire tensor.
  Argument plane = 1;
  for (size_t i = 0; i < spec.count(); ++i)
    plane = c.mul(plane, c.size_of(image, static_cast<int64_t>(i) + 2));
  const Argument channels = c.size_of(image, 1);
  const Val numbers = c.op("aten.arange.default", {c.mul(c.size_of(image, 0), channels)},
                           {{"dtype", DType::kInt64}});
  Sizes sizes = {c.size_of(image, 0), channels};
  for (size_t i = 0; i < spec.count(); ++i) sizes.emplace_back(1);
  const Val starts = c.reshape(c.op("aten.mul.Tensor", {numbers, plane}), sizes);
  c.result(1, c.op("aten.add.Tensor", {c.item(results, 1), starts}));
}

/// Returns the sums over windows, computed by convolving each channel with ones.
Val window_sum(Call& c, Val x, const PoolSpec& spec) {
  Sizes sizes = c.shape_of(x);
  if (c.failed()) return {};
  const Argument batch = sizes[0], channels = sizes[1];
  sizes.erase(sizes.begin());
  sizes[0] = 1;
  sizes.insert(sizes.begin(), c.mul(batch, channels));
  Ints kernel = {1, 1};
  kernel.insert(kernel.end(), spec.kernel.begin(), spec.kernel.end());
  const Val ones = c.op("aten.ones.default", {c.list(kernel)}, {{"dtype", c.dtype(x)}});
  const Ints zeros(spec.count(), 0);
  const Val sums = c.op("aten.convolution.default",
                        {c.reshape(x, sizes), ones, Argument(), c.list(spec.strides), c.list(zeros),
                         c.list(spec.dilations), false, c.list(zeros), 1});
  Sizes results = {batch, channels};
  for (size_t i = 0; i < spec.count(); ++i)
    results.push_back(c.size_of(sums, static_cast<int64_t>(i) + 2));
  return c.reshape(sums, results);
}

void average_pool(Call& c) {
  const Val x = c.in(0);
  const PoolSpec spec = pool_of(c, x);
  const bool counts_padding = c.flag("count_include_pad");
  if (c.failed()) return;
  if (spec.has_native_padding() && !spec.is_dilated() && !spec.ceil) {
    return c.result(c.op(fmt::format("aten.avg_pool{}d.default", spec.count()),
                         {x, c.list(spec.kernel), c.list(spec.strides), c.list(spec.padding.low),
                          false, counts_padding}));
  }
  const Ints margins = ceil_margins(c, x, spec), zeros(spec.count(), 0);
  const Ints high = sum_of(spec.padding.high, margins);
  const Val sums = window_sum(c, pad_constant(c, x, spec.padding.low, high, 0), spec);
  Val ones = c.op("aten.ones_like.default", {x});
  if (counts_padding) {
    ones = pad_constant(c, ones, spec.padding.low, spec.padding.high, 1);
    ones = pad_constant(c, ones, zeros, margins, 0);
  } else {
    ones = pad_constant(c, ones, spec.padding.low, high, 0);
  }
  c.result(c.op("aten.div.Tensor", {sums, window_sum(c, ones, spec)}));
}

Val root(Call& c, Val x, int64_t p) {
  return p == 1   ? x
         : p == 2 ? c.op("aten.sqrt.default", {x})
                  : c.op("aten.pow.Tensor_Scalar", {x, 1 / static_cast<double>(p)});
}
Val power(Call& c, Val x, int64_t p) {
  return c.op("aten.pow.Tensor_Scalar", {c.op("aten.abs.default", {x}), p});
}

void lp_pool(Call& c) {
  const Val x = c.in(0);
  const PoolSpec spec = pool_of(c, x);
  const int64_t p = c.integer("p", 2);
  if (c.failed()) return;
  const Ints high = sum_of(spec.padding.high, ceil_margins(c, x, spec));
  const Val padded = pad_constant(c, power(c, x, p), spec.padding.low, high, 0);
  c.result(root(c, window_sum(c, padded, spec), p));
}

Ints spatial_dims(Call& c, Val x) {
  if (c.rank(x) < 3) c.fail_invalid("its input must have spatial dimensions");
  return dims_from(2, c.rank(x));
}
void global_average_pool(Call& c) {
  const Val x = c.in(0);
  c.result(reduce_mean(c, x, spatial_dims(c, x), true));
}
void global_max_pool(Call& c) {
  const Val x = c.in(0);
  c.result(c.op("aten.amax.default", {x, c.list(spatial_dims(c, x)), true}));
}
void global_lp_pool(Call& c) {
  const Val x = c.in(0);
  const int64_t p = c.integer("p", 2);
  c.result(root(c, reduce_sum(c, power(c, x, p), spatial_dims(c, x), true), p));
}

/// Writes the values at their indices, which are relative to the entire result.
void max_unpool(Call& c) {
  const Val x = c.in(0), indices = c.in(1);
  const int rank = c.rank(x);
  if (rank < 3) return c.fail_invalid("its input must have spatial dimensions");
  const auto count = static_cast<size_t>(rank - 2);
  const Ints kernel = spatial(c, "kernel_shape", count, 0);
  const Ints strides = spatial(c, "strides", count, 1), pads = spatial(c, "pads", 2 * count, 0);
  if (c.has(2)) return c.fail("its input output_shape is not supported");
  Sizes sizes = {c.size_of(x, 0), c.size_of(x, 1)};
  for (size_t i = 0; i < count; ++i) {
    const Argument steps = c.sub(c.size_of(x, static_cast<int64_t>(i) + 2), 1);
    sizes.push_back(c.add(c.mul(steps, strides[i]), kernel[i] - pads[i] - pads[count + i]));
  }
  Argument total = 1;
  for (const Argument& one : sizes) total = c.mul(total, one);
  const Val zeros = c.op("aten.zeros.default", {c.list(Sizes{total})}, {{"dtype", c.dtype(x)}});
  const Val flat =
      c.op("aten.scatter.src", {zeros, 0, c.reshape(indices, {-1}), c.reshape(x, {-1})});
  c.result(c.reshape(flat, sizes));
}

}  // namespace

absl::Span<const Row> pool_rows() {
  static constexpr Row kRows[] = {
      {"MaxPool", max_pool},
      {"AveragePool", average_pool},
      {"LpPool", lp_pool},
      {"GlobalAveragePool", global_average_pool},
      {"GlobalMaxPool", global_max_pool},
      {"GlobalLpPool", global_lp_pool},
      {"MaxUnpool", max_unpool, 9},
  };
  return kRows;
}

}  // namespace fx::onnx::reader
