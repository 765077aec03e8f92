// Layers of torch.nn without weights, except pooling layers and losses, and the rows of recurrent
// layers and transformers: each forward follows torch/nn/modules.
#include "fx/ir/calls/python_forms.h"
#include "fx/tracer/generated/functions.h"
#include "fx/tracer/nn/layer_settings_internal.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace fx::internal {
namespace {

// ---------------------------------------------------------------- activations

/// `inplace=True` writes to the input, which affects its other users.
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
Proxy hardtanh_layer(LayerCall& c) {  // ReLU6 stores its bounds as settings
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
/// The dimension of a softmax: without one, torch chooses it by the rank of the input.
int64_t softmax_dim(LayerCall& c) {
  if (const std::optional<int64_t> dim = c.settings.optional_integer("dim")) return *dim;
  if (c.rank < 0)
    c.tracer.fail(absl::InvalidArgumentError(
        "without dim, the dimension depends on the rank of the input, which is unknown: set dim, "
        "or propagate types first"));
  return ops::default_softmax_dim(c.rank);
}
Proxy softplus_layer(LayerCall& c) {
  return softplus(c.x(), c.settings.number("beta", 1.0), c.settings.number("threshold", 20.0));
}
Proxy tanhshrink_layer(LayerCall& c) { return c.x() - tanh(c.x()); }
Proxy softsign_layer(LayerCall& c) { return c.x() / (abs(c.x()) + 1); }
Proxy prelu_layer(LayerCall& c) {
  if (!c.settings.has("weight")) {
    c.tracer.fail(absl::InvalidArgumentError("a PReLU must have a weight"));
    return c.x();
  }
  return prelu(c.x(), c.attribute("weight"));
}

// ---------------------------------------------------------------- dropout

template <auto pure, auto in_place>
Proxy dropout_layer(LayerCall& c) {
  const double p = c.settings.number("p", 0.5);
  const bool train = c.layer.training();
  return c.settings.flag("inplace", false) ? in_place(c.x(), p, train) : pure(c.x(), p, train);
}

/// Drops channels. Adds a batch dimension for the call if there is none.
template <int dims>
Proxy channel_dropout_layer(LayerCall& c) {
  const double p = c.settings.number("p", 0.5);
  const bool train = c.layer.training(), in_place = c.settings.flag("inplace", false);
  if (c.is_batched(dims + 2))
    return in_place ? feature_dropout_(c.x(), p, train) : feature_dropout(c.x(), p, train);
  if (in_place) return feature_dropout_(c.x().unsqueeze_(0), p, train).squeeze_({0});
  return feature_dropout(unsqueeze(c.x(), 0), p, train).squeeze({0});
}

// ---------------------------------------------------------------- padding, resampling

enum class Padding : uint8_t { kConstant, kReflect, kReplicate, kCircular };
template <Padding mode, size_t dims>
Proxy pad_layer(LayerCall& c) {
  const std::vector<int64_t> padding = extents(c, "padding", 2 * dims);
  switch (mode) {
    case Padding::kConstant:
      return pad(c.x(), padding, "constant", c.settings.number("value", 0.0));
    case Padding::kReflect:
      return pad(c.x(), padding, "reflect");
    case Padding::kReplicate:
      return pad(c.x(), padding, "replicate");
    case Padding::kCircular:
      return pad(c.x(), padding, "circular");
  }
  return c.x();
}

/// Returns the number of spatial dimensions of an Upsample: from its mode, its input or its
/// settings. 0 if it is unknown.
size_t spatial_dims(const std::string& mode, int64_t rank, const std::optional<nn::Extent>& size,
                    const std::vector<double>& scales) {
  if (mode == "linear") return 1;
  if (mode == "bilinear" || mode == "bicubic") return 2;
  if (mode == "trilinear") return 3;
  if (rank >= 3) return static_cast<size_t>(rank) - 2;
  const size_t dims = size ? size->values().size() : scales.size();
  // A single number applies to every dimension.
  return mode == "nearest" && dims <= 1 ? 0 : dims;
}

Proxy upsample_to(const Proxy& x, const std::string& mode, const std::vector<int64_t>& sizes,
                  bool align, size_t dims) {
  if (mode == "nearest") {
    return dims == 1   ? upsample_nearest1d(x, sizes)
           : dims == 2 ? upsample_nearest2d(x, sizes)
                       : upsample_nearest3d(x, sizes);
  }
  if (mode == "bicubic") return upsample_bicubic2d(x, sizes, align);
  return dims == 1   ? upsample_linear1d(x, sizes, align)
         : dims == 2 ? upsample_bilinear2d(x, sizes, align)
                     : upsample_trilinear3d(x, sizes, align);
}

Proxy upsample_by(const Proxy& x, const std::string& mode, const std::vector<double>& factors,
                  bool align, size_t dims) {
  const IntList none = std::nullopt;
  if (mode == "nearest") {
    return dims == 1   ? upsample_nearest1d(x, none, factors)
           : dims == 2 ? upsample_nearest2d(x, none, factors)
                       : upsample_nearest3d(x, none, factors);
  }
  if (mode == "bicubic") return upsample_bicubic2d(x, none, align, factors);
  return dims == 1   ? upsample_linear1d(x, none, align, factors)
         : dims == 2 ? upsample_bilinear2d(x, none, align, factors)
                     : upsample_trilinear3d(x, none, align, factors);
}

/// Implements torch.nn.functional.interpolate, which passes sizes or factors to the operator for
/// the rank.
Proxy upsample(LayerCall& c) {
  c.settings.require("recompute_scale_factor", Argument());
  const std::string mode = c.settings.text("mode", "nearest");
  const std::optional<nn::Extent> size = c.settings.optional_extent("size");
  const std::vector<double> scales = c.settings.numbers("scale_factor");
  const bool align = c.settings.flag_or_none("align_corners");
  const size_t dims = spatial_dims(mode, c.rank, size, scales);
  if (dims < 1 || dims > 3 || size.has_value() != scales.empty()) {
    c.settings.reject_setting(
        "mode",
        "a mode that determines the rank (1 to 3 spatial dimensions), with either size or "
        "scale_factor set; propagate types first, so that the rank is known");
    return c.x();
  }
  if (size) return upsample_to(c.x(), mode, size->expanded(dims), align, dims);
  const std::vector<double> factors =
      scales.size() == 1 ? std::vector<double>(dims, scales[0]) : scales;
  return upsample_by(c.x(), mode, factors, align, dims);
}

#define FX_CALL(expression) [](LayerCall& c) -> Proxy { return expression; }

constexpr LayerFunction kFunctionLayers[] = {
    {"torch.nn.modules.activation.CELU", "input", celu_layer},
    {"torch.nn.modules.activation.ELU", "input", elu_layer},
    {"torch.nn.modules.activation.GELU", "input",
     FX_CALL(gelu(c.x(), c.settings.text("approximate", "none")))},
    {"torch.nn.modules.activation.GLU", "input",
     FX_CALL(glu(c.x(), c.settings.integer("dim", -1)))},
    {"torch.nn.modules.activation.Hardshrink", "input",
     FX_CALL(hardshrink(c.x(), c.settings.number("lambd", 0.5)))},
    {"torch.nn.modules.activation.Hardsigmoid", "input",
     activation<[](const Proxy& x) { return hardsigmoid(x); },
                [](const Proxy& x) { return hardsigmoid_(x); }>},
    {"torch.nn.modules.activation.Hardswish", "input",
     activation<[](const Proxy& x) { return hardswish(x); },
                [](const Proxy& x) { return hardswish_(x); }>},
    {"torch.nn.modules.activation.Hardtanh", "input", hardtanh_layer},
    {"torch.nn.modules.activation.LeakyReLU", "input", leaky_relu_layer},
    {"torch.nn.modules.activation.LogSigmoid", "input", FX_CALL(log_sigmoid(c.x()))},
    {"torch.nn.modules.activation.LogSoftmax", "input",
     FX_CALL(log_softmax(c.x(), softmax_dim(c)))},
    {"torch.nn.modules.activation.Mish", "input",
     activation<[](const Proxy& x) { return mish(x); }, [](const Proxy& x) { return mish_(x); }>},
    {"torch.nn.modules.activation.MultiheadAttention", kAttentionSignature, nullptr,
     multihead_attention_layer},
    {"torch.nn.modules.activation.PReLU", "input", prelu_layer},
    {"torch.nn.modules.activation.RReLU", "input", rrelu_layer},
    {"torch.nn.modules.activation.ReLU", "input",
     activation<[](const Proxy& x) { return relu(x); }, [](const Proxy& x) { return relu_(x); }>},
    {"torch.nn.modules.activation.ReLU6", "input", hardtanh_layer},
    {"torch.nn.modules.activation.SELU", "input",
     activation<[](const Proxy& x) { return selu(x); }, [](const Proxy& x) { return selu_(x); }>},
    {"torch.nn.modules.activation.SiLU", "input",
     activation<[](const Proxy& x) { return silu(x); }, [](const Proxy& x) { return silu_(x); }>},
    {"torch.nn.modules.activation.Sigmoid", "input", FX_CALL(sigmoid(c.x()))},
    {"torch.nn.modules.activation.Softmax", "input", FX_CALL(softmax(c.x(), softmax_dim(c)))},
    {"torch.nn.modules.activation.Softmax2d", "input", FX_CALL(softmax(c.x(), -3))},
    {"torch.nn.modules.activation.Softmin", "input", FX_CALL(softmax(-c.x(), softmax_dim(c)))},
    {"torch.nn.modules.activation.Softplus", "input", softplus_layer},
    {"torch.nn.modules.activation.Softshrink", "input",
     FX_CALL(softshrink(c.x(), c.settings.number("lambd", 0.5)))},
    {"torch.nn.modules.activation.Softsign", "input", softsign_layer},
    {"torch.nn.modules.activation.Tanh", "input", FX_CALL(tanh(c.x()))},
    {"torch.nn.modules.activation.Tanhshrink", "input", tanhshrink_layer},
    {"torch.nn.modules.activation.Threshold", "input", threshold_layer},
    {"torch.nn.modules.channelshuffle.ChannelShuffle", "input",
     FX_CALL(channel_shuffle(c.x(), c.settings.positive("groups", 1)))},
    {"torch.nn.modules.dropout.AlphaDropout", "input",
     FX_CALL(alpha_dropout(c.x(), c.settings.number("p", 0.5), c.layer.training()))},
    {"torch.nn.modules.dropout.Dropout", "input",
     dropout_layer<[](const Proxy& x, double p, bool train) { return dropout(x, p, train); },
                   [](const Proxy& x, double p, bool train) { return dropout_(x, p, train); }>},
    {"torch.nn.modules.dropout.Dropout1d", "input", channel_dropout_layer<1>},
    {"torch.nn.modules.dropout.Dropout2d", "input",
     dropout_layer<
         [](const Proxy& x, double p, bool train) { return feature_dropout(x, p, train); },
         [](const Proxy& x, double p, bool train) { return feature_dropout_(x, p, train); }>},
    {"torch.nn.modules.dropout.Dropout3d", "input", channel_dropout_layer<3>},
    {"torch.nn.modules.dropout.FeatureAlphaDropout", "input",
     FX_CALL(feature_alpha_dropout(c.x(), c.settings.number("p", 0.5), c.layer.training()))},
    {"torch.nn.modules.flatten.Flatten", "input",
     FX_CALL(c.x().flatten(c.settings.integer("start_dim", 1), c.settings.integer("end_dim", -1)))},
    {"torch.nn.modules.flatten.Unflatten", "input",
     FX_CALL(unflatten(c.x(), c.settings.integer("dim"),
                       c.settings.extent("unflattened_size", 0).values()))},
    {"torch.nn.modules.fold.Fold", "input",
     FX_CALL(col2im(c.x(), extents(c, "output_size", 2), extents(c, "kernel_size", 2),
                    extents(c, "dilation", 2), extents(c, "padding", 2), extents(c, "stride", 2)))},
    {"torch.nn.modules.fold.Unfold", "input",
     FX_CALL(im2col(c.x(), extents(c, "kernel_size", 2), extents(c, "dilation", 2),
                    extents(c, "padding", 2), extents(c, "stride", 2)))},
    {"torch.nn.modules.linear.Identity", "input", FX_CALL(c.x())},
    {"torch.nn.modules.padding.CircularPad1d", "input", pad_layer<Padding::kCircular, 1>},
    {"torch.nn.modules.padding.CircularPad2d", "input", pad_layer<Padding::kCircular, 2>},
    {"torch.nn.modules.padding.CircularPad3d", "input", pad_layer<Padding::kCircular, 3>},
    {"torch.nn.modules.padding.ConstantPad1d", "input", pad_layer<Padding::kConstant, 1>},
    {"torch.nn.modules.padding.ConstantPad2d", "input", pad_layer<Padding::kConstant, 2>},
    {"torch.nn.modules.padding.ConstantPad3d", "input", pad_layer<Padding::kConstant, 3>},
    {"torch.nn.modules.padding.ReflectionPad1d", "input", pad_layer<Padding::kReflect, 1>},
    {"torch.nn.modules.padding.ReflectionPad2d", "input", pad_layer<Padding::kReflect, 2>},
    {"torch.nn.modules.padding.ReflectionPad3d", "input", pad_layer<Padding::kReflect, 3>},
    {"torch.nn.modules.padding.ReplicationPad1d", "input", pad_layer<Padding::kReplicate, 1>},
    {"torch.nn.modules.padding.ReplicationPad2d", "input", pad_layer<Padding::kReplicate, 2>},
    {"torch.nn.modules.padding.ReplicationPad3d", "input", pad_layer<Padding::kReplicate, 3>},
    {"torch.nn.modules.padding.ZeroPad1d", "input", pad_layer<Padding::kConstant, 1>},
    {"torch.nn.modules.padding.ZeroPad2d", "input", pad_layer<Padding::kConstant, 2>},
    {"torch.nn.modules.padding.ZeroPad3d", "input", pad_layer<Padding::kConstant, 3>},
    {"torch.nn.modules.pixelshuffle.PixelShuffle", "input",
     FX_CALL(pixel_shuffle(c.x(), c.settings.positive("upscale_factor", 1)))},
    {"torch.nn.modules.pixelshuffle.PixelUnshuffle", "input",
     FX_CALL(pixel_unshuffle(c.x(), c.settings.positive("downscale_factor", 1)))},
    {"torch.nn.modules.rnn.GRU", "input, hx=None", nullptr, gru_layer},
    {"torch.nn.modules.rnn.GRUCell", "input, hx=None", gru_cell_layer},
    {"torch.nn.modules.rnn.LSTM", "input, hx=None", nullptr, lstm_layer},
    {"torch.nn.modules.rnn.LSTMCell", "input, hx=None", nullptr, lstm_cell_layer},
    {"torch.nn.modules.rnn.RNN", "input, hx=None", nullptr, rnn_layer},
    {"torch.nn.modules.rnn.RNNCell", "input, hx=None", rnn_cell_layer},
    {"torch.nn.modules.transformer.Transformer",
     "src, tgt, src_mask=None, tgt_mask=None, memory_mask=None, src_key_padding_mask=None, "
     "tgt_key_padding_mask=None, memory_key_padding_mask=None, src_is_causal=None, "
     "tgt_is_causal=None, memory_is_causal=False",
     transformer},
    {"torch.nn.modules.transformer.TransformerDecoder",
     "tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None, "
     "memory_key_padding_mask=None, tgt_is_causal=None, memory_is_causal=False",
     transformer_decoder},
    {"torch.nn.modules.transformer.TransformerDecoderLayer",
     "tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None, "
     "memory_key_padding_mask=None, tgt_is_causal=False, memory_is_causal=False",
     transformer_decoder_layer},
    {"torch.nn.modules.transformer.TransformerEncoder",
     "src, mask=None, src_key_padding_mask=None, is_causal=None", transformer_encoder},
    {"torch.nn.modules.transformer.TransformerEncoderLayer",
     "src, src_mask=None, src_key_padding_mask=None, is_causal=False", transformer_encoder_layer},
    {"torch.nn.modules.upsampling.Upsample", "input", upsample},
    {"torch.nn.modules.upsampling.UpsamplingBilinear2d", "input", upsample},
    {"torch.nn.modules.upsampling.UpsamplingNearest2d", "input", upsample},
};
#undef FX_CALL

static_assert(std::ranges::is_sorted(kFunctionLayers, {}, &LayerFunction::class_name));

}  // namespace

absl::Span<const LayerFunction> layer_functions() { return kFunctionLayers; }

}  // namespace fx::internal
