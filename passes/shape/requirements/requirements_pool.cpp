// Requirements of pooling, padding, resizing and sampling.
#include "fx/passes/shape/requirements/requirements_internal.h"

#include "fmt/format.h"

#include <algorithm>

namespace fx::shape {
namespace {

/// An input with `n` spatial dimensions, with or without a batch, of which only the batch may be
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

/// fractional_max_pool(self, kernel_size, output_size, random_samples)
template <int n>
bool fractional_max_pool(TypeCall& c) {
  const Type x = c.tensor(0), samples = c.tensor(3);
  if (!input<n>(c) || !has_count(c, 1, n, true) || !has_count(c, 2, n, true) ||
      !has_rank(c, 3, 3) || !has_size(c, 3, 2, Dim(n)))
    return false;
  const auto sizes = x.sizes();
  const auto channels = sizes.size() - n - 1;
  if (!has_size(c, 3, 1, sizes[channels])) return false;
  const Dim batch = channels == 0 ? Dim(1) : sizes[0];
  if (!c.guard_less_equal(batch, samples.sizes()[0])) {
    c.fail_argument(3, "samples for the whole batch");
    return false;
  }
  const DimVector kernel = c.dims(1, n), output = c.dims(2, n);
  for (size_t i = 0; i < n; ++i) {
    if (c.guard_less_equal(output[i] + kernel[i] - 1, sizes[sizes.size() - n + i])) continue;
    c.fail(fmt::format("{} windows of {} over {} elements", to_string(output[i]),
                       to_string(kernel[i]), to_string(sizes[sizes.size() - n + i])));
    return false;
  }
  return true;
}
/// fractional_max_pool_backward(grad, self, kernel_size, output_size, indices)
template <int n>
bool fractional_max_pool_backward(TypeCall& c) {
  const Type x = c.tensor(1);
  if (!has_rank(c, 1, n + 1, n + 2) || !has_count(c, 3, n)) return false;
  const DimVector output = c.dims(3, n);
  DimVector sizes(x.sizes().begin(), x.sizes().end() - n);
  sizes.insert(sizes.end(), output.begin(), output.end());
  return has_sizes(c, 0, sizes) && has_sizes(c, 4, sizes);
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

/// Padding of `n` dimensions.
template <int n>
bool pad(TypeCall& c) {
  return has_count(c, 1, 2 * n) && input<n>(c);
}
/// pad_backward(grad, self, padding): the kernels check the padded dimensions of the gradient.
/// Reflection ignores what follows in a longer list.
template <int n, bool is_reflection = false>
bool pad_backward(TypeCall& c) {
  const Type x = c.tensor(1);
  const DimVector padding = c.dims(2);
  if (!is_reflection || padding.size() < 2 * n) {
    if (!has_count(c, 2, 2 * n)) return false;
  }
  if (!has_rank(c, 1, n + 1, kAnyRank)) return false;
  for (size_t i = 0; i < n && padding.size() >= 2 * n; ++i) {
    const Dim size = x.sizes()[x.sizes().size() - 1 - i] + padding[2 * i] + padding[2 * i + 1];
    if (!has_size(c, 0, -1 - static_cast<int>(i), size)) return false;
  }
  return true;
}

/// upsample(self, output_size)
template <int n>
bool upsample(TypeCall& c) {
  return has_rank(c, 0, n + 2) && is_not_empty_from(c, 0, 1) && has_count(c, 1, n) &&
         is_at_least(c, 1, 1);
}
/// upsample_backward(grad, output_size, input_size)
template <int n>
bool upsample_backward(TypeCall& c) {
  return has_count(c, 1, n) && has_count(c, 2, n + 2) && is_at_least(c, 1, 1);
}

/// grid_sampler(input, grid), and its gradient, where both have one argument before.
template <int first>
bool grid_sampler(TypeCall& c) {
  const Type x = c.tensor(first);
  if (!has_rank(c, first, 4, 5) || !has_rank(c, first + 1, x.rank()) ||
      !has_size(c, first + 1, -1, Dim(x.rank() - 2)) || !has_size(c, first + 1, 0, x.sizes()[0]) ||
      !is_not_empty_from(c, first, 2))
    return false;
  return true;
}

constexpr Requirement kPoolRequirements[] = {
    {"aten.avg_pool1d.default", input<1>},
    {"aten.avg_pool2d.default", input<2>},
    {"aten.avg_pool3d.default", input<3>},
    {"aten.max_pool1d.default", input<1>},
    {"aten.max_pool2d.default", input<2>},
    {"aten.max_pool3d.default", input<3>},
    {"aten.max_pool1d_with_indices.default", input<1>},
    {"aten.max_pool2d_with_indices.default", input<2>},
    {"aten.max_pool3d_with_indices.default", input<3>},
    {"aten.adaptive_avg_pool1d.default", adaptive_input<1>},
    {"aten.adaptive_avg_pool2d.default", adaptive_input<2>},
    {"aten._adaptive_avg_pool2d.default", adaptive_input<2>},
    {"aten.adaptive_avg_pool3d.default", adaptive_input<3>},
    {"aten._adaptive_avg_pool3d.default", adaptive_input<3>},
    {"aten.adaptive_max_pool1d.default", adaptive_input<1>},
    {"aten.adaptive_max_pool2d.default", adaptive_input<2>},
    {"aten.adaptive_max_pool3d.default", adaptive_input<3>},
    {"aten.fractional_max_pool2d.default", fractional_max_pool<2>},
    {"aten.fractional_max_pool3d.default", fractional_max_pool<3>},
    {"aten.fractional_max_pool2d_backward.default", fractional_max_pool_backward<2>},
    {"aten.fractional_max_pool3d_backward.default", fractional_max_pool_backward<3>},
    {"aten.im2col.default", im2col},
    {"aten.col2im.default", col2im},
    {"aten.reflection_pad1d.default", pad<1>},
    {"aten.reflection_pad2d.default", pad<2>},
    {"aten.reflection_pad3d.default", pad<3>},
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
    {"aten.grid_sampler.default", grid_sampler<0>},
    {"aten.grid_sampler_2d.default", grid_sampler<0>},
    {"aten.grid_sampler_3d.default", grid_sampler<0>},
    {"aten.grid_sampler_2d_backward.default", grid_sampler<1>},
    {"aten.grid_sampler_3d_backward.default", grid_sampler<1>},
};

}  // namespace

absl::Span<const Requirement> pool_requirements() { return kPoolRequirements; }

}  // namespace fx::shape
