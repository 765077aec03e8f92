// Normalizations.
#include "fx/importers/onnx/read_rows/rows_internal.h"

#include <algorithm>

namespace fx::onnx::reader {
namespace {

/// Returns all dimensions except the channels.
Ints without_channels(Call& c, Val x) {
  Ints dims = dims_from(0, c.rank(x));
  if (dims.size() > 1) dims.erase(dims.begin() + 1);
  return dims;
}

/// Reshapes a vector with an element for each channel, so that it broadcasts over an image.
Val channels(Call& c, Val vector, int rank) {
  for (int i = 2; i < rank; ++i) vector = c.op("aten.unsqueeze.default", {vector, -1});
  return vector;
}

/// Normalizes with the statistics of the batch, and updates the running statistics. ONNX's momentum
/// is 1 - torch's momentum, and ONNX uses the population variance.
void batch_norm_training(Call& c, double epsilon, double momentum) {
  const Val x = c.in(0);
  const int rank = c.rank(x);
  const Ints dims = without_channels(c, x);
  const Val mean = reduce_mean(c, x, dims, false);
  const Val variance = c.op("aten.var.correction", {x, c.list(dims)}, {{"correction", 0}});
  const Val centered = c.op("aten.sub.Tensor", {x, channels(c, mean, rank)});
  const Val scale = c.op("aten.rsqrt.default", {c.op("aten.add.Tensor", {variance, epsilon})});
  const Val factor = channels(c, c.op("aten.mul.Tensor", {scale, c.in(1)}), rank);
  c.result(0, c.op("aten.add.Tensor",
                   {c.op("aten.mul.Tensor", {centered, factor}), channels(c, c.in(2), rank)}));
  const auto updated = [&](size_t input, Val current) {
    return c.op("aten.add.Tensor", {c.op("aten.mul.Tensor", {c.in(input), momentum}),
                                    c.op("aten.mul.Tensor", {current, 1 - momentum})});
  };
  if (c.has_output(1)) c.result(1, updated(3, mean));
  if (c.has_output(2)) c.result(2, updated(4, variance));
}

void batch_normalization(Call& c) {
  const double epsilon = c.real("epsilon", 1e-5F), momentum = c.real("momentum", 0.9F);
  const bool is_training = c.opset() >= 14 && c.flag("training_mode");
  if (c.opset() < 9 && !c.flag("spatial", true))
    return c.fail("per-element statistics (spatial=0) are not supported");
  c.mark_buffer(3);
  c.mark_buffer(4);
  if (is_training) return batch_norm_training(c, epsilon, momentum);
  if (c.num_outputs() > 1 && c.has_output(1))
    return c.fail("outputs after the first are not supported");
  c.result(c.op("aten.batch_norm.default", {c.in(0), c.in(1), c.in(2), c.in(3), c.in(4), false,
                                            1 - momentum, epsilon, false}));
}

void instance_normalization(Call& c) {
  const double epsilon = c.real("epsilon", 1e-5F);
  c.result(c.op("aten.instance_norm.default",
                {c.in(0), c.in(1), c.in(2), Argument(), Argument(), true, 0.1, epsilon, false}));
}

bool has_shape_of(Call& c, Val weight, Val x, int64_t axis) {
  const std::optional<Ints> weight_shape = c.constant_shape(weight), all = c.constant_shape(x);
  if (!weight_shape || c.failed()) return false;
  if (static_cast<int64_t>(weight_shape->size()) != c.rank(x) - axis) return false;
  for (size_t i = 0; i < weight_shape->size(); ++i)
    if (!same_value(c.dim(x, axis + static_cast<int64_t>(i)), Dim((*weight_shape)[i])))
      return false;
  return true;
}

Sizes normalized_shape(Call& c, Val x, int64_t axis) {
  Sizes sizes = c.shape_of(x);
  if (!c.failed()) sizes.erase(sizes.begin(), sizes.begin() + axis);
  return sizes;
}

void layer_normalization(Call& c) {
  const Val x = c.in(0), weight = c.in(1), bias = c.optional(2);
  const int64_t axis = c.axis(c.integer("axis", -1), c.rank(x));
  const double epsilon = c.real("epsilon", 1e-5F);
  const int64_t stash = c.integer("stash_type", 1);
  const DType dtype = c.dtype(x);
  if (stash != 1 && dtype_of(static_cast<DataType>(static_cast<int32_t>(stash))) != dtype)
    return c.fail("stash_type must be 1 or the type of its input");
  const bool is_native =
      has_shape_of(c, weight, x, axis) && (!bias || has_shape_of(c, bias, x, axis));
  const Sizes shape = normalized_shape(c, x, axis);
  const bool returns_all = c.has_output(1) || c.has_output(2);
  if (is_native && !returns_all)
    return c.result(c.op("aten.layer_norm.default", {x, c.list(shape), weight, bias, epsilon}));
  const Val all = c.op("aten.native_layer_norm.default",
                       {x, c.list(shape), is_native ? Argument(weight) : Argument(),
                        is_native ? Argument(bias) : Argument(), epsilon});
  Val y = c.item(all, 0);
  if (!is_native) {
    y = c.op("aten.mul.Tensor", {y, weight});
    if (bias) y = c.op("aten.add.Tensor", {y, bias});
  }
  c.result(0, c.cast(y, dtype));
  for (size_t i = 1; i < 3; ++i)
    if (c.has_output(i)) c.result(i, c.item(all, static_cast<int64_t>(i)));
}

/// Converts GroupNormalization. The scale has an item for each group before opset 21, and for each
/// channel since opset 21.
void group_normalization(Call& c) {
  const Val x = c.in(0), scale = c.in(1), bias = c.in(2);
  const int64_t groups = c.integer("num_groups", 0);
  const double epsilon = c.real("epsilon", 1e-5F);
  if (c.opset() >= 21) c.ignore_attribute("stash_type");  // torch's kernels compute in float32
  if (groups <= 0) return c.fail_invalid("num_groups must be positive");
  if (c.opset() >= 21)
    return c.result(c.op("aten.group_norm.default", {x, groups, scale, bias, epsilon}));
  const Val y = c.op("aten.group_norm.default", {x, groups, Argument(), Argument(), epsilon});
  const Val parts = c.reshape(y, {c.size_of(x, 0), groups, -1});
  const Val scaled = c.op("aten.mul.Tensor", {parts, c.op("aten.unsqueeze.default", {scale, -1})});
  const Val shifted = c.op("aten.add.Tensor", {scaled, c.op("aten.unsqueeze.default", {bias, -1})});
  c.result(c.reshape(shifted, c.shape_of(x)));
}

void rms_normalization(Call& c) {
  const Val x = c.in(0), weight = c.in(1);
  const int64_t axis = c.axis(c.integer("axis", -1), c.rank(x));
  const double epsilon = c.real("epsilon", 1e-5F);
  if (c.integer("stash_type", 1) != 1) return c.fail("stash_type must be 1");
  const DType dtype = c.dtype(x);
  const Val wide_x = c.cast(x, wide(dtype));
  const Val square = c.op("aten.mul.Tensor", {wide_x, wide_x});
  const Val mean = reduce_mean(c, square, dims_from(axis, c.rank(x)), true);
  const Val factor = c.op("aten.rsqrt.default", {c.op("aten.add.Tensor", {mean, epsilon})});
  const Val y = c.cast(c.op("aten.mul.Tensor", {wide_x, factor}), dtype);
  c.result(c.op("aten.mul.Tensor", {y, weight}));
}

void lrn(Call& c) {
  const Val x = c.in(0);
  const int64_t size = c.integer("size", 0);
  const double alpha = c.real("alpha", 1e-4F), beta = c.real("beta", 0.75),
               bias = c.real("bias", 1);
  if (size <= 0 || size > (1 << 20) || c.rank(x) < 3)
    return c.fail_invalid(
        "size must be between 1 and 2^20, and its input must have at least three dimensions");
  const Val square = c.op("aten.mul.Tensor", {x, x});
  const auto count = static_cast<size_t>(c.rank(x) - 1);
  Ints low(count, 0), high(count, 0);
  low[0] = (size - 1) / 2;
  high[0] = size - 1 - low[0];
  const Val windows =
      c.op("aten.unfold.default", {pad_constant(c, square, low, high, 0), 1, size, 1});
  const Val sum = reduce_sum(c, windows, {c.rank(x)}, false);
  const Val scale = c.op("aten.add.Tensor",
                         {c.op("aten.mul.Tensor", {sum, alpha / static_cast<double>(size)}), bias});
  c.result(c.op("aten.div.Tensor", {x, c.op("aten.pow.Tensor_Scalar", {scale, beta})}));
}

void mean_variance_normalization(Call& c) {
  const Val x = c.in(0);
  const Ints axes = c.axes_of(c.ints("axes").value_or(Ints{0, 2, 3}), c.rank(x));
  const Val mean = reduce_mean(c, x, axes, true);
  const Val variance =
      c.op("aten.var.correction", {x, c.list(axes)}, {{"correction", 0}, {"keepdim", true}});
  const Val deviation = c.op("aten.add.Tensor", {c.op("aten.sqrt.default", {variance}), 1e-9});
  c.result(c.op("aten.div.Tensor", {c.op("aten.sub.Tensor", {x, mean}), deviation}));
}

}  // namespace

absl::Span<const Row> norm_rows() {
  static constexpr Row kRows[] = {
      {"BatchNormalization", batch_normalization},
      {"InstanceNormalization", instance_normalization},
      {"LayerNormalization", layer_normalization, 17},
      {"GroupNormalization", group_normalization, 18},
      {"RMSNormalization", rms_normalization, 23},
      {"LRN", lrn},
      {"MeanVarianceNormalization", mean_variance_normalization, 9},
  };
  return kRows;
}

// ---------------------------------------------------------------- losses

namespace {

std::optional<int64_t> torch_mean_or_sum(Call& c) {
  const std::string reduction = c.text("reduction", "mean");
  if (reduction == "none") return 0;
  if (reduction == "mean") return 1;
  if (reduction == "sum") return 2;
  c.fail_invalid("reduction must be none, mean or sum");
  return std::nullopt;
}

/// Returns the loss for log-probabilities. Dimension 1 is the class.
Val nll_loss(Call& c, Val log_probabilities) {
  const std::optional<int64_t> reduction = torch_mean_or_sum(c);
  const int64_t ignored = c.integer("ignore_index", -100);
  if (!reduction) return {};
  Val x = log_probabilities, target = c.cast(c.in(1), DType::kInt64);
  const Val weight = c.optional(2);
  const int rank = c.rank(x);
  if (rank < 2) c.fail_invalid("its input must have a class dimension");
  // torch's kernel accepts two spatial dimensions. Reshape other inputs.
  const Sizes shape = rank == 2 ? Sizes() : c.shape_of(target);
  if (rank > 2 && rank != 4) {
    x = c.op("aten.flatten.using_ints", {c.op("aten.unsqueeze.default", {x, -1}), 2, -1});
    x = c.op("aten.unsqueeze.default", {x, -1});
    target = c.op("aten.flatten.using_ints", {c.op("aten.unsqueeze.default", {target, -1}), 1, -1});
    target = c.op("aten.unsqueeze.default", {target, -1});
  }
  const Val loss = c.op("aten.nll_loss_nd.default", {x, target, weight, *reduction, ignored});
  if (*reduction != 0 || rank == 2 || rank == 4) return loss;
  return c.reshape(loss, shape);
}

void negative_log_likelihood_loss(Call& c) { c.result(nll_loss(c, c.in(0))); }

void softmax_cross_entropy_loss(Call& c) {
  const Val log_probabilities = c.op("aten.log_softmax.int", {c.in(0), 1});
  c.result(0, nll_loss(c, log_probabilities));
  if (c.has_output(1)) c.result(1, log_probabilities);
}

}  // namespace

absl::Span<const Row> loss_rows() {
  static constexpr Row kRows[] = {
      {"NegativeLogLikelihoodLoss", negative_log_likelihood_loss, 12},
      {"SoftmaxCrossEntropyLoss", softmax_cross_entropy_loss, 12},
  };
  return kRows;
}

}  // namespace fx::onnx::reader
