// Type functions for padding and resampling.
#include "fx/ir/support/pluralize.h"
#include "fx/passes/shape/requirements/requirements_internal.h"
#include "fx/passes/shape/rules/elementwise_internal.h"
#include "fx/passes/shape/type_rules_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace fx::shape {
namespace {

/// Returns the sizes of `x` after padding. `pad` lists (before, after) pairs, starting with the
/// last dimension.
DimVector padded_sizes(TypeCall& c, Type x, const DimVector& pad) {
  DimVector sizes = to_vector(x.sizes());
  if (pad.size() % 2 != 0 || pad.size() / 2 > sizes.size()) {
    c.fail(
        fmt::format("pad must have an even number of values, at most two for each dimension: {} "
                    "for rank {}",
                    pluralize(pad.size(), "value"), sizes.size()));
    return sizes;
  }
  for (size_t i = 0; i < pad.size() / 2; ++i) {
    Dim& size = sizes[sizes.size() - 1 - i];
    size += pad[2 * i] + pad[2 * i + 1];
    if (!c.guard_less_equal(0, size)) {
      c.fail(fmt::format("padding resulted in the negative size {}", to_string(size)));
      return sizes;
    }
  }
  return sizes;
}

Type in_suggested_format(TypeCall& c, Type x, const DimVector& sizes) {
  if (c.failed()) return Type();
  return c.result(x.dtype(), sizes, strides_of(sizes, suggested_format(c, x)));
}

/// True if libtorch allocates the result in the suggested format: if an item of `pad` is positive,
/// or if the input has this format anyway. Adds a guard if that depends on symbols.
bool has_suggested_format(TypeCall& c, Type x, const DimVector& pad) {
  const auto is_positive = [&](const Dim& item) {
    return item.is_int() ? item.value() > 0 : c.known_less_equal(1, item) == true;
  };
  if (std::ranges::any_of(pad, is_positive)) return true;
  const bool is_known = std::ranges::all_of(
      pad, [&](const Dim& item) { return item.is_int() || c.known_less_equal(item, 0) == true; });
  if (is_known) return false;
  if (std::ranges::equal(x.strides(), strides_of(x.sizes(), suggested_format(c, x)))) return true;
  return std::ranges::any_of(
      pad, [&](const Dim& item) { return !item.is_int() && c.guard_less_equal(1, item); });
}

/// True if negative items of `pad` do not remove more elements than a dimension has: the kernel
/// cuts before it pads. Otherwise fails the call.
bool check_cut(TypeCall& c, Type x, const DimVector& pad) {
  const auto cut = [&](const Dim& item) {
    if (item.is_int()) return Dim(std::min<int64_t>(item.value(), 0));
    return c.known_less_equal(0, item) == true ? Dim(0) : min(item, 0);
  };
  for (size_t i = 0; i < pad.size() / 2; ++i) {
    const Dim &before = pad[2 * i], &after = pad[2 * i + 1];
    const Dim& size = x.sizes()[x.sizes().size() - 1 - i];
    if (c.guard_less_equal(0, size + cut(before) + cut(after))) continue;
    c.fail(fmt::format("padding ({}, {}) removes more elements than the {} of the dimension",
                       to_string(before), to_string(after), to_string(size)));
    return false;
  }
  return true;
}

/// constant_pad_nd(self, pad, value) and, with `value` 3, pad(self, pad, mode, value), whose value
/// is a float. The value is unused if the call only cuts.
template <int value>
Type constant_pad(TypeCall& c) {
  const Type x = c.tensor(0);
  const DimVector pad = c.dims(1), sizes = padded_sizes(c, x, pad);
  if (c.failed() || !check_cut(c, x, pad)) return Type();
  const bool is_filled =
      std::ranges::any_of(pad, [](const Dim& n) { return n.is_int() && n.value() > 0; });
  if (is_filled &&
      !fits_dtype(c, value, x.dtype(), value == 3 ? NumberUse::kFloat : NumberUse::kElement))
    return Type();
  if (has_suggested_format(c, x, pad)) return in_suggested_format(c, x, sizes);
  // Copies the remaining part, and keeps the order of the strides.
  const Type part = view_of(c, x, sizes, x.strides(), x.offset());
  return part ? like(c, part, x.dtype()) : Type();
}

/// True if one of the last `n` sizes is at least 1, as reflection and replication require of the
/// result. Otherwise fails the call.
bool check_padded(TypeCall& c, const DimVector& sizes, size_t n) {
  Dim largest = 0;
  for (const Dim& size : absl::MakeConstSpan(sizes).last(n)) {
    if (c.known_less_equal(1, size) == true) return true;
    largest = size.is_int() ? largest : n == 1 ? size : max(largest, size);
  }
  if (c.guard_less_equal(1, largest)) return true;
  c.fail("at least one of the padded sizes must be 1 or more");
  return false;
}

/// reflection_pad, replication_pad: the result is row-major; with two padded dimensions, it has the
/// suggested format of the input.
template <size_t n>
Type edge_pad(TypeCall& c) {
  const Type x = c.tensor(0);
  const DimVector pad = c.dims(1, 2 * n);
  const size_t rank = x.sizes().size();
  if (rank != n + 1 && rank != n + 2)
    return c.fail(fmt::format("the input has {}, but must have {} or {}",
                              pluralize(rank, "dimension"), n + 1, n + 2));
  const DimVector sizes = padded_sizes(c, x, pad);
  if (c.failed() || !check_padded(c, sizes, n)) return Type();
  // A channels-last format is that of a tensor of rank 4, also of one volume without a batch.
  return n == 2 || rank == 4 ? in_suggested_format(c, x, sizes) : c.result(x.dtype(), sizes);
}
/// True if the gradient has these sizes, those of the result of the forward call. Otherwise fails
/// the call.
bool check_gradient(TypeCall& c, absl::Span<const Dim> sizes) {
  if (c.failed()) return false;
  if (same_sizes(c, c.tensor(0).sizes(), sizes)) return true;
  c.fail(fmt::format("the gradient {} must have the sizes of the forward result",
                     to_string(c.tensor(0))));
  return false;
}

/// (grad, self, padding). The requirement of the operator checks the sizes of the gradient.
template <size_t n>
Type edge_pad_backward(TypeCall& c) {
  const Type x = c.tensor(1);
  const DimVector pad = c.dims(2);
  if (pad.size() < 2 * n || x.sizes().size() < n)
    return c.fail(fmt::format("padding must have at least {}, and input {} at least {}",
                              pluralize(2 * n, "value"), to_string(x), pluralize(n, "dimension")));
  return n == 2 ? like(c, x, x.dtype(), suggested_format(c, x)) : contiguous_like(c, x);
}

/// pad(self, pad, mode, value)
Type pad(TypeCall& c) {
  if (c.string(2) == "constant") return constant_pad<3>(c);
  const Type x = c.tensor(0);
  const DimVector sizes = padded_sizes(c, x, c.dims(1));
  if (c.failed()) return Type();
  const bool is_circular = c.string(2) == "circular";
  if (!is_circular && !check_padded(c, sizes, c.list_size(1) / 2)) return Type();
  const bool is_row_major = is_circular || x.rank() == 5 || c.list_size(1) != 4;
  return is_row_major ? c.result(x.dtype(), sizes) : in_suggested_format(c, x, sizes);
}

// ---------------------------------------------------------------- resampling

template <size_t n>
Type resampled(TypeCall& c, const DimVector& output_sizes) {
  const Type x = c.tensor(0);
  if (x.sizes().size() != n + 2)
    return c.fail(
        fmt::format("the input has {}, but must have {}", pluralize(x.rank(), "dimension"), n + 2));
  if (output_sizes.size() != n)
    return c.fail(fmt::format("output_size must have {}", pluralize(n, "size")));
  DimVector sizes = {x.sizes()[0], x.sizes()[1]};
  for (const Dim& size : output_sizes) sizes.push_back(size);
  for (const Dim& size : output_sizes)
    if (!c.guard_less_equal(1, size)) return c.fail("output sizes must be at least 1");
  return in_suggested_format(c, x, sizes);
}

/// upsample(input, output_size, ...)
template <size_t n>
Type upsample(TypeCall& c) {
  return resampled<n>(c, c.dims(1, n));
}

/// Returns the size that eager mode computes for a symbolic size, int(size * factor), where
/// `factor` is a double; std::nullopt if that is not a quotient of integers for all sizes.
std::optional<Dim> scaled(const Dim& size, double factor) {
  constexpr double kMaxFactor = 1 << 20;
  constexpr int64_t kMaxDivisor = 1 << 20;
  if (!(factor > 0 && factor < kMaxFactor)) return std::nullopt;
  int64_t divisor = 1;  // a power of two: the product is exact
  double product = factor;
  while (divisor < kMaxDivisor && product != std::floor(product)) {
    divisor *= 2;
    product *= 2;
  }
  if (product == std::floor(product))
    return floor_div(size * static_cast<int64_t>(product), divisor);
  // 1/3 as a double: the product of a multiple of 3 rounds to an integer, but that of 49 and 1/49
  // is less than 1.
  const double inverse = std::round(1 / factor);
  if (inverse >= kMaxFactor || std::abs(std::fma(factor, inverse, -1.0)) > 0x1p-53 ||
      std::fma(factor, inverse, -1.0) < -0x1p-54)
    return std::nullopt;
  return floor_div(size, static_cast<int64_t>(inverse));
}

/// upsample(input, output_size or None, (align_corners,) scale_factors or None)
template <size_t n, int scales>
Type upsample_vec(TypeCall& c) {
  if (!c.is_none(1)) return resampled<n>(c, c.dims(1));
  const Type x = c.tensor(0);
  const TypeArgument& factors = c.argument(scales);
  if (factors.size() != n || x.sizes().size() != n + 2)
    return c.fail(
        "must specify exactly one of output_size and scale_factors, with one value for each "
        "spatial dimension");
  DimVector output_sizes;
  for (size_t i = 0; i < n; ++i) {
    const Dim size = x.sizes()[i + 2];
    const auto factor = factors[i].as_float();
    if (!factor) return c.fail_argument(scales, "a list of numbers");
    if (!std::isfinite(*factor) || *factor <= 0)
      return c.fail(fmt::format("scale factors must be finite and positive, not {}", *factor));
    if (size.is_int()) {
      output_sizes.push_back(static_cast<int64_t>(static_cast<double>(size.value()) * *factor));
    } else if (const std::optional<Dim> result = scaled(size, *factor)) {
      output_sizes.push_back(*result);
    } else {
      return Type();  // not an expression of integers
    }
  }
  return resampled<n>(c, output_sizes);
}

/// True if the gradient has the sizes of the result of upsampling an input of sizes `sizes`.
/// Otherwise fails the call.
bool check_upsampled(TypeCall& c, const DimVector& sizes) {
  DimVector output_sizes = {sizes[0], sizes[1]};
  for (const Dim& size : c.dims(1, sizes.size() - 2)) output_sizes.push_back(size);
  return check_gradient(c, output_sizes);
}

/// (grad, output_size, input_size, ...)
template <size_t n>
Type upsample_backward(TypeCall& c) {
  const DimVector sizes = c.dims(2, n + 2);
  return check_upsampled(c, sizes) ? in_suggested_format(c, c.tensor(0), sizes) : Type();
}

template <size_t n>
Type upsample_backward_contiguous(TypeCall& c) {
  const DimVector sizes = c.dims(2, n + 2);
  return check_upsampled(c, sizes) ? c.result(c.tensor(0).dtype(), sizes) : Type();
}

/// True if a size is 0. Symbolic sizes are assumed not to be 0.
bool is_empty(TypeCall& c, Type x) {
  return std::ranges::any_of(x.sizes(), [&](const Dim& size) { return c.is_zero(size); });
}

/// Checks the input and the factor of pixel_shuffle and pixel_unshuffle.
bool check_pixels(TypeCall& c) {
  if (c.tensor(0).rank() >= 3 && c.integer(1) > 0) return true;
  c.fail("the input must have at least 3 dimensions, and the factor must be positive");
  return false;
}

Type pixel_shuffle(TypeCall& c) {
  if (!check_pixels(c)) return Type();
  const Type x = c.tensor(0);
  const Dim r = c.integer(1);
  DimVector sizes = to_vector(x.sizes());
  const size_t n = sizes.size();
  if (!c.guard_equal(mod(sizes[n - 3], r * r), 0))
    return c.fail("the number of channels must be divisible by the square of upscale_factor");
  sizes[n - 3] = floor_div(sizes[n - 3], r * r);
  sizes[n - 2] *= r;
  sizes[n - 1] *= r;
  return in_suggested_format(c, x, sizes);
}
Type pixel_unshuffle(TypeCall& c) {
  if (!check_pixels(c)) return Type();
  const Type x = c.tensor(0);
  const Dim r = c.integer(1);
  DimVector sizes = to_vector(x.sizes());
  const size_t n = sizes.size();
  if (!c.guard_equal(mod(sizes[n - 2], r), 0) || !c.guard_equal(mod(sizes[n - 1], r), 0))
    return c.fail("height and width must be divisible by downscale_factor");
  if (is_empty(c, x)) return like(c, x, x.dtype());  // the kernel returns a copy of the input
  sizes[n - 3] *= r * r;
  sizes[n - 2] = floor_div(sizes[n - 2], r);
  sizes[n - 1] = floor_div(sizes[n - 1], r);
  return in_suggested_format(c, x, sizes);
}
/// channel_shuffle(self, groups): the kernel returns an alias of an input without elements.
Type channel_shuffle(TypeCall& c) {
  const Type x = c.tensor(0);
  const Type result = in_suggested_format(c, x, to_vector(x.sizes()));
  if (!result || std::ranges::equal(result.strides(), x.strides())) return result;
  return is_empty(c, x) ? view_of(c, x, x.sizes(), x.strides(), x.offset()) : result;
}

/// im2col(self, kernel, dilation, padding, stride)
Type im2col(TypeCall& c) {
  const Type x = c.tensor(0);
  const DimVector kernel = c.dims(1, 2), dilation = c.dims(2, 2), padding = c.dims(3, 2),
                  stride = c.dims(4, 2);
  if (x.rank() != 3 && x.rank() != 4) return c.fail("im2col expects a 3-D or 4-D input");
  const size_t n = x.sizes().size();
  Dim blocks = 1;
  for (size_t i = 0; i < 2; ++i) {
    blocks *= floor_div(x.sizes()[n - 2 + i] + 2 * padding[i] - dilation[i] * (kernel[i] - 1) - 1,
                        stride[i]) +
              1;
  }
  DimVector sizes;
  if (n == 4) sizes.push_back(x.sizes()[0]);
  sizes.push_back(x.sizes()[n - 3] * kernel[0] * kernel[1]);
  sizes.push_back(blocks);
  return c.result(x.dtype(), sizes);
}
/// col2im(self, output_size, kernel, ...)
Type col2im(TypeCall& c) {
  const Type x = c.tensor(0);
  const DimVector output = c.dims(1, 2), kernel = c.dims(2, 2);
  if (x.rank() != 2 && x.rank() != 3) return c.fail("col2im expects a 2-D or 3-D input");
  const size_t n = x.sizes().size();
  DimVector sizes;
  if (n == 3) sizes.push_back(x.sizes()[0]);
  sizes.push_back(floor_div(x.sizes()[n - 2], kernel[0] * kernel[1]));
  sizes.push_back(output[0]);
  sizes.push_back(output[1]);
  return c.result(x.dtype(), sizes);
}

/// grid_sampler_2d(input, grid)
Type grid_sampler(TypeCall& c) {
  const Type x = c.tensor(0), grid = c.tensor(1);
  if (x.rank() < 4 || grid.rank() != x.rank())
    return c.fail("input and grid must both be 4-D or both be 5-D");
  DimVector sizes = {x.sizes()[0], x.sizes()[1]};
  for (size_t i = 1; i + 1 < grid.sizes().size(); ++i) sizes.push_back(grid.sizes()[i]);
  return c.result(x.dtype(), sizes);
}
/// (grad, input, grid, mode, padding, align_corners, output_mask): always returns the gradient of
/// the grid.
Type grid_sampler_backward(TypeCall& c) {
  const auto mask = c.argument(6);
  if (mask.size() != 2) return c.fail_argument(6, "a list of two bools");
  const bool has_input_gradient = mask[0].as_bool().value_or(true);
  const Type x = c.tensor(1);
  return c.tuple({has_input_gradient ? like(c, x, x.dtype(), MemoryFormat::kContiguous) : c.none(),
                  like(c, c.tensor(2), c.tensor(2).dtype(), MemoryFormat::kContiguous)});
}
/// Returns the sizes of a grid for inputs of sizes [N, C, ...]; empty if the call failed.
DimVector grid_sizes(TypeCall& c, const DimVector& size) {
  if (size.size() != 4 && size.size() != 5) {
    c.fail("size must have 4 or 5 values");
    return {};
  }
  DimVector sizes = {size[0]};
  for (size_t i = 2; i < size.size(); ++i) sizes.push_back(size[i]);
  sizes.push_back(static_cast<int64_t>(size.size() - 2));
  return sizes;
}
/// affine_grid_generator(theta, size)
Type affine_grid(TypeCall& c) {
  const DimVector sizes = grid_sizes(c, c.dims(1));
  return sizes.empty() ? Type() : c.result(c.tensor(0).dtype(), sizes);
}
/// affine_grid_generator_backward(grad, size): the gradient of theta, a transposed matrix.
Type affine_grid_backward(TypeCall& c) {
  const DimVector size = c.dims(1), grid = grid_sizes(c, size);
  if (grid.empty()) return Type();
  const Type grad = c.tensor(0);
  bool same = grad.sizes().size() == grid.size();
  for (size_t i = 0; same && i < grid.size(); ++i) same = c.guard_equal(grad.sizes()[i], grid[i]);
  if (!same) return c.fail(fmt::format("{} is not the gradient of a grid", to_string(grad)));
  const auto dims = static_cast<int64_t>(size.size() - 2);
  const DimVector sizes = {size[0], dims, dims + 1}, strides = {dims * (dims + 1), 1, dims};
  return c.result(grad.dtype(), sizes, strides);
}

constexpr TypeRule kResizeRules[] = {
    {"aten.pad.default", pad},
    {"aten.constant_pad_nd.default", constant_pad<2>},
    {"aten.reflection_pad1d.default", edge_pad<1>},
    {"aten.reflection_pad2d.default", edge_pad<2>},
    {"aten.reflection_pad3d.default", edge_pad<3>},
    {"aten.replication_pad1d.default", edge_pad<1>},
    {"aten.replication_pad2d.default", edge_pad<2>},
    {"aten.replication_pad3d.default", edge_pad<3>},
    {"aten.reflection_pad1d_backward.default", edge_pad_backward<1>},
    {"aten.reflection_pad2d_backward.default", edge_pad_backward<2>},
    {"aten.reflection_pad3d_backward.default", edge_pad_backward<3>},
    {"aten.replication_pad1d_backward.default", edge_pad_backward<1>},
    {"aten.replication_pad2d_backward.default", edge_pad_backward<2>},
    {"aten.replication_pad3d_backward.default", edge_pad_backward<3>},
    {"aten.upsample_nearest1d.default", upsample<1>},
    {"aten.upsample_nearest2d.default", upsample<2>},
    {"aten.upsample_nearest3d.default", upsample<3>},
    {"aten._upsample_nearest_exact1d.default", upsample<1>},
    {"aten._upsample_nearest_exact2d.default", upsample<2>},
    {"aten._upsample_nearest_exact3d.default", upsample<3>},
    {"aten.upsample_linear1d.default", upsample<1>},
    {"aten.upsample_bilinear2d.default", upsample<2>},
    {"aten.upsample_bicubic2d.default", upsample<2>},
    {"aten.upsample_trilinear3d.default", upsample<3>},
    {"aten._upsample_bilinear2d_aa.default", upsample<2>},
    {"aten._upsample_bicubic2d_aa.default", upsample<2>},
    {"aten._upsample_lanczos2d_aa.default", upsample<2>},
    {"aten.upsample_nearest1d.vec", upsample_vec<1, 2>},
    {"aten.upsample_nearest2d.vec", upsample_vec<2, 2>},
    {"aten.upsample_nearest3d.vec", upsample_vec<3, 2>},
    {"aten._upsample_nearest_exact1d.vec", upsample_vec<1, 2>},
    {"aten._upsample_nearest_exact2d.vec", upsample_vec<2, 2>},
    {"aten._upsample_nearest_exact3d.vec", upsample_vec<3, 2>},
    {"aten.upsample_linear1d.vec", upsample_vec<1, 3>},
    {"aten.upsample_bilinear2d.vec", upsample_vec<2, 3>},
    {"aten._upsample_bilinear2d_aa.vec", upsample_vec<2, 3>},
    {"aten._upsample_bicubic2d_aa.vec", upsample_vec<2, 3>},
    {"aten._upsample_lanczos2d_aa.vec", upsample_vec<2, 3>},
    {"aten.upsample_bicubic2d.vec", upsample_vec<2, 3>},
    {"aten.upsample_trilinear3d.vec", upsample_vec<3, 3>},
    {"aten.upsample_nearest1d_backward.default", upsample_backward<1>},
    {"aten.upsample_nearest2d_backward.default", upsample_backward<2>},
    {"aten.upsample_nearest3d_backward.default", upsample_backward_contiguous<3>},
    {"aten.upsample_linear1d_backward.default", upsample_backward<1>},
    {"aten.upsample_bilinear2d_backward.default", upsample_backward<2>},
    {"aten.upsample_bicubic2d_backward.default", upsample_backward_contiguous<2>},
    {"aten._upsample_bicubic2d_aa_backward.default", upsample_backward_contiguous<2>},
    {"aten._upsample_lanczos2d_aa_backward.default", upsample_backward_contiguous<2>},
    {"aten._upsample_bilinear2d_aa_backward.default", upsample_backward<2>},
    {"aten._upsample_nearest_exact1d_backward.default", upsample_backward<1>},
    {"aten._upsample_nearest_exact2d_backward.default", upsample_backward<2>},
    {"aten._upsample_nearest_exact3d_backward.default", upsample_backward_contiguous<3>},
    {"aten.upsample_trilinear3d_backward.default", upsample_backward<3>},
    {"aten.pixel_shuffle.default", pixel_shuffle},
    {"aten.pixel_unshuffle.default", pixel_unshuffle},
    {"aten.channel_shuffle.default", channel_shuffle},
    {"aten.native_channel_shuffle.default", channel_shuffle},
    {"aten.im2col.default", im2col},
    {"aten.col2im.default", col2im},
    {"aten.grid_sampler.default", grid_sampler},
    {"aten.grid_sampler_2d.default", grid_sampler},
    {"aten.grid_sampler_3d.default", grid_sampler},
    {"aten.grid_sampler_2d_backward.default", grid_sampler_backward},
    {"aten.grid_sampler_3d_backward.default", grid_sampler_backward},
    {"aten.affine_grid_generator.default", affine_grid},
    {"aten.affine_grid_generator_backward.default", affine_grid_backward},
};

}  // namespace

absl::Span<const TypeRule> resize_rules() { return kResizeRules; }

}  // namespace fx::shape
