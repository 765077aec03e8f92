// Losses, distances and other layers with two inputs: each forward follows torch/nn/modules.
#include "fx/tracer/generated/functions.h"
#include "fx/tracer/nn/layer_settings_internal.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

namespace fx::internal {
namespace {

// ---------------------------------------------------------------- losses and distances

/// Returns the reduction as ATen's at::Reduction: none, mean, sum.
int64_t reduction(LayerCall& c) {
  const std::string text = c.settings.text("reduction", "mean");
  if (text == "none") return 0;
  if (text == "mean") return 1;
  if (text != "sum") c.settings.reject_setting("reduction", "none, mean or sum");
  return 2;
}
Proxy bilinear_layer(LayerCall& c) {
  if (!c.settings.has("weight")) {
    c.tracer.fail(absl::InvalidArgumentError("a Bilinear must have a weight"));
    return c.x();
  }
  const Proxy weight = c.attribute("weight");
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
/// Applies the reduction of a loss that torch.nn computes with multiple operators.
Proxy reduced(LayerCall& c, const Proxy& loss) {
  const int64_t mode = reduction(c);
  return mode == 0 ? loss : mode == 1 ? mean(loss) : sum(loss);
}
Proxy multilabel_soft_margin_layer(LayerCall& c) {
  const Proxy& target = c.inputs[1];
  const Proxy other = rsub(target, 1);
  const Proxy negative_term = other * log_sigmoid(-c.x());
  const Proxy positive_term = target * log_sigmoid(c.x());
  Proxy loss = -(positive_term + negative_term);
  if (c.settings.has("weight")) loss = loss * c.attribute("weight");
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
/// Implements torch.nn.functional.gaussian_nll_loss. A recorded assertion checks that variances are
/// not negative.
Proxy gaussian_nll_layer(LayerCall& c) {
  Proxy var = c.inputs[2];
  const Type type = c.x().node()->type(), var_type = var.node()->type();
  if (!type.is_tensor() || !var_type.is_tensor()) {
    c.tracer.fail(absl::InvalidArgumentError(
        "a GaussianNLLLoss requires the sizes of its input and variance; propagate types first"));
    return c.x();
  }
  const absl::Span<const Dim> sizes = type.sizes(), var_sizes = var_type.sizes();
  const bool lacks_one = !sizes.empty() && sizes.first(sizes.size() - 1) == var_sizes;
  // The variance may have size 1 in one dimension, in which it is broadcast.
  int64_t other = 0;
  for (size_t i = 0; i < std::min(sizes.size(), var_sizes.size()); ++i)
    if (sizes[i] != var_sizes[i]) other += var_sizes[i] == Dim(1) ? 1 : 2;
  if (sizes != var_sizes && !lacks_one && (sizes.size() != var_sizes.size() || other != 1)) {
    c.tracer.fail(absl::InvalidArgumentError(
        fmt::format("the input of a GaussianNLLLoss has type {}, but its variance has type {}",
                    to_string(type), to_string(var_type))));
    return c.x();
  }
  c.tracer.call_function("aten._assert_async.msg",
                         {logical_not(any(var < 0)), "var has negative entry/entries"});
  if (lacks_one && sizes != var_sizes) var = unsqueeze(var, -1);
  var = clone(var);
  clamp_(detach(var), c.settings.number("eps", 1e-6));  // without autograd
  const Proxy log_var = log(var), difference = c.x() - c.inputs[1];
  Proxy loss = 0.5 * (log_var + pow(difference, 2) / var);
  if (c.settings.flag("full", false)) loss = loss + 0.5 * std::log(2 * std::numbers::pi);
  return reduced(c, loss);
}
/// Returns a list of lengths: constants and values. nullopt for a tensor.
std::optional<IntList> listed_lengths(LayerCall& c, std::string_view name) {
  const Argument& lengths = c.values.at(name);
  if (Node* const node = lengths.node()) {
    if (!node->type().is_list() && !node->type().is_tuple()) return std::nullopt;
    return IntList(c.proxy(node));
  }
  std::vector<IntArg> items;
  for (size_t i = 0; (lengths.is_list() || lengths.is_tuple()) && i < lengths.size(); ++i)
    if (lengths[i].is_int() || lengths[i].is_node()) items.push_back(as_integer(c, lengths[i]));
  if ((lengths.is_list() || lengths.is_tuple()) && items.size() == lengths.size()) return items;
  c.tracer.fail(absl::InvalidArgumentError(
      fmt::format("the {} of a {} must be a tensor or a list of integers, not {}", name,
                  c.layer.class_name(), print(lengths))));
  return std::nullopt;
}
/// The lengths are two tensors or two lists.
Proxy ctc_layer(LayerCall& c) {
  const std::optional<IntList> inputs = listed_lengths(c, "input_lengths");
  const std::optional<IntList> targets = listed_lengths(c, "target_lengths");
  const int64_t blank = c.settings.integer("blank", 0);
  const bool zero_infinity = c.settings.flag("zero_infinity", false);
  if (inputs && targets)
    return ctc_loss(c.x(), c.inputs[1], *inputs, *targets, blank, reduction(c), zero_infinity);
  if (inputs || targets)
    c.tracer.fail(absl::InvalidArgumentError(
        fmt::format("the input_lengths and target_lengths of a {} must both be tensors or both be "
                    "lists",
                    c.layer.class_name())));
  if (!c.tracer.status().ok()) return Proxy::failed(c.tracer);
  return ctc_loss(c.x(), c.inputs[1], c.proxy(c.values.at("input_lengths").node()),
                  c.proxy(c.values.at("target_lengths").node()), blank, reduction(c),
                  zero_infinity);
}
Proxy triplet_margin_layer(LayerCall& c) {
  return triplet_margin_loss(c.x(), c.inputs[1], c.inputs[2], c.settings.number("margin", 1.0),
                             c.settings.number("p", 2.0), c.settings.number("eps", 1e-6),
                             c.settings.flag("swap", false), reduction(c));
}
/// Calls the distance, which is a separate layer.
Proxy triplet_margin_with_distance_layer(LayerCall& c) {
  const Module* const layer = c.layer.find_module("distance_function");
  const std::string_view name = layer ? std::string_view(layer->class_name()) : "";
  const bool is_cosine = name == "torch.nn.modules.distance.CosineSimilarity";
  if (!is_cosine && name != "torch.nn.modules.distance.PairwiseDistance") {
    c.tracer.fail(absl::UnimplementedError(
        "the distance_function of a TripletMarginWithDistanceLoss must be a PairwiseDistance "
        "or a CosineSimilarity: trace into the loss (Tracer::is_leaf_module)"));
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
    return c.rank == 0 ? total : total / c.x().size(0);
  }
  return kl_div(c.x(), c.inputs[1], reduction(c), c.settings.flag("log_target", false));
}
/// With beta=0, torch calls l1_loss, whose derivative differs for equal elements.
Proxy smooth_l1_layer(LayerCall& c) {
  const double beta = c.settings.number("beta", 1.0);
  return beta == 0 ? l1_loss(c.x(), c.inputs[1], reduction(c))
                   : smooth_l1_loss(c.x(), c.inputs[1], reduction(c), beta);
}
Proxy bce_logits_layer(LayerCall& c) {
  const OptionalTensor weight = c.tensor("weight");
  return binary_cross_entropy_with_logits(c.x(), c.inputs[1], weight, c.tensor("pos_weight"),
                                          reduction(c));
}

#define FX_CALL(expression) [](LayerCall& c) -> Proxy { return expression; }

constexpr LayerFunction kLossLayers[] = {
    {"torch.nn.modules.distance.CosineSimilarity", "x1, x2", cosine_similarity_layer},
    {"torch.nn.modules.distance.PairwiseDistance", "x1, x2", pairwise_distance_layer},
    {"torch.nn.modules.linear.Bilinear", "input1, input2", bilinear_layer},
    {"torch.nn.modules.loss.BCELoss", "input, target",
     FX_CALL(binary_cross_entropy(c.x(), c.inputs[1], c.tensor("weight"), reduction(c)))},
    {"torch.nn.modules.loss.BCEWithLogitsLoss", "input, target", bce_logits_layer},
    {"torch.nn.modules.loss.CTCLoss", "log_probs, targets, input_lengths, target_lengths",
     ctc_layer, nullptr, /*max_inputs=*/2},
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
    {"torch.nn.modules.loss.SmoothL1Loss", "input, target", smooth_l1_layer},
    {"torch.nn.modules.loss.SoftMarginLoss", "input, target",
     FX_CALL(soft_margin_loss(c.x(), c.inputs[1], reduction(c)))},
    {"torch.nn.modules.loss.TripletMarginLoss", "anchor, positive, negative", triplet_margin_layer},
    {"torch.nn.modules.loss.TripletMarginWithDistanceLoss", "anchor, positive, negative",
     triplet_margin_with_distance_layer},
};
#undef FX_CALL

static_assert(std::ranges::is_sorted(kLossLayers, {}, &LayerFunction::class_name));

}  // namespace

absl::Span<const LayerFunction> loss_layers() { return kLossLayers; }

}  // namespace fx::internal
