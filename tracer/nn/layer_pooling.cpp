// Pooling and unpooling layers of torch.nn: the forward functions of torch/nn/modules/pooling.py,
// implemented on Proxy.
#include "fx/tracer/generated/functions.h"
#include "fx/tracer/nn/layer_settings_internal.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace fx::internal {
namespace {

/// Returns the size of the input at `dim`, where -1 is the last dimension: a number if its type
/// specifies it, otherwise a recorded call.
IntArg size_of(LayerCall& c, int64_t dim) {
  if (const std::optional<int64_t> known = c.known_size(dim)) return *known;
  return c.x().size(dim);
}

/// Returns the result of a pooling operator: the values and, if return_indices is set, their
/// indices.
Argument pooled(LayerCall& c, const Results<2>& results) {
  Argument values = result_of(results.get<0>());
  if (!c.settings.flag("return_indices", false)) return values;
  return Argument::tuple({values, result_of(results.get<1>())});
}

template <size_t dims>
Proxy avg_pool_layer(LayerCall& c) {
  const std::vector<int64_t> kernel = extents(c, "kernel_size", dims);
  const std::vector<int64_t> stride = extents(c, "stride", dims);
  const std::vector<int64_t> padding = c.settings.extent("padding", dims, 0).expanded(dims);
  const bool ceil = c.settings.flag("ceil_mode", false);
  const bool count = c.settings.flag("count_include_pad", true);
  if constexpr (dims == 1) return avg_pool1d(c.x(), kernel, stride, padding, ceil, count);
  const IntArg divisor = c.settings.optional_integer("divisor_override");
  if constexpr (dims == 2) return avg_pool2d(c.x(), kernel, stride, padding, ceil, count, divisor);
  return avg_pool3d(c.x(), kernel, stride, padding, ceil, count, divisor);
}
/// Computes the norm of each window. The sum of a window is its mean times its size.
template <size_t dims>
Proxy lp_pool_layer(LayerCall& c) {
  const double norm = c.settings.number("norm_type", 2.0);
  const std::vector<int64_t> kernel = extents(c, "kernel_size", dims);
  const std::optional<nn::Extent> given = c.settings.optional_extent("stride");
  const IntList stride = given ? IntList(extents(c, "stride", dims)) : IntList(kernel);
  const bool ceil = c.settings.flag("ceil_mode", false);
  if (std::isinf(norm)) {
    const auto max_pool = [&](const Proxy& x) {
      if constexpr (dims == 1) return max_pool1d(x, kernel, stride, 0, 1, ceil);
      if constexpr (dims == 2) return max_pool2d(x, kernel, stride, 0, 1, ceil);
      return max_pool3d(x, kernel, stride, 0, 1, ceil);
    };
    return norm > 0 ? max_pool(abs(c.x())) : -max_pool(-abs(c.x()));
  }
  const auto average = [&](const Proxy& x) {
    if constexpr (dims == 1) return avg_pool1d(x, kernel, stride, 0, ceil);
    if constexpr (dims == 2) return avg_pool2d(x, kernel, stride, 0, ceil);
    return avg_pool3d(x, kernel, stride, 0, ceil);
  };
  const Proxy out = average(pow(c.x(), norm));
  const Proxy sign_of_out = sign(out);
  const int64_t window =
      std::accumulate(kernel.begin(), kernel.end(), int64_t{1}, std::multiplies());
  return pow(sign_of_out * relu(abs(out)) * window, 1.0 / norm);
}
/// None means the size of the input.
template <size_t dims>
std::vector<IntArg> output_size(LayerCall& c) {
  const std::vector<std::optional<int64_t>> given =
      c.settings.optional_extents("output_size", dims);
  std::vector<IntArg> sizes;
  for (size_t i = 0; i < dims; ++i) {
    const int64_t dim = static_cast<int64_t>(i) - static_cast<int64_t>(dims);
    sizes.push_back(given[i] ? IntArg(*given[i]) : size_of(c, dim));
  }
  return sizes;
}
template <size_t dims>
Proxy adaptive_avg_pool_layer(LayerCall& c) {
  const IntList size(output_size<dims>(c));
  if constexpr (dims == 1) return adaptive_avg_pool1d(c.x(), size);
  if constexpr (dims == 2) return adaptive_avg_pool2d(c.x(), size);
  return adaptive_avg_pool3d(c.x(), size);
}
template <size_t dims>
Argument adaptive_max_pool_layer(LayerCall& c) {
  const IntList size(output_size<dims>(c));
  if constexpr (dims == 1) return pooled(c, adaptive_max_pool1d(c.x(), size));
  if constexpr (dims == 2) return pooled(c, adaptive_max_pool2d(c.x(), size));
  return pooled(c, adaptive_max_pool3d(c.x(), size));
}

/// `dims` selects the operator: the indices of a max pooling operator are flat positions in the
/// last `dims` dimensions.
template <size_t dims>
Argument max_pool_layer(LayerCall& c) {
  const IntList kernel = extents(c, "kernel_size", dims), stride = extents(c, "stride", dims);
  const IntList padding = c.settings.extent("padding", dims, 0).expanded(dims);
  const IntList dilation = c.settings.extent("dilation", dims, 1).expanded(dims);
  const bool ceil = c.settings.flag("ceil_mode", false);
  const auto call = [&](const auto& plain, const auto& with_indices) {
    if (!c.settings.flag("return_indices", false))
      return result_of(plain(c.x(), kernel, stride, padding, dilation, ceil, Where::current()));
    return pooled(c,
                  with_indices(c.x(), kernel, stride, padding, dilation, ceil, Where::current()));
  };
  if constexpr (dims == 1) return call(max_pool1d, max_pool1d_with_indices);
  if constexpr (dims == 2) return call(max_pool2d, max_pool2d_with_indices);
  return call(max_pool3d, max_pool3d_with_indices);
}

// ---------------------------------------------------------------- unpooling

/// True if `value` differs from `center` by less than `limit`.
bool is_within(int64_t value, int64_t center, int64_t limit) {
  int64_t distance = 0;
  return limit > 0 && !__builtin_sub_overflow(value, center, &distance) && distance > -limit &&
         distance < limit;
}

/// Implements torch.nn.functional's _unpool_output_size. Returns the sizes of the last `dims`
/// dimensions: those of the output_size passed to the call, which may list only these or all
/// dimensions, or by default the input size of a pooling layer with these settings.
template <size_t dims>
std::vector<IntArg> unpooled_size(LayerCall& c) {
  const std::vector<int64_t> kernel = extents(c, "kernel_size", dims);
  const std::vector<int64_t> stride = extents(c, "stride", dims);
  const std::vector<int64_t> padding = c.settings.extent("padding", dims, 0).expanded(dims);
  const std::vector<Argument> given = given_output_size(c, dims, 2);
  if (!c.tracer.status().ok()) return {};
  std::vector<IntArg> sizes;
  for (size_t i = 0; i < dims; ++i) {
    const int64_t dim = static_cast<int64_t>(i) - static_cast<int64_t>(dims);
    if (given.empty()) {
      sizes.push_back(as_integer(c, covered_size(c, dim, {kernel[i], stride[i], padding[i], 1})));
      continue;
    }
    sizes.push_back(as_integer(c, given[i]));
    if (!given[i].is_int() || !c.known_size(dim)) continue;
    const Argument usual = covered_size(c, dim, {kernel[i], stride[i], padding[i], 1});
    if (!usual.is_int()) return {};
    if (is_within(given[i].as_int(), usual.as_int(), stride[i])) continue;
    c.tracer.fail(absl::InvalidArgumentError(fmt::format(
        "the output_size of a {} has {} for dimension {}; expected a number that differs from {} "
        "by less than {}",
        c.layer.class_name(), given[i].as_int(), dim, usual.as_int(), stride[i])));
    return {};
  }
  return sizes;
}
template <size_t dims>
Proxy max_unpool_layer(LayerCall& c) {
  std::vector<IntArg> size = unpooled_size<dims>(c);
  const Proxy& indices = c.inputs[1];
  if constexpr (dims == 1) {
    size.emplace_back(1);
    const Proxy values = unsqueeze(c.x(), -1), at = unsqueeze(indices, -1);
    return max_unpool2d(values, at, IntList(size)).squeeze({-1});
  }
  if constexpr (dims == 2) return max_unpool2d(c.x(), indices, IntList(size));
  return max_unpool3d(c.x(), indices, IntList(size), extents(c, "stride", dims),
                      c.settings.extent("padding", dims, 0).expanded(dims));
}

// ---------------------------------------------------------------- fractional pooling

/// Implements torch.nn.functional.fractional_max_pool2d and 3d.
template <size_t dims>
Argument fractional_max_pool_layer(LayerCall& c) {
  const Type type = c.x().node()->type();
  const std::vector<double> ratios = c.settings.numbers("output_ratio");
  const bool is_batched = c.is_batched(dims + 2);
  if (!c.tracer.status().ok()) return Argument();
  std::vector<IntArg> size;
  for (size_t i = 0; i < dims && !ratios.empty(); ++i) {
    const int64_t dim = static_cast<int64_t>(i) - static_cast<int64_t>(dims);
    const std::optional<int64_t> known = c.known_size(dim);
    if (!known || (ratios.size() != 1 && ratios.size() != dims)) {
      c.tracer.fail(absl::InvalidArgumentError(fmt::format(
          "a {} with an output_ratio requires one ratio or {} ratios, and an input whose sizes "
          "are known",
          c.layer.class_name(), dims)));
      return Argument();
    }
    const double ratio = ratios[ratios.size() == 1 ? 0 : i];
    const double scaled = static_cast<double>(*known) * ratio;
    const bool is_valid = ratio > 0 && ratio < 1 && scaled < 0x1p53;
    if (!is_valid)
      c.settings.reject_setting("output_ratio",
                                "a number between 0 and 1, for an output size less than 2^53");
    size.emplace_back(is_valid ? static_cast<int64_t>(scaled) : 0);
  }
  const IntList to = ratios.empty() ? IntList(extents(c, "output_size", dims)) : IntList(size);
  const auto samples = [&] {
    if (c.settings.has("_random_samples")) return c.attribute("_random_samples");
    const int64_t channels = -1 - static_cast<int64_t>(dims);
    const IntArg batch = !is_batched ? IntArg(1) : size_of(c, channels - 1);
    const std::vector<IntArg> sizes = {batch, size_of(c, channels), IntArg(dims)};
    return rand(c.tracer, IntList(sizes), type.dtype(), {}, type.device());
  }();
  const IntList kernel = extents(c, "kernel_size", dims);
  if constexpr (dims == 2) return pooled(c, fractional_max_pool2d(c.x(), kernel, to, samples));
  return pooled(c, fractional_max_pool3d(c.x(), kernel, to, samples));
}

constexpr LayerFunction kPoolingLayers[] = {
    {"torch.nn.modules.pooling.AdaptiveAvgPool1d", "input", adaptive_avg_pool_layer<1>},
    {"torch.nn.modules.pooling.AdaptiveAvgPool2d", "input", adaptive_avg_pool_layer<2>},
    {"torch.nn.modules.pooling.AdaptiveAvgPool3d", "input", adaptive_avg_pool_layer<3>},
    {"torch.nn.modules.pooling.AdaptiveMaxPool1d", "input", nullptr, adaptive_max_pool_layer<1>},
    {"torch.nn.modules.pooling.AdaptiveMaxPool2d", "input", nullptr, adaptive_max_pool_layer<2>},
    {"torch.nn.modules.pooling.AdaptiveMaxPool3d", "input", nullptr, adaptive_max_pool_layer<3>},
    {"torch.nn.modules.pooling.AvgPool1d", "input", avg_pool_layer<1>},
    {"torch.nn.modules.pooling.AvgPool2d", "input", avg_pool_layer<2>},
    {"torch.nn.modules.pooling.AvgPool3d", "input", avg_pool_layer<3>},
    {"torch.nn.modules.pooling.FractionalMaxPool2d", "input", nullptr,
     fractional_max_pool_layer<2>},
    {"torch.nn.modules.pooling.FractionalMaxPool3d", "input", nullptr,
     fractional_max_pool_layer<3>},
    {"torch.nn.modules.pooling.LPPool1d", "input", lp_pool_layer<1>},
    {"torch.nn.modules.pooling.LPPool2d", "input", lp_pool_layer<2>},
    {"torch.nn.modules.pooling.LPPool3d", "input", lp_pool_layer<3>},
    {"torch.nn.modules.pooling.MaxPool1d", "input", nullptr, max_pool_layer<1>},
    {"torch.nn.modules.pooling.MaxPool2d", "input", nullptr, max_pool_layer<2>},
    {"torch.nn.modules.pooling.MaxPool3d", "input", nullptr, max_pool_layer<3>},
    {"torch.nn.modules.pooling.MaxUnpool1d", "input, indices, output_size=None",
     max_unpool_layer<1>},
    {"torch.nn.modules.pooling.MaxUnpool2d", "input, indices, output_size=None",
     max_unpool_layer<2>},
    {"torch.nn.modules.pooling.MaxUnpool3d", "input, indices, output_size=None",
     max_unpool_layer<3>},
};
static_assert(std::ranges::is_sorted(kPoolingLayers, {}, &LayerFunction::class_name));

}  // namespace

absl::Span<const LayerFunction> pooling_layers() { return kPoolingLayers; }

}  // namespace fx::internal
