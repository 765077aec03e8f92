// Requirements for pooling, padding, resizing and sampling.
#include "fx/passes/shape/requirements/requirements_internal.h"

#include "fmt/format.h"

#include <algorithm>

namespace fx::shape {
namespace {

/// The input has `n` spatial dimensions, with or without a batch; only the batch may be
/// empty.
template <int n>
bool input(TypeCall& c) {
  return has_rank(c, 0, n + 1, n + 2) && is_not_empty_from(c, 0, c.tensor(0).rank() - n - 1);
}
/// The batch and the channels may be empty.
template <int n>
bool adaptive_input(TypeCall& c) {
  return is_not_empty_from(c, 0, c.tensor(0).rank() - n) && is_at_least(c, 1, 0) &&
         has_count(c, 1, n);
}
/// adaptive_avg_pool: with output sizes of 1, it is a mean, which may be of no elements.
template <int n>
bool adaptive_avg_input(TypeCall& c) {
  const DimVector output_sizes = c.dims(1);
  if (output_sizes != DimVector(n, Dim(1))) return adaptive_input<n>(c);
  return has_rank(c, 0, n == 1 ? 2 : n, n == 1 ? 3 : kAnyRank);
}

/// Only the batch of the input may be empty, and only the first dimension counts as the batch.
template <int n>
bool adaptive_max_input(TypeCall& c) {
  return has_rank(c, 0, n + 1, n + 2) && is_not_empty_from(c, 0, 1) && adaptive_input<n>(c);
}
/// adaptive_avg_pool_backward(grad, self)
bool adaptive_avg_pool_backward(TypeCall& c) { return has_rank(c, 0, c.tensor(1).rank()); }

/// adaptive_max_pool_backward(grad, self, indices)
template <int n>
bool adaptive_max_pool_backward(TypeCall& c) {
  return has_rank(c, 0, n + 1, n + 2) && is_not_empty_from(c, 0, 1) && has_sizes_of(c, 0, 2) &&
         has_rank(c, 1, c.tensor(0).rank());
}

/// max_unpool(self, indices, output_size, stride, padding)
template <int n>
bool max_unpool(TypeCall& c) {
  return has_count(c, 2, n) && has_count(c, 3, n) && has_count(c, 4, n) && is_at_least(c, 3, 1);
}

/// fractional_max_pool(self, kernel_size, output_size, random_samples)
template <int n>
bool fractional_max_pool(TypeCall& c) {
  const Type x = c.tensor(0), samples = c.tensor(3);
  if (!input<n>(c) || !has_count(c, 1, n) || !has_count(c, 2, n) || !has_rank(c, 3, 3) ||
      !has_size(c, 3, 2, Dim(n)))
    return false;
  const auto sizes = x.sizes();
  const auto channels = sizes.size() - n - 1;
  if (!has_size(c, 3, 1, sizes[channels])) return false;
  const Dim batch = channels == 0 ? Dim(1) : sizes[0];
  if (!c.guard_less_equal(batch, samples.sizes()[0])) {
    c.fail_argument(3, "a tensor with samples for all items of the batch");
    return false;
  }
  const DimVector kernel = c.dims(1, n), output = c.dims(2, n);
  for (size_t i = 0; i < n; ++i) {
    if (c.guard_less_equal(output[i] + kernel[i] - 1, sizes[sizes.size() - n + i])) continue;
    c.fail(fmt::format("{} windows of size {} do not fit into {} elements", to_string(output[i]),
                       to_string(kernel[i]), to_string(sizes[sizes.size() - n + i])));
    return false;
  }
  return true;
}
/// fractional_max_pool_backward(grad, self, kernel_size, output_size, indices): the kernel checks
/// only the pooled dimensions of the gradient; it uses an element of gradient and indices for each
/// window.
template <int n>
bool fractional_max_pool_backward(TypeCall& c) {
  const Type x = c.tensor(1);
  const DimVector output = c.dims(3);  // later items of the list are ignored
  if (!has_rank(c, 1, n + 1, n + 2) || (output.size() < n && !has_count(c, 3, n))) return false;
  if (!has_rank(c, 0, x.rank(), kAnyRank)) return false;
  Dim windows = numel(x.sizes().first(x.sizes().size() - n));
  for (size_t i = 0; i < n; ++i) {
    if (!has_size(c, 0, x.rank() - n + static_cast<int>(i), output[i])) return false;
    windows *= output[i];
  }
  for (int i : {0, 4}) {
    if (c.guard_less_equal(windows, numel(c.tensor(i).sizes()))) continue;
    c.fail_argument(i, fmt::format("a tensor with at least {} elements", to_string(windows)));
    return false;
  }
  return true;
}

/// im2col(self, kernel_size, dilation, padding, stride)
bool im2col(TypeCall& c) {
  const Type x = c.tensor(0);
  for (int i = 1; i <= 4; ++i)
    if (!has_count(c, i, 2) || !is_at_least(c, i, i == 3 ? 0 : 1)) return false;
  return has_rank(c, 0, 3, 4) && is_not_empty_from(c, 0, x.rank() - 3);
}
/// col2im(self, output_size, kernel_size, dilation, padding, stride)
bool col2im(TypeCall& c) {
  for (int i = 1; i <= 5; ++i)
    if (!has_count(c, i, 2) || !is_at_least(c, i, i == 4 ? 0 : 1)) return false;
  return has_rank(c, 0, 2, 3) && is_not_empty_from(c, 0, c.tensor(0).rank() - 2);
}

/// Padding of the last `n` dimensions.
template <int n>
bool pad(TypeCall& c) {
  return has_count(c, 1, 2 * n) && input<n>(c);
}
/// Reflection padding must be smaller than the size.
bool is_less_than_size(TypeCall& c, int padding, const Dim& before, const Dim& after,
                       const Dim& size) {
  if (c.guard_less_equal(before + 1, size) && c.guard_less_equal(after + 1, size)) return true;
  c.fail_argument(padding, fmt::format("less than {}, the size of the dimension", to_string(size)));
  return false;
}

template <int n>
bool reflection_pad(TypeCall& c) {
  if (!pad<n>(c)) return false;
  const auto sizes = c.tensor(0).sizes();
  const DimVector padding = c.dims(1);
  for (size_t i = 0; i < n; ++i)
    if (!is_less_than_size(c, 1, padding[2 * i], padding[2 * i + 1], sizes[sizes.size() - 1 - i]))
      return false;
  return true;
}

/// pad(self, pad, mode, value): modes other than "constant" pad the last one, two or three
/// dimensions of a tensor that has one or two more dimensions.
bool pad_by_mode(TypeCall& c) {
  if (!is_one_of(c, 2, {"constant", "reflect", "replicate", "circular"})) return false;
  const auto mode = c.argument(2).as_string();
  if (!mode || *mode == "constant") return true;
  const Type x = c.tensor(0);
  const DimVector padding = c.dims(1);
  const auto padded = static_cast<int>(padding.size() / 2);
  if (padding.size() % 2 != 0 || padded < 1 || padded > 3) {
    c.fail_argument(1, "a list of 2, 4 or 6 items");
    return false;
  }
  if (!has_rank(c, 0, padded + 1, padded + 2)) return false;
  if (*mode == "circular") {  // wraps around at most once
    for (size_t i = 0; i < padding.size(); ++i) {
      const Dim& size = x.sizes()[x.sizes().size() - 1 - i / 2];
      if (c.guard_less_equal(padding[i], size)) continue;
      c.fail_argument(1, fmt::format("at most {}, the size of the dimension", to_string(size)));
      return false;
    }
    return true;
  }
  if (!is_not_empty_from(c, 0, x.rank() - padded - 1)) return false;
  if (*mode != "reflect") return true;
  for (size_t i = 0; i < static_cast<size_t>(padded); ++i)
    if (!is_less_than_size(c, 1, padding[2 * i], padding[2 * i + 1],
                           x.sizes()[x.sizes().size() - 1 - i]))
      return false;
  return true;
}

/// pad_backward(grad, self, padding): the kernels check the padded dimensions of the gradient, and
/// with three dimensions also the channels. They count dimensions from the front, with a batch if
/// the input has rank n + 2. Reflection ignores the remaining items of a longer list.
template <int n, bool is_reflection = false>
bool pad_backward(TypeCall& c) {
  const Type x = c.tensor(1);
  const DimVector padding = c.dims(2);
  if (!is_reflection || n == 3 || padding.size() < 2 * n) {
    if (!has_count(c, 2, 2 * n)) return false;
  }
  if (!has_rank(c, 1, n + 1, kAnyRank)) return false;
  const size_t first = x.rank() == n + 2 ? 2 : 1;
  if (n == 3 && !is_reflection &&
      !has_size(c, 0, static_cast<int>(first) - 1, x.sizes()[first - 1]))
    return false;
  for (size_t i = 0; i < n && padding.size() >= 2 * n; ++i) {
    const size_t d = first + n - 1 - i;
    const Dim &before = padding[2 * i], &after = padding[2 * i + 1], &size = x.sizes()[d];
    if (n == 1 && is_reflection && !is_less_than_size(c, 2, before, after, size)) return false;
    if (!has_size(c, 0, static_cast<int>(d), size + before + after)) return false;
  }
  return true;
}

/// channel_shuffle(self, groups)
bool channel_shuffle(TypeCall& c) {
  if (!has_rank(c, 0, 3, kAnyRank) || !is_at_least(c, 1, 1)) return false;
  const auto groups = c.argument(1).as_dim();
  if (!groups || c.guard_equal(mod(c.tensor(0).sizes()[1], *groups), 0)) return true;
  c.fail_argument(1,
                  fmt::format("a divisor of the {} channels", to_string(c.tensor(0).sizes()[1])));
  return false;
}

/// avg_pool(self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor)
template <int n>
bool avg_pool(TypeCall& c) {
  const auto divisor = c.argument(6).as_dim();
  if (!divisor || *divisor != Dim(0)) return input<n>(c);
  c.fail_argument(6, "a nonzero divisor");
  return false;
}

/// upsample(self, output_size)
template <int n>
bool upsample(TypeCall& c) {
  return has_rank(c, 0, n + 2) && is_not_empty_from(c, 0, 1) && has_count(c, 1, n) &&
         is_at_least(c, 1, 1);
}
/// upsample(input, output_size, scale_factors), or with align_corners before the scale factors
template <int n>
bool upsample_vec(TypeCall& c) {
  return has_rank(c, 0, n + 2) && is_not_empty_from(c, 0, 1) && has_count(c, 1, n) &&
         is_at_least(c, 1, 1) && has_count(c, 2, n) && has_count(c, 3, n);
}
/// upsample_backward(grad, output_size, input_size)
template <int n>
bool upsample_backward(TypeCall& c) {
  if (!has_count(c, 1, n) || !has_count(c, 2, n + 2) || !is_at_least(c, 1, 1)) return false;
  const DimVector sizes = c.dims(2);
  for (size_t d = 2; d < sizes.size(); ++d) {
    if (c.guard_less_equal(1, sizes[d])) continue;
    c.fail_argument(2, "a list with spatial sizes of at least 1");
    return false;
  }
  return true;
}

/// grid_sampler(input, grid), and its gradient, where input and grid follow the gradient.
template <int first>
bool grid_sampler(TypeCall& c) {
  const Type x = c.tensor(first);
  if (first == 1 && !has_rank(c, 0, x.rank(), x.rank() == 4 ? 4 : kAnyRank)) return false;
  if (!has_rank(c, first, 4, 5) || !has_rank(c, first + 1, x.rank()) ||
      !has_size(c, first + 1, -1, Dim(x.rank() - 2)) || !has_size(c, first + 1, 0, x.sizes()[0]) ||
      !is_not_empty_from(c, first, 2))
    return false;
  return true;
}

constexpr Requirement kPoolRequirements[] = {
    {"aten.avg_pool1d.default", input<1>},
    {"aten.avg_pool2d.default", avg_pool<2>},
    {"aten.avg_pool3d.default", avg_pool<3>},
    {"aten.max_pool1d.default", input<1>},
    {"aten.max_pool2d.default", input<2>},
    {"aten.max_pool3d.default", input<3>},
    {"aten.max_pool1d_with_indices.default", input<1>},
    {"aten.max_pool2d_with_indices.default", input<2>},
    {"aten.max_pool3d_with_indices.default", input<3>},
    {"aten.adaptive_avg_pool1d.default", adaptive_avg_input<1>},
    {"aten.adaptive_avg_pool2d.default", adaptive_avg_input<2>},
    {"aten._adaptive_avg_pool2d.default", adaptive_input<2>},
    {"aten.adaptive_avg_pool3d.default", adaptive_avg_input<3>},
    {"aten._adaptive_avg_pool3d.default", adaptive_input<3>},
    {"aten.adaptive_max_pool1d.default", adaptive_max_input<1>},
    {"aten.adaptive_max_pool2d.default", adaptive_max_input<2>},
    {"aten.adaptive_max_pool3d.default", adaptive_max_input<3>},
    {"aten._adaptive_avg_pool2d_backward.default", adaptive_avg_pool_backward},
    {"aten._adaptive_avg_pool3d_backward.default", adaptive_avg_pool_backward},
    {"aten.adaptive_max_pool2d_backward.default", adaptive_max_pool_backward<2>},
    {"aten.adaptive_max_pool3d_backward.default", adaptive_max_pool_backward<3>},
    {"aten.fractional_max_pool2d.default", fractional_max_pool<2>},
    {"aten.fractional_max_pool3d.default", fractional_max_pool<3>},
    {"aten.fractional_max_pool2d_backward.default", fractional_max_pool_backward<2>},
    {"aten.fractional_max_pool3d_backward.default", fractional_max_pool_backward<3>},
    {"aten.max_unpool2d.default", max_unpool<2>},
    {"aten.max_unpool3d.default", max_unpool<3>},
    {"aten.im2col.default", im2col},
    {"aten.col2im.default", col2im},
    {"aten.pad.default", pad_by_mode},
    {"aten.reflection_pad1d.default", reflection_pad<1>},
    {"aten.reflection_pad2d.default", reflection_pad<2>},
    {"aten.reflection_pad3d.default", reflection_pad<3>},
    {"aten.replication_pad1d.default", pad<1>},
    {"aten.replication_pad2d.default", pad<2>},
    {"aten.replication_pad3d.default", pad<3>},
    {"aten.reflection_pad1d_backward.default", pad_backward<1, true>},
    {"aten.reflection_pad2d_backward.default", pad_backward<2, true>},
    {"aten.reflection_pad3d_backward.default", pad_backward<3, true>},
    {"aten.replication_pad1d_backward.default", pad_backward<1>},
    {"aten.replication_pad2d_backward.default", pad_backward<2>},
    {"aten.replication_pad3d_backward.default", pad_backward<3>},
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
    {"aten.upsample_nearest1d_backward.default", upsample_backward<1>},
    {"aten.upsample_nearest2d_backward.default", upsample_backward<2>},
    {"aten.upsample_nearest3d_backward.default", upsample_backward<3>},
    {"aten.upsample_linear1d_backward.default", upsample_backward<1>},
    {"aten.upsample_bilinear2d_backward.default", upsample_backward<2>},
    {"aten.upsample_bicubic2d_backward.default", upsample_backward<2>},
    {"aten.upsample_trilinear3d_backward.default", upsample_backward<3>},
    {"aten.upsample_nearest1d.vec", upsample_vec<1>},
    {"aten.upsample_nearest2d.vec", upsample_vec<2>},
    {"aten.upsample_nearest3d.vec", upsample_vec<3>},
    {"aten._upsample_nearest_exact1d.vec", upsample_vec<1>},
    {"aten._upsample_nearest_exact2d.vec", upsample_vec<2>},
    {"aten._upsample_nearest_exact3d.vec", upsample_vec<3>},
    {"aten.upsample_linear1d.vec", upsample_vec<1>},
    {"aten.upsample_bilinear2d.vec", upsample_vec<2>},
    {"aten.upsample_bicubic2d.vec", upsample_vec<2>},
    {"aten.upsample_trilinear3d.vec", upsample_vec<3>},
    {"aten._upsample_bilinear2d_aa.vec", upsample_vec<2>},
    {"aten._upsample_bicubic2d_aa.vec", upsample_vec<2>},
    {"aten._upsample_nearest_exact1d_backward.default", upsample_backward<1>},
    {"aten._upsample_nearest_exact2d_backward.default", upsample_backward<2>},
    {"aten._upsample_nearest_exact3d_backward.default", upsample_backward<3>},
    {"aten._upsample_bilinear2d_aa_backward.default", upsample_backward<2>},
    {"aten._upsample_bicubic2d_aa_backward.default", upsample_backward<2>},
    {"aten.channel_shuffle.default", channel_shuffle},
    {"aten.native_channel_shuffle.default", channel_shuffle},
    {"aten.grid_sampler.default", grid_sampler<0>},
    {"aten.grid_sampler_2d.default", grid_sampler<0>},
    {"aten.grid_sampler_3d.default", grid_sampler<0>},
    {"aten.grid_sampler_2d_backward.default", grid_sampler<1>},
    {"aten.grid_sampler_3d_backward.default", grid_sampler<1>},
};

}  // namespace

absl::Span<const Requirement> pool_requirements() { return kPoolRequirements; }

}  // namespace fx::shape
