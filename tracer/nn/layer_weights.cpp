// Layers of torch.nn with weights, except recurrent layers and attention: each forward follows
// torch/nn/modules.
#include "fx/tracer/generated/functions.h"
#include "fx/tracer/nn/layer_settings_internal.h"

#include <algorithm>

namespace fx::internal {
namespace {

// ---------------------------------------------------------------- norms

/// Implements torch.nn.functional.local_response_norm. A pooling operator averages over adjacent
/// channels.
Proxy local_response_norm_layer(LayerCall& c) {
  const int64_t size = c.settings.positive("size", 1);
  if (c.rank < 3) {
    c.tracer.fail(
        absl::InvalidArgumentError("the input of a LocalResponseNorm must have rank 3 or more; "
                                   "propagate types first, so that the rank is known"));
    return c.x();
  }
  const int64_t before = size / 2, after = (size - 1) / 2;
  Proxy sum = (c.x() * c.x()).unsqueeze(1);
  if (c.rank == 3) {
    sum = avg_pool2d(pad(sum, {0, 0, before, after}), {size, 1}, 1).squeeze({1});
  } else {
    if (c.rank > 4) sum = sum.flatten(4);
    sum = avg_pool3d(pad(sum, {0, 0, 0, 0, before, after}), {size, 1, 1}, 1).squeeze({1});
    if (c.rank > 4) sum = sum.view_as(c.x());
  }
  const Proxy scaled = sum * c.settings.number("alpha", 1e-4) + c.settings.number("k", 1.0);
  return c.x() / pow(scaled, c.settings.number("beta", 0.75));
}

/// Returns the momentum of running statistics. torch passes 0 for None.
double momentum_of(LayerCall& c) {
  return c.settings.is_none("momentum") ? 0.0 : c.settings.number("momentum", 0.1);
}

/// Normalizes each channel. Adds a batch dimension for the call if there is none.
template <int dims>
Proxy instance_norm_layer(LayerCall& c) {
  const bool is_batched = c.is_batched(dims + 2);
  const bool tracks = c.settings.flag("track_running_stats", false);
  const OptionalTensor weight = c.tensor("weight"), bias = c.tensor("bias");
  const OptionalTensor mean = c.tensor("running_mean"), var = c.tensor("running_var");
  const Proxy normalized = instance_norm(is_batched ? c.x() : c.x().unsqueeze(0), weight, bias,
                                         mean, var, c.layer.training() || !tracks, momentum_of(c),
                                         c.settings.number("eps", 1e-5), true);
  return is_batched ? normalized : normalized.squeeze({0});
}
Proxy rms_norm_layer(LayerCall& c) {
  return rms_norm(c.x(), c.settings.extent("normalized_shape", 0).values(), c.tensor("weight"),
                  c.settings.optional_number("eps"));
}

/// A layer that tracks statistics counts its batches in training mode. Without a momentum, the
/// statistics are the average of those of all batches.
Proxy batch_norm_layer(LayerCall& c) {
  const bool tracks = c.settings.has("running_mean"), trains = c.layer.training();
  FloatArg momentum = momentum_of(c);
  if (trains && tracks) {
    const Proxy count = c.required("num_batches_tracked");
    count.add_(1);
    if (c.settings.is_none("momentum")) {
      const Proxy number = c.tracer.call_function("aten.item.default", {count});
      momentum = c.tracer.call_function("operator.truediv", {1.0, number});
    }
  }
  const OptionalTensor weight = c.tensor("weight"), bias = c.tensor("bias");
  const OptionalTensor mean = c.tensor("running_mean"), var = c.tensor("running_var");
  return batch_norm(c.x(), weight, bias, mean, var, trains || !tracks, momentum,
                    c.settings.number("eps", 1e-5), true);
}
Proxy layer_norm_layer(LayerCall& c) {
  const std::vector<int64_t> shape = c.settings.extent("normalized_shape", 0).values();
  if (c.settings.has("weight")) c.settings.has_sizes("weight", shape, "normalized_shape");
  const OptionalTensor weight = c.tensor("weight"), bias = c.tensor("bias");
  return layer_norm(c.x(), shape, weight, bias, c.settings.number("eps", 1e-5));
}
Proxy group_norm_layer(LayerCall& c) {
  const OptionalTensor weight = c.tensor("weight"), bias = c.tensor("bias");
  return group_norm(c.x(), c.settings.integer("num_groups"), weight, bias,
                    c.settings.number("eps", 1e-5));
}

// ---------------------------------------------------------------- convolutions

/// Returns the padding of a convolution with a mode other than zeros, in the form of `pad`:
/// starting with the last dimension, before and after.
std::vector<int64_t> padding_widths(LayerCall& c, std::string_view named, size_t dims) {
  std::vector<int64_t> widths;
  if (named == "valid") return std::vector<int64_t>(2 * dims, 0);
  if (named.empty()) {
    const std::vector<int64_t> padding = extents(c, "padding", dims);
    for (size_t i = dims; i-- > 0;) widths.insert(widths.end(), {padding[i], padding[i]});
    return widths;
  }
  const std::vector<int64_t> kernel = extents(c, "kernel_size", dims);
  const std::vector<int64_t> dilation = extents(c, "dilation", dims);
  for (size_t i = dims; i-- > 0;) {
    int64_t total = 0;
    if (__builtin_mul_overflow(dilation[i], kernel[i] - 1, &total))
      c.settings.reject_setting("dilation", "a dilation for which the padding fits in 64 bits");
    widths.insert(widths.end(), {total / 2, total - total / 2});
  }
  return widths;
}
/// The padding is a number for each dimension, or "same" or "valid".
template <size_t dims>
Proxy conv(LayerCall& c) {
  const IntList stride = c.settings.extent("stride", dims, 1).expanded(dims);
  const IntList dilation = c.settings.extent("dilation", dims, 1).expanded(dims);
  const int64_t groups = c.settings.positive("groups", 1);
  const std::string mode = c.settings.text("padding_mode", "zeros");
  const Argument* const padding = c.layer.hyperparameter("padding");
  const std::string named = padding && padding->is_string() ? c.settings.text("padding", "") : "";
  if (!named.empty() && named != "same" && named != "valid")
    c.settings.reject_setting("padding", "integers, \"same\" or \"valid\"");
  if (mode != "zeros" && mode != "reflect" && mode != "replicate" && mode != "circular")
    c.settings.reject_setting("padding_mode", "zeros, reflect, replicate or circular");
  if (!c.settings.has("weight")) {
    c.tracer.fail(
        absl::InvalidArgumentError(fmt::format("a {} must have a weight", c.layer.class_name())));
    return c.x();
  }
  const auto call = [&](const Proxy& x, const auto& by) {
    const Proxy weight = c.attribute("weight");
    const OptionalTensor bias = c.tensor("bias");
    if constexpr (dims == 1) {
      return conv1d(x, weight, bias, stride, by, dilation, groups);
    } else if constexpr (dims == 2) {
      return conv2d(x, weight, bias, stride, by, dilation, groups);
    } else {
      return conv3d(x, weight, bias, stride, by, dilation, groups);
    }
  };
  if (mode != "zeros") {
    const Proxy padded = pad(c.x(), padding_widths(c, named, dims), mode);
    return call(padded, IntList(std::vector<int64_t>(dims, 0)));
  }
  if (!named.empty()) return call(c.x(), StringArg(named));
  return call(c.x(), IntList(c.settings.extent("padding", dims, 0).expanded(dims)));
}

/// Implements _ConvTransposeNd._output_padding: the setting, or the difference between the
/// output_size passed to the call and the least possible size.
template <size_t dims>
IntList output_padding_of(LayerCall& c) {
  const size_t others = c.rank >= 0 ? static_cast<size_t>(c.rank) - dims : 2;
  const std::vector<Argument> given =
      given_output_size(c, dims, others == 1 || others == 2 ? others : 2);
  if (given.empty()) return c.settings.extent("output_padding", dims, 0).expanded(dims);
  const std::vector<int64_t> kernel = extents(c, "kernel_size", dims);
  const std::vector<int64_t> stride = c.settings.extent("stride", dims, 1).expanded(dims);
  const std::vector<int64_t> padding = c.settings.extent("padding", dims, 0).expanded(dims);
  const std::vector<int64_t> dilation = c.settings.extent("dilation", dims, 1).expanded(dims);
  std::vector<IntArg> widths;
  for (size_t i = 0; i < dims; ++i) {
    const int64_t dim = static_cast<int64_t>(i) - static_cast<int64_t>(dims);
    const Argument& size = given[i];
    const Argument least = covered_size(c, dim, {kernel[i], stride[i], padding[i], dilation[i]});
    if (least.is_none()) return {};
    if (Node* const node = size.node()) {
      const Proxy value = c.proxy(node);
      widths.emplace_back(least.is_int() ? value - least.as_int() : value - c.proxy(least.node()));
    } else if (!least.is_int()) {
      widths.emplace_back(size.as_int() - c.proxy(least.node()));
    } else if (size.as_int() >= least.as_int() && size.as_int() - least.as_int() < stride[i]) {
      widths.emplace_back(size.as_int() - least.as_int());
    } else {
      c.tracer.fail(absl::InvalidArgumentError(fmt::format(
          "the output_size of a {} has {} for dimension {}; expected a number from {} that is less "
          "than {} higher",
          c.layer.class_name(), size.as_int(), dim, least.as_int(), stride[i])));
      return {};
    }
  }
  return widths;
}
template <size_t dims>
Proxy conv_transpose(LayerCall& c) {
  const IntList stride = c.settings.extent("stride", dims, 1).expanded(dims);
  const IntList padding = c.settings.extent("padding", dims, 0).expanded(dims);
  const IntList output_padding = output_padding_of<dims>(c);
  if (!c.tracer.status().ok()) return Proxy::failed(c.tracer);
  const IntList dilation = c.settings.extent("dilation", dims, 1).expanded(dims);
  const int64_t groups = c.settings.positive("groups", 1);
  const Proxy weight = c.required("weight");
  const OptionalTensor bias = c.tensor("bias");
  if constexpr (dims == 1)
    return conv_transpose1d(c.x(), weight, bias, stride, padding, output_padding, groups, dilation);
  if constexpr (dims == 2)
    return conv_transpose2d(c.x(), weight, bias, stride, padding, output_padding, groups, dilation);
  return conv_transpose3d(c.x(), weight, bias, stride, padding, output_padding, groups, dilation);
}

// ---------------------------------------------------------------- linear

Proxy linear_layer(LayerCall& c) {
  const Proxy weight = c.required("weight");
  return linear(c.x(), weight, c.tensor("bias"));
}

// ---------------------------------------------------------------- embeddings

/// Renormalizes the selected rows that exceed max_norm in place, without autograd.
void renormalize_rows(LayerCall& c, const Proxy& weight, const Proxy& input) {
  if (const std::optional<double> max_norm = c.settings.optional_number("max_norm"))
    embedding_renorm_(detach(weight), input, *max_norm, c.settings.number("norm_type", 2.0));
}
Proxy embedding_layer(LayerCall& c) {
  const Proxy weight = c.required("weight");
  renormalize_rows(c, weight, c.x());
  return embedding(weight, c.x(), c.settings.optional_integer("padding_idx").value_or(-1),
                   c.settings.flag("scale_grad_by_freq", false), c.settings.flag("sparse", false));
}
/// Implements torch.nn.functional.embedding_bag: without offsets, each row of the input is a bag.
Proxy embedding_bag_layer(LayerCall& c) {
  const std::string mode = c.settings.text("mode", "mean");
  if (mode != "sum" && mode != "mean" && mode != "max")
    c.settings.reject_setting("mode", "sum, mean or max");
  const int number = mode == "sum" ? 0 : mode == "mean" ? 1 : 2;
  const bool by_frequency = c.settings.flag("scale_grad_by_freq", false);
  const bool sparse = c.settings.flag("sparse", false);
  bool ends = c.settings.flag("include_last_offset", false);
  Proxy input = c.x();
  std::optional<Proxy> offsets = c.optional("offsets");
  std::optional<Proxy> weights = c.optional("per_sample_weights");
  if (!offsets) {
    const Type type = input.node()->type();
    if (c.rank != 2 || !type.sizes()[0].is_int() || !type.sizes()[1].is_int()) {
      c.tracer.fail(absl::InvalidArgumentError(
          "an EmbeddingBag requires offsets, or an input of rank 2 whose sizes are known"));
      return input;
    }
    const int64_t rows = type.sizes()[0].value(), columns = type.sizes()[1].value();
    offsets = c.tracer.call_function(
        "aten.arange.start_step", {int64_t{0}, rows * columns, columns},
        {{"dtype", Argument(type.dtype())}, {"device", Argument(type.device())}});
    input = input.reshape({-1});
    if (weights) weights = weights->reshape({-1});
    ends = false;
  }
  const OptionalTensor scale = weights ? OptionalTensor(*weights) : OptionalTensor();
  const Proxy weight = c.required("weight");
  renormalize_rows(c, weight, input);
  return embedding_bag(weight, input, *offsets, by_frequency, number, sparse, scale, ends,
                       c.settings.optional_integer("padding_idx"))
      .get<0>();
}

constexpr LayerFunction kWeightedLayers[] = {
    {"torch.nn.modules.batchnorm.BatchNorm1d", "input", batch_norm_layer},
    {"torch.nn.modules.batchnorm.BatchNorm2d", "input", batch_norm_layer},
    {"torch.nn.modules.batchnorm.BatchNorm3d", "input", batch_norm_layer},
    {"torch.nn.modules.conv.Conv1d", "input", conv<1>},
    {"torch.nn.modules.conv.Conv2d", "input", conv<2>},
    {"torch.nn.modules.conv.Conv3d", "input", conv<3>},
    {"torch.nn.modules.conv.ConvTranspose1d", "input, output_size=None", conv_transpose<1>},
    {"torch.nn.modules.conv.ConvTranspose2d", "input, output_size=None", conv_transpose<2>},
    {"torch.nn.modules.conv.ConvTranspose3d", "input, output_size=None", conv_transpose<3>},
    {"torch.nn.modules.instancenorm.InstanceNorm1d", "input", instance_norm_layer<1>},
    {"torch.nn.modules.instancenorm.InstanceNorm2d", "input", instance_norm_layer<2>},
    {"torch.nn.modules.instancenorm.InstanceNorm3d", "input", instance_norm_layer<3>},
    {"torch.nn.modules.linear.Linear", "input", linear_layer},
    {"torch.nn.modules.normalization.GroupNorm", "input", group_norm_layer},
    {"torch.nn.modules.normalization.LayerNorm", "input", layer_norm_layer},
    {"torch.nn.modules.normalization.LocalResponseNorm", "input", local_response_norm_layer},
    {"torch.nn.modules.normalization.RMSNorm", "input", rms_norm_layer},
    {"torch.nn.modules.sparse.Embedding", "input", embedding_layer},
    {"torch.nn.modules.sparse.EmbeddingBag", "input, offsets=None, per_sample_weights=None",
     embedding_bag_layer},
};

static_assert(std::ranges::is_sorted(kWeightedLayers, {}, &LayerFunction::class_name));

}  // namespace

absl::Span<const LayerFunction> weighted_layers() { return kWeightedLayers; }

}  // namespace fx::internal
