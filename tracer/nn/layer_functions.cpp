// Layers of torch.nn that are one call of a function, or a few: what their forward does
// (torch/nn/modules), written down once more over Proxy.
#include "fx/tracer/generated/functions.h"
#include "fx/tracer/nn/layer_settings_internal.h"

#include <algorithm>
#include <cmath>
#include <numbers>

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

/// Channels of one spatial dimension; without a batch dimension it gets one for the call.
Proxy dropout1d_layer(LayerCall& c) {
  if (c.rank != 2 && c.rank != 3) {
    c.tracer.fail(absl::InvalidArgumentError(
        "a Dropout1d takes an input of rank 2 or 3; propagate types first, so that the rank is "
        "known"));
    return c.x();
  }
  const double p = c.settings.number("p", 0.5);
  const bool train = c.layer.training(), in_place = c.settings.flag("inplace", false);
  if (c.rank == 3)
    return in_place ? feature_dropout_(c.x(), p, train) : feature_dropout(c.x(), p, train);
  if (in_place) return feature_dropout_(c.x().unsqueeze_(0), p, train).squeeze_({0});
  return feature_dropout(unsqueeze(c.x(), 0), p, train).squeeze({0});
}

// ---------------------------------------------------------------- norms

/// torch.nn.functional.local_response_norm: channels beside each other are summed by a pool over
/// them.
Proxy local_response_norm_layer(LayerCall& c) {
  const int64_t size = c.settings.positive("size", 1);
  if (c.rank < 3) {
    c.tracer.fail(absl::InvalidArgumentError(
        "a LocalResponseNorm takes an input of rank 3 or more; propagate types first, so that the "
        "rank is known"));
    return c.x();
  }
  const int64_t before = size / 2, behind = (size - 1) / 2;
  Proxy sum = (c.x() * c.x()).unsqueeze(1);
  if (c.rank == 3) {
    sum = avg_pool2d(pad(sum, {0, 0, before, behind}), {size, 1}, 1).squeeze({1});
  } else {
    if (c.rank > 4) sum = sum.flatten(4);
    sum = avg_pool3d(pad(sum, {0, 0, 0, 0, before, behind}), {size, 1, 1}, 1).squeeze({1});
    if (c.rank > 4) sum = sum.view_as(c.x());
  }
  const Proxy scaled = sum * c.settings.number("alpha", 1e-4) + c.settings.number("k", 1.0);
  return c.x() / pow(scaled, c.settings.number("beta", 0.75));
}
Proxy instance_norm_layer(LayerCall& c) {
  const bool tracks = c.settings.flag("track_running_stats", false);
  const OptionalTensor weight = c.tensor("weight"), bias = c.tensor("bias");
  const OptionalTensor mean = c.tensor("running_mean"), var = c.tensor("running_var");
  return instance_norm(c.x(), weight, bias, mean, var, c.layer.training() || !tracks,
                       c.settings.number("momentum", 0.1), c.settings.number("eps", 1e-5), true);
}
Proxy rms_norm_layer(LayerCall& c) {
  return rms_norm(c.x(), c.settings.extent("normalized_shape", 0).values(), c.tensor("weight"),
                  c.settings.optional_number("eps"));
}

// ---------------------------------------------------------------- convolutions

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

// ---------------------------------------------------------------- padding, resampling

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
  const Proxy weight = c.tracer.get_attr("weight");
  return bilinear(c.x(), c.inputs[1], weight, c.tensor("bias"));
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
/// What `reduction` leaves of a loss that torch.nn computes by several operators.
Proxy reduced(LayerCall& c, const Proxy& loss) {
  const int64_t by = reduction(c);
  return by == 0 ? loss : by == 1 ? mean(loss) : sum(loss);
}
Proxy multilabel_soft_margin_layer(LayerCall& c) {
  const Proxy& target = c.inputs[1];
  const Proxy other = rsub(target, 1);
  const Proxy no = other * log_sigmoid(-c.x());
  const Proxy yes = target * log_sigmoid(c.x());
  Proxy loss = -(yes + no);
  if (c.settings.has("weight")) loss = loss * c.tracer.get_attr("weight");
  const Proxy total = loss.sum({-1});
  return reduced(c, total / c.x().size(-1));
}
Proxy multi_margin_layer(LayerCall& c) {
  return multi_margin_loss(c.x(), c.inputs[1], c.settings.integer("p", 1),
                           c.settings.number("margin", 1.0), c.tensor("weight"), reduction(c));
}
Proxy poisson_nll_layer(LayerCall& c) {
  return poisson_nll_loss(c.x(), c.inputs[1], c.settings.flag("log_input", true),
                          c.settings.flag("full", false), c.settings.number("eps", 1e-8),
                          reduction(c));
}
/// torch.nn.functional.gaussian_nll_loss. That no variance is below zero is asserted when it runs.
Proxy gaussian_nll_layer(LayerCall& c) {
  Proxy var = c.inputs[2];
  const Type type = c.x().node()->type(), var_type = var.node()->type();
  if (!type.is_tensor() || !var_type.is_tensor()) {
    c.tracer.fail(absl::InvalidArgumentError(
        "a GaussianNLLLoss needs the sizes of its input and variance; propagate types first"));
    return c.x();
  }
  const absl::Span<const Dim> sizes = type.sizes(), var_sizes = var_type.sizes();
  const bool lacks_one = !sizes.empty() && sizes.first(sizes.size() - 1) == var_sizes;
  // Broadcast in one dimension, where it has size 1.
  int64_t other = 0;
  for (size_t i = 0; i < std::min(sizes.size(), var_sizes.size()); ++i)
    if (sizes[i] != var_sizes[i]) other += var_sizes[i] == Dim(1) ? 1 : 2;
  if (sizes != var_sizes && !lacks_one && (sizes.size() != var_sizes.size() || other != 1)) {
    c.tracer.fail(absl::InvalidArgumentError(
        fmt::format("a GaussianNLLLoss of {} has a variance of incorrect size, {}", to_string(type),
                    to_string(var_type))));
    return c.x();
  }
  c.tracer.call_function("aten._assert_async.msg",
                         {logical_not(any(var < 0)), "var has negative entry/entries"});
  if (lacks_one && sizes != var_sizes) var = unsqueeze(var, -1);
  var = clone(var);
  clamp_(detach(var), c.settings.number("eps", 1e-6));  // unseen by autograd
  const Proxy log_var = log(var), difference = c.x() - c.inputs[1];
  Proxy loss = 0.5 * (log_var + pow(difference, 2) / var);
  if (c.settings.flag("full", false)) loss = loss + 0.5 * std::log(2 * std::numbers::pi);
  return reduced(c, loss);
}
Proxy ctc_layer(LayerCall& c) {
  return ctc_loss(c.x(), c.inputs[1], c.inputs[2], c.inputs[3], c.settings.integer("blank", 0),
                  reduction(c), c.settings.flag("zero_infinity", false));
}
Proxy triplet_margin_layer(LayerCall& c) {
  return triplet_margin_loss(c.x(), c.inputs[1], c.inputs[2], c.settings.number("margin", 1.0),
                             c.settings.number("p", 2.0), c.settings.number("eps", 1e-6),
                             c.settings.flag("swap", false), reduction(c));
}
/// The distance is a layer of its own.
Proxy triplet_margin_with_distance_layer(LayerCall& c) {
  const Module* const layer = c.layer.find_module("distance_function");
  const std::string_view name = layer ? std::string_view(layer->class_name()) : "";
  const bool is_cosine = name == "torch.nn.modules.distance.CosineSimilarity";
  if (!is_cosine && name != "torch.nn.modules.distance.PairwiseDistance") {
    c.tracer.fail(absl::UnimplementedError(
        "the distance_function of a TripletMarginWithDistanceLoss is neither a PairwiseDistance "
        "nor a CosineSimilarity: trace into the loss (Tracer::is_leaf_module)"));
    return c.x();
  }
  Settings settings(*layer);
  const auto distance = [&](const Proxy& a, const Proxy& b) {
    const Proxy pair[] = {a, b};
    LayerCall call{settings, c.tracer, *layer, pair, c.values, c.rank};
    return is_cosine ? cosine_similarity_layer(call) : pairwise_distance_layer(call);
  };
  const Proxy near = distance(c.x(), c.inputs[1]);
  Proxy far = distance(c.x(), c.inputs[2]);
  if (c.settings.flag("swap", false)) far = minimum(far, distance(c.inputs[1], c.inputs[2]));
  if (!settings.status().ok()) c.tracer.fail(settings.status());
  return reduced(c, clamp_min(near + c.settings.number("margin", 1.0) - far, 0));
}
Proxy kl_div_layer(LayerCall& c) {
  if (c.settings.text("reduction", "mean") == "batchmean") {
    const Proxy total = kl_div(c.x(), c.inputs[1], 2, c.settings.flag("log_target", false));
    return total / c.x().size(0);
  }
  return kl_div(c.x(), c.inputs[1], reduction(c), c.settings.flag("log_target", false));
}
Proxy bce_logits_layer(LayerCall& c) {
  const OptionalTensor weight = c.tensor("weight");
  return binary_cross_entropy_with_logits(c.x(), c.inputs[1], weight, c.tensor("pos_weight"),
                                          reduction(c));
}

// ---------------------------------------------------------------- embeddings

/// Rows that are read and longer than max_norm are shortened where they are, unseen by autograd.
void shorten_rows(LayerCall& c, const Proxy& weight, const Proxy& input) {
  if (const std::optional<double> most = c.settings.optional_number("max_norm"))
    embedding_renorm_(detach(weight), input, *most, c.settings.number("norm_type", 2.0));
}
Proxy embedding_layer(LayerCall& c) {
  const Proxy weight = c.needed("weight");
  shorten_rows(c, weight, c.x());
  return embedding(weight, c.x(), c.settings.optional_integer("padding_idx").value_or(-1),
                   c.settings.flag("scale_grad_by_freq", false), c.settings.flag("sparse", false));
}
/// torch.nn.functional.embedding_bag: without offsets each row of the input is a bag.
Proxy embedding_bag_layer(LayerCall& c) {
  const std::string mode = c.settings.text("mode", "mean");
  if (mode != "sum" && mode != "mean" && mode != "max")
    c.settings.refuse_setting("mode", "sum, mean or max");
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
          "an EmbeddingBag takes offsets, or an input of rank 2 whose sizes are known"));
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
  const Proxy weight = c.needed("weight");
  shorten_rows(c, weight, input);
  return embedding_bag(weight, input, *offsets, by_frequency, number, sparse, scale, ends,
                       c.settings.optional_integer("padding_idx"))
      .get<0>();
}

#define FX_CALL(expression) [](LayerCall& c) -> Proxy { return expression; }

constexpr LayerFunction kRows[] = {
    {"torch.nn.modules.activation.CELU", "input", celu_layer},
    {"torch.nn.modules.activation.ELU", "input", elu_layer},
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
    {"torch.nn.modules.activation.Mish", "input",
     activation<[](const Proxy& x) { return mish(x); }, [](const Proxy& x) { return mish_(x); }>},
    {"torch.nn.modules.activation.MultiheadAttention", kAttentionSignature, nullptr,
     multihead_attention_layer},
    {"torch.nn.modules.activation.PReLU", "input", prelu_layer},
    {"torch.nn.modules.activation.RReLU", "input", rrelu_layer},
    {"torch.nn.modules.activation.ReLU6", "input", hardtanh_layer},
    {"torch.nn.modules.activation.SELU", "input",
     activation<[](const Proxy& x) { return selu(x); }, [](const Proxy& x) { return selu_(x); }>},
    {"torch.nn.modules.activation.SiLU", "input",
     activation<[](const Proxy& x) { return silu(x); }, [](const Proxy& x) { return silu_(x); }>},
    {"torch.nn.modules.activation.Softmax2d", "input", FX_CALL(softmax(c.x(), -3))},
    {"torch.nn.modules.activation.Softmin", "input",
     FX_CALL(softmax(-c.x(), c.settings.integer("dim")))},
    {"torch.nn.modules.activation.Softplus", "input", softplus_layer},
    {"torch.nn.modules.activation.Softshrink", "input",
     FX_CALL(softshrink(c.x(), c.settings.number("lambd", 0.5)))},
    {"torch.nn.modules.activation.Softsign", "input", softsign_layer},
    {"torch.nn.modules.activation.Tanhshrink", "input", tanhshrink_layer},
    {"torch.nn.modules.activation.Threshold", "input", threshold_layer},
    {"torch.nn.modules.channelshuffle.ChannelShuffle", "input",
     FX_CALL(channel_shuffle(c.x(), c.settings.positive("groups", 1)))},
    {"torch.nn.modules.conv.Conv1d", "input", conv<1>},
    {"torch.nn.modules.conv.Conv2d", "input", conv<2>},
    {"torch.nn.modules.conv.Conv3d", "input", conv<3>},
    {"torch.nn.modules.distance.CosineSimilarity", "x1, x2", cosine_similarity_layer},
    {"torch.nn.modules.distance.PairwiseDistance", "x1, x2", pairwise_distance_layer},
    {"torch.nn.modules.dropout.AlphaDropout", "input",
     FX_CALL(alpha_dropout(c.x(), c.settings.number("p", 0.5), c.layer.training()))},
    {"torch.nn.modules.dropout.Dropout", "input",
     dropout_layer<[](const Proxy& x, double p, bool train) { return dropout(x, p, train); },
                   [](const Proxy& x, double p, bool train) { return dropout_(x, p, train); }>},
    {"torch.nn.modules.dropout.Dropout1d", "input", dropout1d_layer},
    {"torch.nn.modules.dropout.Dropout2d", "input",
     dropout_layer<
         [](const Proxy& x, double p, bool train) { return feature_dropout(x, p, train); },
         [](const Proxy& x, double p, bool train) { return feature_dropout_(x, p, train); }>},
    {"torch.nn.modules.dropout.Dropout3d", "input",
     dropout_layer<
         [](const Proxy& x, double p, bool train) { return feature_dropout(x, p, train); },
         [](const Proxy& x, double p, bool train) { return feature_dropout_(x, p, train); }>},
    {"torch.nn.modules.dropout.FeatureAlphaDropout", "input",
     FX_CALL(feature_alpha_dropout(c.x(), c.settings.number("p", 0.5), c.layer.training()))},
    {"torch.nn.modules.flatten.Unflatten", "input",
     FX_CALL(unflatten(c.x(), c.settings.integer("dim"),
                       c.settings.extent("unflattened_size", 0).values()))},
    {"torch.nn.modules.fold.Fold", "input",
     FX_CALL(col2im(c.x(), extents(c, "output_size", 2), extents(c, "kernel_size", 2),
                    extents(c, "dilation", 2), extents(c, "padding", 2), extents(c, "stride", 2)))},
    {"torch.nn.modules.fold.Unfold", "input",
     FX_CALL(im2col(c.x(), extents(c, "kernel_size", 2), extents(c, "dilation", 2),
                    extents(c, "padding", 2), extents(c, "stride", 2)))},
    {"torch.nn.modules.instancenorm.InstanceNorm1d", "input", instance_norm_layer},
    {"torch.nn.modules.instancenorm.InstanceNorm2d", "input", instance_norm_layer},
    {"torch.nn.modules.instancenorm.InstanceNorm3d", "input", instance_norm_layer},
    {"torch.nn.modules.linear.Bilinear", "input1, input2", bilinear_layer},
    {"torch.nn.modules.loss.BCELoss", "input, target",
     FX_CALL(binary_cross_entropy(c.x(), c.inputs[1], c.tensor("weight"), reduction(c)))},
    {"torch.nn.modules.loss.BCEWithLogitsLoss", "input, target", bce_logits_layer},
    {"torch.nn.modules.loss.CTCLoss", "log_probs, targets, input_lengths, target_lengths",
     ctc_layer},
    {"torch.nn.modules.loss.CosineEmbeddingLoss", "input1, input2, target",
     FX_CALL(cosine_embedding_loss(c.x(), c.inputs[1], c.inputs[2],
                                   c.settings.number("margin", 0.0), reduction(c)))},
    {"torch.nn.modules.loss.CrossEntropyLoss", "input, target", cross_entropy_layer},
    {"torch.nn.modules.loss.GaussianNLLLoss", "input, target, var", gaussian_nll_layer},
    {"torch.nn.modules.loss.HingeEmbeddingLoss", "input, target",
     FX_CALL(
         hinge_embedding_loss(c.x(), c.inputs[1], c.settings.number("margin", 1.0), reduction(c)))},
    {"torch.nn.modules.loss.HuberLoss", "input, target",
     FX_CALL(huber_loss(c.x(), c.inputs[1], reduction(c), c.settings.number("delta", 1.0)))},
    {"torch.nn.modules.loss.KLDivLoss", "input, target", kl_div_layer},
    {"torch.nn.modules.loss.L1Loss", "input, target",
     FX_CALL(l1_loss(c.x(), c.inputs[1], reduction(c)))},
    {"torch.nn.modules.loss.MSELoss", "input, target",
     FX_CALL(mse_loss(c.x(), c.inputs[1], reduction(c)))},
    {"torch.nn.modules.loss.MarginRankingLoss", "input1, input2, target",
     FX_CALL(margin_ranking_loss(c.x(), c.inputs[1], c.inputs[2], c.settings.number("margin", 0.0),
                                 reduction(c)))},
    {"torch.nn.modules.loss.MultiLabelMarginLoss", "input, target",
     FX_CALL(multilabel_margin_loss(c.x(), c.inputs[1], reduction(c)))},
    {"torch.nn.modules.loss.MultiLabelSoftMarginLoss", "input, target",
     multilabel_soft_margin_layer},
    {"torch.nn.modules.loss.MultiMarginLoss", "input, target", multi_margin_layer},
    {"torch.nn.modules.loss.NLLLoss", "input, target", nll_layer},
    {"torch.nn.modules.loss.PoissonNLLLoss", "input, target", poisson_nll_layer},
    {"torch.nn.modules.loss.SmoothL1Loss", "input, target",
     FX_CALL(smooth_l1_loss(c.x(), c.inputs[1], reduction(c), c.settings.number("beta", 1.0)))},
    {"torch.nn.modules.loss.SoftMarginLoss", "input, target",
     FX_CALL(soft_margin_loss(c.x(), c.inputs[1], reduction(c)))},
    {"torch.nn.modules.loss.TripletMarginLoss", "anchor, positive, negative", triplet_margin_layer},
    {"torch.nn.modules.loss.TripletMarginWithDistanceLoss", "anchor, positive, negative",
     triplet_margin_with_distance_layer},
    {"torch.nn.modules.normalization.LocalResponseNorm", "input", local_response_norm_layer},
    {"torch.nn.modules.normalization.RMSNorm", "input", rms_norm_layer},
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
    {"torch.nn.modules.rnn.GRU", "input, hx=None", gru_layer},
    {"torch.nn.modules.rnn.GRUCell", "input, hx=None", gru_cell_layer},
    {"torch.nn.modules.rnn.LSTM", "input, hx=None", nullptr, lstm_layer},
    {"torch.nn.modules.rnn.LSTMCell", "input, hx=None", nullptr, lstm_cell_layer},
    {"torch.nn.modules.rnn.RNN", "input, hx=None", rnn_layer},
    {"torch.nn.modules.rnn.RNNCell", "input, hx=None", rnn_cell_layer},
    {"torch.nn.modules.sparse.Embedding", "input", embedding_layer},
    {"torch.nn.modules.sparse.EmbeddingBag", "input, offsets=None, per_sample_weights=None",
     embedding_bag_layer},
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

static_assert(std::ranges::is_sorted(kRows, {}, &LayerFunction::class_name));

}  // namespace

absl::Span<const LayerFunction> layer_functions() { return kRows; }

}  // namespace fx::internal
