// Layers of torch.nn that are one call of a function, or a few: what their forward does
// (torch/nn/modules), written down once more over Proxy.
#include "fx/tracer/functions.h"
#include "fx/tracer/layer_settings_internal.h"

#include <algorithm>

namespace fx::internal {
namespace {

// ---------------------------------------------------------------- activations

/// `inplace=True` writes to the input, which its other users see.
template <auto pure, auto in_place>
Proxy activation(LayerCall& c) {
  return c.settings.flag("inplace", false) ? in_place(c.x()) : pure(c.x());
}
Proxy celu_layer(LayerCall& c) {
  const double alpha = c.settings.number("alpha", 1.0);
  return c.settings.flag("inplace", false) ? celu_(c.x(), alpha) : celu(c.x(), alpha);
}
Proxy elu_layer(LayerCall& c) {
  const double alpha = c.settings.number("alpha", 1.0);
  return c.settings.flag("inplace", false) ? elu_(c.x(), alpha) : elu(c.x(), alpha);
}
Proxy leaky_relu_layer(LayerCall& c) {
  const double slope = c.settings.number("negative_slope", 0.01);
  return c.settings.flag("inplace", false) ? leaky_relu_(c.x(), slope) : leaky_relu(c.x(), slope);
}
Proxy hardtanh_layer(LayerCall& c) {  // ReLU6 has its bounds as settings, too
  const double low = c.settings.number("min_val", -1.0), high = c.settings.number("max_val", 1.0);
  return c.settings.flag("inplace", false) ? hardtanh_(c.x(), low, high)
                                           : hardtanh(c.x(), low, high);
}
Proxy threshold_layer(LayerCall& c) {
  const double at = c.settings.number("threshold", 0.0), value = c.settings.number("value", 0.0);
  return c.settings.flag("inplace", false) ? threshold_(c.x(), at, value)
                                           : threshold(c.x(), at, value);
}
Proxy rrelu_layer(LayerCall& c) {
  const double low = c.settings.number("lower", 1.0 / 8),
               high = c.settings.number("upper", 1.0 / 3);
  const bool train = c.layer.training();
  return c.settings.flag("inplace", false) ? rrelu_(c.x(), low, high, train)
                                           : rrelu(c.x(), low, high, train);
}
Proxy softplus_layer(LayerCall& c) {
  return softplus(c.x(), c.settings.number("beta", 1.0), c.settings.number("threshold", 20.0));
}
Proxy tanhshrink_layer(LayerCall& c) { return c.x() - tanh(c.x()); }
Proxy softsign_layer(LayerCall& c) { return c.x() / (abs(c.x()) + 1); }
Proxy prelu_layer(LayerCall& c) {
  if (!c.settings.has("weight")) {
    c.tracer.fail(absl::InvalidArgumentError("a PReLU has no weight"));
    return c.x();
  }
  return prelu(c.x(), c.tracer.get_attr("weight"));
}

// ---------------------------------------------------------------- dropout

template <auto pure, auto in_place>
Proxy dropout_layer(LayerCall& c) {
  const double p = c.settings.number("p", 0.5);
  const bool train = c.layer.training();
  return c.settings.flag("inplace", false) ? in_place(c.x(), p, train) : pure(c.x(), p, train);
}

// ---------------------------------------------------------------- norms

Proxy instance_norm_layer(LayerCall& c) {
  const bool tracks = c.settings.flag("track_running_stats", false);
  return instance_norm(c.x(), c.tensor("weight"), c.tensor("bias"), c.tensor("running_mean"),
                       c.tensor("running_var"), c.layer.training() || !tracks,
                       c.settings.number("momentum", 0.1), c.settings.number("eps", 1e-5), true);
}
Proxy rms_norm_layer(LayerCall& c) {
  return rms_norm(c.x(), c.settings.extent("normalized_shape", 0).values(), c.tensor("weight"),
                  c.settings.optional_number("eps"));
}

// ---------------------------------------------------------------- convolutions

std::vector<int64_t> extents(LayerCall& c, std::string_view name, size_t dims) {
  return c.settings.extent(name, dims).expanded(dims);
}

/// What a convolution pads with something else than zeros, as `pad` takes it: from the last
/// dimension on, before and behind.
std::vector<int64_t> padding_around(LayerCall& c, std::string_view named, size_t dims) {
  std::vector<int64_t> around;
  if (named == "valid") return std::vector<int64_t>(2 * dims, 0);
  if (named.empty()) {
    const std::vector<int64_t> padding = extents(c, "padding", dims);
    for (size_t i = dims; i-- > 0;) around.insert(around.end(), {padding[i], padding[i]});
    return around;
  }
  const std::vector<int64_t> kernel = extents(c, "kernel_size", dims);
  const std::vector<int64_t> dilation = extents(c, "dilation", dims);
  for (size_t i = dims; i-- > 0;) {
    int64_t total = 0;
    if (__builtin_mul_overflow(dilation[i], kernel[i] - 1, &total))
      c.settings.refuse_setting("dilation", "one that fits the kernel");
    around.insert(around.end(), {total / 2, total - total / 2});
  }
  return around;
}
/// The padding is a number for each dimension, or by name "same" or "valid".
template <size_t dims>
Proxy conv(LayerCall& c) {
  const IntList stride = c.settings.extent("stride", dims, 1).expanded(dims);
  const IntList dilation = c.settings.extent("dilation", dims, 1).expanded(dims);
  const int64_t groups = c.settings.positive("groups", 1);
  const std::string mode = c.settings.text("padding_mode", "zeros");
  const Argument* const padding = c.layer.hyperparameter("padding");
  const std::string named = padding && padding->is_string() ? c.settings.text("padding", "") : "";
  if (!named.empty() && named != "same" && named != "valid")
    c.settings.refuse_setting("padding", "integers, \"same\" or \"valid\"");
  if (mode != "zeros" && mode != "reflect" && mode != "replicate" && mode != "circular")
    c.settings.refuse_setting("padding_mode", "zeros, reflect, replicate or circular");
  if (!c.settings.has("weight")) {
    c.tracer.fail(
        absl::InvalidArgumentError(fmt::format("a {} has no weight", c.layer.class_name())));
    return c.x();
  }
  const auto call = [&](const Proxy& x, const auto& by) {
    const Proxy weight = c.tracer.get_attr("weight");
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
    const Proxy around = pad(c.x(), padding_around(c, named, dims), mode);
    return call(around, IntList(std::vector<int64_t>(dims, 0)));
  }
  if (!named.empty()) return call(c.x(), StringArg(named));
  return call(c.x(), IntList(c.settings.extent("padding", dims, 0).expanded(dims)));
}

// ---------------------------------------------------------------- pooling, padding, resampling

template <size_t dims>
Proxy avg_pool(LayerCall& c) {
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
Proxy adaptive_avg_pool1d_layer(LayerCall& c) {
  return adaptive_avg_pool1d(c.x(), extents(c, "output_size", 1));
}
Proxy adaptive_avg_pool3d_layer(LayerCall& c) {
  return adaptive_avg_pool3d(c.x(), extents(c, "output_size", 3));
}
template <size_t dims>
Proxy adaptive_max_pool(LayerCall& c) {
  c.settings.only("return_indices", false);
  const std::vector<int64_t> size = extents(c, "output_size", dims);
  if constexpr (dims == 1) return adaptive_max_pool1d(c.x(), size).template get<0>();
  if constexpr (dims == 2) return adaptive_max_pool2d(c.x(), size).template get<0>();
  return adaptive_max_pool3d(c.x(), size).template get<0>();
}

enum class Padding : uint8_t { kConstant, kReflect, kReplicate, kCircular };
template <Padding mode, size_t dims>
Proxy pad_layer(LayerCall& c) {
  const std::vector<int64_t> by = extents(c, "padding", 2 * dims);
  switch (mode) {
    case Padding::kConstant:
      return pad(c.x(), by, "constant", c.settings.number("value", 0.0));
    case Padding::kReflect:
      return pad(c.x(), by, "reflect");
    case Padding::kReplicate:
      return pad(c.x(), by, "replicate");
    case Padding::kCircular:
      return pad(c.x(), by, "circular");
  }
  return c.x();
}

/// torch.nn.functional.interpolate, which hands sizes or factors to the operator of the rank.
Proxy upsample(LayerCall& c) {
  c.settings.only("recompute_scale_factor", Argument());
  const std::string mode = c.settings.text("mode", "nearest");
  const std::optional<nn::Extent> size = c.settings.optional_extent("size");
  const std::vector<double> scales = c.settings.numbers("scale_factor");
  const bool align = c.settings.flag_or_none("align_corners");
  size_t dims = mode == "linear"      ? 1
                : mode == "bilinear"  ? 2
                : mode == "bicubic"   ? 2
                : mode == "trilinear" ? 3
                : c.rank >= 3         ? static_cast<size_t>(c.rank) - 2
                : size                ? size->values().size()
                                      : scales.size();
  const bool is_certain = mode != "nearest" || c.rank >= 3 || dims > 1;
  if (dims < 1 || dims > 3 || !is_certain || size.has_value() != scales.empty()) {
    c.settings.refuse_setting(
        "mode", "one with a rank of its own; propagate types first, so that the rank is known");
    return c.x();
  }
  const Proxy& x = c.x();
  if (size) {
    const std::vector<int64_t> to = size->expanded(dims);
    if (mode == "nearest") {
      return dims == 1   ? upsample_nearest1d(x, to)
             : dims == 2 ? upsample_nearest2d(x, to)
                         : upsample_nearest3d(x, to);
    }
    if (mode == "bicubic") return upsample_bicubic2d(x, to, align);
    return dims == 1   ? upsample_linear1d(x, to, align)
           : dims == 2 ? upsample_bilinear2d(x, to, align)
                       : upsample_trilinear3d(x, to, align);
  }
  const std::vector<double> by = scales.size() == 1 ? std::vector<double>(dims, scales[0]) : scales;
  const IntList none = std::nullopt;
  if (mode == "nearest") {
    return dims == 1   ? upsample_nearest1d(x, none, by)
           : dims == 2 ? upsample_nearest2d(x, none, by)
                       : upsample_nearest3d(x, none, by);
  }
  if (mode == "bicubic") return upsample_bicubic2d(x, none, align, by);
  return dims == 1   ? upsample_linear1d(x, none, align, by)
         : dims == 2 ? upsample_bilinear2d(x, none, align, by)
                     : upsample_trilinear3d(x, none, align, by);
}

// ---------------------------------------------------------------- losses and other pairs

/// Reduction of ATen (at::Reduction): none, mean, sum.
int64_t reduction(LayerCall& c) {
  const std::string text = c.settings.text("reduction", "mean");
  if (text == "none") return 0;
  if (text == "mean") return 1;
  if (text != "sum") c.settings.refuse_setting("reduction", "none, mean or sum");
  return 2;
}
Proxy bilinear_layer(LayerCall& c) {
  if (!c.settings.has("weight")) {
    c.tracer.fail(absl::InvalidArgumentError("a Bilinear has no weight"));
    return c.x();
  }
  return bilinear(c.x(), c.inputs[1], c.tracer.get_attr("weight"), c.tensor("bias"));
}
Proxy cosine_similarity_layer(LayerCall& c) {
  return cosine_similarity(c.x(), c.inputs[1], c.settings.integer("dim", 1),
                           c.settings.number("eps", 1e-8));
}
Proxy pairwise_distance_layer(LayerCall& c) {
  return pairwise_distance(c.x(), c.inputs[1], c.settings.number("norm", 2.0),
                           c.settings.number("eps", 1e-6), c.settings.flag("keepdim", false));
}
Proxy cross_entropy_layer(LayerCall& c) {
  return cross_entropy_loss(c.x(), c.inputs[1], c.tensor("weight"), reduction(c),
                            c.settings.integer("ignore_index", -100),
                            c.settings.number("label_smoothing", 0.0));
}
Proxy nll_layer(LayerCall& c) {
  return nll_loss_nd(c.x(), c.inputs[1], c.tensor("weight"), reduction(c),
                     c.settings.integer("ignore_index", -100));
}
Proxy kl_div_layer(LayerCall& c) {
  if (c.settings.text("reduction", "mean") == "batchmean") {
    return kl_div(c.x(), c.inputs[1], 2, c.settings.flag("log_target", false)) / c.x().size(0);
  }
  return kl_div(c.x(), c.inputs[1], reduction(c), c.settings.flag("log_target", false));
}
Proxy bce_logits_layer(LayerCall& c) {
  return binary_cross_entropy_with_logits(c.x(), c.inputs[1], c.tensor("weight"),
                                          c.tensor("pos_weight"), reduction(c));
}

// ---------------------------------------------------------------- recurrent layers

enum class Cell : uint8_t { kLstm, kGru, kRnn };
template <Cell cell>
Proxy recurrent(LayerCall& c) {
  const int64_t layers = c.settings.positive("num_layers", 1);
  const int64_t directions = c.settings.flag("bidirectional", false) ? 2 : 1;
  const bool batch_first = c.settings.flag("batch_first", false);
  const bool bias = c.settings.flag("bias", true);
  const int64_t projected = c.settings.integer("proj_size", 0);
  const int64_t hidden = c.settings.positive("hidden_size", 1);
  if (c.rank == 2) c.tracer.fail(absl::UnimplementedError("an input without a batch dimension"));
  std::vector<Proxy> weights;
  for (int64_t layer = 0; layer < layers; ++layer) {
    for (const std::string_view direction : {"", "_reverse"}) {
      if (!direction.empty() && directions == 1) continue;
      for (const std::string_view kind :
           {"weight_ih", "weight_hh", "bias_ih", "bias_hh", "weight_hr"}) {
        const bool is_there =
            kind.starts_with("bias") ? bias : kind != "weight_hr" || projected > 0;
        const std::string name = fmt::format("{}_l{}{}", kind, layer, direction);
        if (!is_there) continue;
        if (!c.settings.has(name)) {
          c.tracer.fail(absl::InvalidArgumentError(
              fmt::format("a {} has no {}", c.layer.class_name(), name)));
          return c.x();
        }
        weights.push_back(c.tracer.get_attr(name));
      }
    }
  }
  // The first state is zero.
  const Proxy batch = c.x().size(batch_first ? 0 : 1);
  const auto zeros = [&](int64_t size) {
    return c.x().new_zeros({layers * directions, batch, size});
  };
  const Proxy state = zeros(projected > 0 ? projected : hidden);
  const double dropout = c.settings.number("dropout", 0.0);
  const bool train = c.layer.training();
  if constexpr (cell == Cell::kLstm) {
    const Proxy memory = projected > 0 ? zeros(hidden) : state;
    return lstm(c.x(), {state, memory}, weights, bias, layers, dropout, train, directions == 2,
                batch_first);
  }
  if constexpr (cell == Cell::kGru)
    return gru(c.x(), state, weights, bias, layers, dropout, train, directions == 2, batch_first);
  if (c.settings.text("nonlinearity", "tanh") == "relu") {
    return rnn_relu(c.x(), state, weights, bias, layers, dropout, train, directions == 2,
                    batch_first);
  }
  return rnn_tanh(c.x(), state, weights, bias, layers, dropout, train, directions == 2,
                  batch_first);
}
/// output, (h, c)
Argument lstm_results(const Proxy& r) {
  const Argument states[] = {r[1].node(), r[2].node()};
  const Argument results[] = {r[0].node(), Argument::tuple(states)};
  return Argument::tuple(results);
}

#define FX_CALL(expression) [](LayerCall& c) -> Proxy { return expression; }

constexpr LayerFunction kRows[] = {
    {"torch.nn.modules.activation.CELU", 1, celu_layer},
    {"torch.nn.modules.activation.ELU", 1, elu_layer},
    {"torch.nn.modules.activation.GLU", 1, FX_CALL(glu(c.x(), c.settings.integer("dim", -1)))},
    {"torch.nn.modules.activation.Hardshrink", 1,
     FX_CALL(hardshrink(c.x(), c.settings.number("lambd", 0.5)))},
    {"torch.nn.modules.activation.Hardsigmoid", 1,
     activation<[](const Proxy& x) { return hardsigmoid(x); },
                [](const Proxy& x) { return hardsigmoid_(x); }>},
    {"torch.nn.modules.activation.Hardswish", 1,
     activation<[](const Proxy& x) { return hardswish(x); },
                [](const Proxy& x) { return hardswish_(x); }>},
    {"torch.nn.modules.activation.Hardtanh", 1, hardtanh_layer},
    {"torch.nn.modules.activation.LeakyReLU", 1, leaky_relu_layer},
    {"torch.nn.modules.activation.LogSigmoid", 1, FX_CALL(log_sigmoid(c.x()))},
    {"torch.nn.modules.activation.Mish", 1,
     activation<[](const Proxy& x) { return mish(x); }, [](const Proxy& x) { return mish_(x); }>},
    {"torch.nn.modules.activation.PReLU", 1, prelu_layer},
    {"torch.nn.modules.activation.RReLU", 1, rrelu_layer},
    {"torch.nn.modules.activation.ReLU6", 1, hardtanh_layer},
    {"torch.nn.modules.activation.SELU", 1,
     activation<[](const Proxy& x) { return selu(x); }, [](const Proxy& x) { return selu_(x); }>},
    {"torch.nn.modules.activation.SiLU", 1,
     activation<[](const Proxy& x) { return silu(x); }, [](const Proxy& x) { return silu_(x); }>},
    {"torch.nn.modules.activation.Softmax2d", 1, FX_CALL(softmax(c.x(), -3))},
    {"torch.nn.modules.activation.Softmin", 1, FX_CALL(softmax(-c.x(), c.settings.integer("dim")))},
    {"torch.nn.modules.activation.Softplus", 1, softplus_layer},
    {"torch.nn.modules.activation.Softshrink", 1,
     FX_CALL(softshrink(c.x(), c.settings.number("lambd", 0.5)))},
    {"torch.nn.modules.activation.Softsign", 1, softsign_layer},
    {"torch.nn.modules.activation.Tanhshrink", 1, tanhshrink_layer},
    {"torch.nn.modules.activation.Threshold", 1, threshold_layer},
    {"torch.nn.modules.channelshuffle.ChannelShuffle", 1,
     FX_CALL(channel_shuffle(c.x(), c.settings.positive("groups", 1)))},
    {"torch.nn.modules.conv.Conv1d", 1, conv<1>},
    {"torch.nn.modules.conv.Conv2d", 1, conv<2>},
    {"torch.nn.modules.conv.Conv3d", 1, conv<3>},
    {"torch.nn.modules.distance.CosineSimilarity", 2, cosine_similarity_layer},
    {"torch.nn.modules.distance.PairwiseDistance", 2, pairwise_distance_layer},
    {"torch.nn.modules.dropout.AlphaDropout", 1,
     FX_CALL(alpha_dropout(c.x(), c.settings.number("p", 0.5), c.layer.training()))},
    {"torch.nn.modules.dropout.Dropout", 1,
     dropout_layer<[](const Proxy& x, double p, bool train) { return dropout(x, p, train); },
                   [](const Proxy& x, double p, bool train) { return dropout_(x, p, train); }>},
    {"torch.nn.modules.dropout.Dropout2d", 1,
     dropout_layer<
         [](const Proxy& x, double p, bool train) { return feature_dropout(x, p, train); },
         [](const Proxy& x, double p, bool train) { return feature_dropout_(x, p, train); }>},
    {"torch.nn.modules.dropout.Dropout3d", 1,
     dropout_layer<
         [](const Proxy& x, double p, bool train) { return feature_dropout(x, p, train); },
         [](const Proxy& x, double p, bool train) { return feature_dropout_(x, p, train); }>},
    {"torch.nn.modules.flatten.Unflatten", 1,
     FX_CALL(unflatten(c.x(), c.settings.integer("dim"),
                       c.settings.extent("unflattened_size", 0).values()))},
    {"torch.nn.modules.fold.Fold", 1,
     FX_CALL(col2im(c.x(), extents(c, "output_size", 2), extents(c, "kernel_size", 2),
                    extents(c, "dilation", 2), extents(c, "padding", 2), extents(c, "stride", 2)))},
    {"torch.nn.modules.fold.Unfold", 1,
     FX_CALL(im2col(c.x(), extents(c, "kernel_size", 2), extents(c, "dilation", 2),
                    extents(c, "padding", 2), extents(c, "stride", 2)))},
    {"torch.nn.modules.instancenorm.InstanceNorm1d", 1, instance_norm_layer},
    {"torch.nn.modules.instancenorm.InstanceNorm2d", 1, instance_norm_layer},
    {"torch.nn.modules.instancenorm.InstanceNorm3d", 1, instance_norm_layer},
    {"torch.nn.modules.linear.Bilinear", 2, bilinear_layer},
    {"torch.nn.modules.loss.BCELoss", 2,
     FX_CALL(binary_cross_entropy(c.x(), c.inputs[1], c.tensor("weight"), reduction(c)))},
    {"torch.nn.modules.loss.BCEWithLogitsLoss", 2, bce_logits_layer},
    {"torch.nn.modules.loss.CrossEntropyLoss", 2, cross_entropy_layer},
    {"torch.nn.modules.loss.HuberLoss", 2,
     FX_CALL(huber_loss(c.x(), c.inputs[1], reduction(c), c.settings.number("delta", 1.0)))},
    {"torch.nn.modules.loss.KLDivLoss", 2, kl_div_layer},
    {"torch.nn.modules.loss.L1Loss", 2, FX_CALL(l1_loss(c.x(), c.inputs[1], reduction(c)))},
    {"torch.nn.modules.loss.MSELoss", 2, FX_CALL(mse_loss(c.x(), c.inputs[1], reduction(c)))},
    {"torch.nn.modules.loss.NLLLoss", 2, nll_layer},
    {"torch.nn.modules.loss.SmoothL1Loss", 2,
     FX_CALL(smooth_l1_loss(c.x(), c.inputs[1], reduction(c), c.settings.number("beta", 1.0)))},
    {"torch.nn.modules.loss.SoftMarginLoss", 2,
     FX_CALL(soft_margin_loss(c.x(), c.inputs[1], reduction(c)))},
    {"torch.nn.modules.normalization.RMSNorm", 1, rms_norm_layer},
    {"torch.nn.modules.padding.CircularPad1d", 1, pad_layer<Padding::kCircular, 1>},
    {"torch.nn.modules.padding.CircularPad2d", 1, pad_layer<Padding::kCircular, 2>},
    {"torch.nn.modules.padding.CircularPad3d", 1, pad_layer<Padding::kCircular, 3>},
    {"torch.nn.modules.padding.ConstantPad1d", 1, pad_layer<Padding::kConstant, 1>},
    {"torch.nn.modules.padding.ConstantPad2d", 1, pad_layer<Padding::kConstant, 2>},
    {"torch.nn.modules.padding.ConstantPad3d", 1, pad_layer<Padding::kConstant, 3>},
    {"torch.nn.modules.padding.ReflectionPad1d", 1, pad_layer<Padding::kReflect, 1>},
    {"torch.nn.modules.padding.ReflectionPad2d", 1, pad_layer<Padding::kReflect, 2>},
    {"torch.nn.modules.padding.ReflectionPad3d", 1, pad_layer<Padding::kReflect, 3>},
    {"torch.nn.modules.padding.ReplicationPad1d", 1, pad_layer<Padding::kReplicate, 1>},
    {"torch.nn.modules.padding.ReplicationPad2d", 1, pad_layer<Padding::kReplicate, 2>},
    {"torch.nn.modules.padding.ReplicationPad3d", 1, pad_layer<Padding::kReplicate, 3>},
    {"torch.nn.modules.padding.ZeroPad1d", 1, pad_layer<Padding::kConstant, 1>},
    {"torch.nn.modules.padding.ZeroPad2d", 1, pad_layer<Padding::kConstant, 2>},
    {"torch.nn.modules.padding.ZeroPad3d", 1, pad_layer<Padding::kConstant, 3>},
    {"torch.nn.modules.pixelshuffle.PixelShuffle", 1,
     FX_CALL(pixel_shuffle(c.x(), c.settings.positive("upscale_factor", 1)))},
    {"torch.nn.modules.pixelshuffle.PixelUnshuffle", 1,
     FX_CALL(pixel_unshuffle(c.x(), c.settings.positive("downscale_factor", 1)))},
    {"torch.nn.modules.pooling.AdaptiveAvgPool1d", 1, adaptive_avg_pool1d_layer},
    {"torch.nn.modules.pooling.AdaptiveAvgPool3d", 1, adaptive_avg_pool3d_layer},
    {"torch.nn.modules.pooling.AdaptiveMaxPool1d", 1, adaptive_max_pool<1>},
    {"torch.nn.modules.pooling.AdaptiveMaxPool2d", 1, adaptive_max_pool<2>},
    {"torch.nn.modules.pooling.AdaptiveMaxPool3d", 1, adaptive_max_pool<3>},
    {"torch.nn.modules.pooling.AvgPool1d", 1, avg_pool<1>},
    {"torch.nn.modules.pooling.AvgPool2d", 1, avg_pool<2>},
    {"torch.nn.modules.pooling.AvgPool3d", 1, avg_pool<3>},
    {"torch.nn.modules.rnn.GRU", 1, recurrent<Cell::kGru>},
    {"torch.nn.modules.rnn.LSTM", 1, recurrent<Cell::kLstm>, lstm_results},
    {"torch.nn.modules.rnn.RNN", 1, recurrent<Cell::kRnn>},
    {"torch.nn.modules.upsampling.Upsample", 1, upsample},
    {"torch.nn.modules.upsampling.UpsamplingBilinear2d", 1, upsample},
    {"torch.nn.modules.upsampling.UpsamplingNearest2d", 1, upsample},
};
#undef FX_CALL

static_assert(std::ranges::is_sorted(kRows, {}, &LayerFunction::class_name));

}  // namespace

absl::Span<const LayerFunction> layer_functions() { return kRows; }

}  // namespace fx::internal
