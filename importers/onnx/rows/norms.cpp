// Normalizations.
#include "fx/importers/onnx/rows/rows_internal.h"

#include <limits>
#include <numeric>

namespace fx::onnx {
namespace {

using Ints = RowCall::Ints;

/// Reshapes [c] to [c, 1, ...], so that it broadcasts with the operand.
Value by_channel(RowCall& c, const Value& value, int rank) {
  Ints axes;
  for (int i = 1; i + 1 < rank; ++i) axes.push_back(i);
  return c.unsqueeze(value, axes);
}

/// Returns a weight, or a tensor of these sizes filled with `default_value`.
Value weight_or(RowCall& c, std::string_view name, double default_value,
                absl::Span<const Dim> sizes, DType dtype) {
  if (c.has(name)) return c.tensor_as(name, dtype);
  return filled(c, c.scalar(default_value, dtype), sizes);
}

/// Applies weight and bias, if present, to the normalized operand.
Value apply_weight_and_bias(RowCall& c, Value value, int rank, DType dtype) {
  if (c.has("weight"))
    value = c.op("Mul", {value, by_channel(c, c.tensor_as("weight", dtype), rank)});
  if (c.has("bias")) value = c.op("Add", {value, by_channel(c, c.tensor_as("bias", dtype), rank)});
  return value;
}

Value with_running_statistics(RowCall& c) {
  const Type type = c.type("input");
  const DType dtype = c.result_dtype(0);
  const DimVector channels{type.size(1)};
  const Value x = c.tensor_as("input", dtype);
  return c.op(
      "BatchNormalization",
      {x, weight_or(c, "weight", 1, channels, dtype), weight_or(c, "bias", 0, channels, dtype),
       c.tensor_as("running_mean", dtype), c.tensor_as("running_var", dtype)},
      {{"epsilon", c.real("eps")}});
}

/// The statistics of each channel of a batch, [n, c, ...].
struct BatchStatistics {
  Value normalized, mean, inverse, variance;
  Dim count;
};

BatchStatistics batch_statistics(RowCall& c) {
  const Type type = c.type("input");
  const DType dtype = c.result_dtype(0);
  Ints dims{0};
  Dim count = type.size(0);
  for (int d = 2; d < type.rank(); ++d) {
    dims.push_back(d);
    count *= type.size(d);
  }
  const Value x = c.tensor_as("input", dtype);
  const Value mean = c.reduce("ReduceMean", x, dims, true);
  const Value distance = c.op("Sub", {x, mean});
  const Value variance = c.reduce("ReduceMean", c.op("Mul", {distance, distance}), dims, true);
  const Value shifted = c.op("Add", {variance, c.scalar(c.real("eps"), dtype)});
  const Value inverse = c.op("Reciprocal", {c.op("Sqrt", {shifted})});
  return {.normalized = c.op("Mul", {distance, inverse}),
          .mean = c.squeeze(mean, dims),
          .inverse = c.squeeze(inverse, dims),
          .variance = c.squeeze(variance, dims),
          .count = count};
}

Value updated_statistic(RowCall& c, std::string_view name, const Value& batch) {
  const double momentum = c.real("momentum");
  const Value before = c.tensor_as(name, batch.dtype);
  return c.op("Add", {c.op("Mul", {before, c.scalar(1 - momentum, batch.dtype)}),
                      c.op("Mul", {batch, c.scalar(momentum, batch.dtype)})});
}

/// Converts batch_norm, which uses the running statistics in evaluation mode, and the statistics of
/// the batch in training mode.
void batch_norm(RowCall& c) {
  // Eager mode accepts an empty input of any rank.
  if (c.type("input").rank() < 2) return c.fail("the input must have at least 2 dimensions");
  if (!c.flag("training") && c.has("running_mean")) return c.result(with_running_statistics(c));
  const BatchStatistics s = batch_statistics(c);
  c.result(apply_weight_and_bias(c, s.normalized, c.type("input").rank(), s.normalized.dtype));
}

void batch_norm_no_training(RowCall& c) {
  const Value value = with_running_statistics(c);
  const DType dtype = c.result_dtype(1);
  const Value empty = filled(c, c.scalar(0.0, dtype), {Dim(0)});
  c.results({value, empty, empty});
}

/// Converts batch norm in training mode. The results are the normalized value, the mean and the
/// reciprocal standard deviation of the batch and, for the functional form, the running statistics.
void batch_norm_training(RowCall& c) {
  const bool is_functional = c.row().name == "functional";
  const bool has_running = c.row().name != "no_stats" && c.has("running_mean");
  if (!c.flag("training")) {
    if (!has_running) return c.fail("running statistics are required");
    const DType dtype = c.result_dtype(1);
    const Value empty = filled(c, c.scalar(0.0, dtype), {Dim(0)});
    const Value value = with_running_statistics(c);
    if (!is_functional) return c.results({value, empty, empty});
    return c.results({value, empty, empty, c.tensor("running_mean"), c.tensor("running_var")});
  }
  const BatchStatistics s = batch_statistics(c);
  const Value value =
      apply_weight_and_bias(c, s.normalized, c.type("input").rank(), s.normalized.dtype);
  if (!is_functional) return c.results({value, s.mean, s.inverse});
  // The running variance is the unbiased variance, that is, the variance times n / (n - 1).
  const DType dtype = s.variance.dtype;
  const Value count = c.cast(c.size_value(s.count), dtype);
  const Value less = c.op("Sub", {count, c.scalar(1.0, dtype)});
  const Value sample = c.op("Mul", {s.variance, c.op("Div", {count, less})});
  c.results({value, s.mean, s.inverse, updated_statistic(c, "running_mean", s.mean),
             updated_statistic(c, "running_var", sample)});
}

/// Converts layer norm, which normalizes the last dimensions.
void layer_norm(RowCall& c) {
  const bool has_statistics = c.row().name == "native";
  const Type type = c.type("input");
  const DType dtype = c.result_dtype(0);
  const std::optional<ArgumentRef> shape = c.argument("normalized_shape");
  const int count = shape ? static_cast<int>(shape->size()) : 1;
  if (count > type.rank()) return c.fail("normalized_shape must not be longer than its input");
  const Value x = c.tensor_as("input", dtype);
  const absl::Span<const Dim> last = type.sizes().last(static_cast<size_t>(count));
  const Value scale = weight_or(c, "weight", 1, last, dtype);
  const Value bias = c.has("bias") ? c.tensor_as("bias", dtype) : Value();
  const Attribute attributes[] = {{"axis", -count}, {"epsilon", c.real("eps")}};
  const Value inputs[] = {x, scale, bias};
  if (!has_statistics) return c.result(c.op("LayerNormalization", inputs, attributes));
  const std::vector<Value> all =
      c.ops("LayerNormalization", inputs, attributes, {dtype, DType::kFloat32, DType::kFloat32});
  if (!c.failed()) c.results(all);
}

/// Computes x / sqrt(mean(x^2) + eps) over the last dimensions, in float32 for 16-bit types.
void rms_norm(RowCall& c) {
  const Type type = c.type("input");
  const bool is_double = type.dtype() == DType::kFloat64;
  const DType dtype = is_double ? DType::kFloat64 : DType::kFloat32;
  const std::optional<ArgumentRef> shape = c.argument("normalized_shape");
  const int count = shape ? static_cast<int>(shape->size()) : 1;
  if (count > type.rank()) return c.fail("normalized_shape must not be longer than its input");
  const double eps = c.has("eps") ? c.real("eps")
                     : is_double  ? std::numeric_limits<double>::epsilon()
                                  : double{std::numeric_limits<float>::epsilon()};
  const Value x = c.tensor_as("input", dtype);
  if (c.opset() >= 23 && c.has("weight")) {
    return c.result(c.op("RMSNormalization", {x, c.tensor_as("weight", dtype)},
                         {{"axis", -count}, {"epsilon", eps}}));
  }
  Ints dims;
  for (int i = type.rank() - count; i < type.rank(); ++i) dims.push_back(i);
  const Value square = c.reduce("ReduceMean", c.op("Mul", {x, x}), dims, true);
  const Value root = c.op("Sqrt", {c.op("Add", {square, c.scalar(eps, dtype)})});
  Value value = c.op("Div", {x, root});
  if (c.has("weight")) value = c.op("Mul", {value, c.tensor_as("weight", dtype)});
  c.result(value);
}

/// Normalizes each channel of each instance with ONNX's operator. The scale is 1 and the bias 0.
Value instance_normalized(RowCall& c, const Value& x, const Dim& channels, DType dtype) {
  const DimVector sizes{channels};
  return c.op("InstanceNormalization",
              {x, filled(c, c.scalar(1.0, dtype), sizes), filled(c, c.scalar(0.0, dtype), sizes)},
              {{"epsilon", c.real("eps")}});
}

void group_norm(RowCall& c) {
  const Type type = c.type("input");
  const DType dtype = c.result_dtype();
  const int64_t groups = c.integer("num_groups");
  const Value x = c.tensor_as("input", dtype);
  if (c.failed()) return;
  const DimVector grouped{type.size(0), Dim(groups), Dim(-1)};
  const Value flat = c.op("Reshape", {x, c.ints_value({0, groups, -1})});
  const Value normalized = instance_normalized(c, flat, Dim(groups), dtype);
  const Value value = constant_sizes(type.sizes())
                          ? c.reshape(normalized, grouped, type.sizes())
                          : c.op("Reshape", {normalized, c.op("Shape", {x}, {}, DType::kInt64)});
  c.result(apply_weight_and_bias(c, value, type.rank(), dtype));
}

}  // namespace

absl::Span<const Row> norm_rows() {
  static constexpr Row kRows[] = {
      {"aten.batch_norm.default", batch_norm, kFloats},
      {"aten._native_batch_norm_legit_no_training.default", batch_norm_no_training, kFloats},
      {"aten._native_batch_norm_legit_functional.default", batch_norm_training, kFloats, true,
       "functional"},
      {"aten._native_batch_norm_legit.no_stats", batch_norm_training, kFloats, true, "no_stats"},
      {"aten.native_batch_norm.default", batch_norm_training, kFloats, true, "plain"},
      {"aten.layer_norm.default", layer_norm, kFloats},
      {"aten.native_layer_norm.default", layer_norm, kFloats, true, "native"},
      {"aten.rms_norm.default", rms_norm, kFloats},
      {"aten.group_norm.default", group_norm, kFloats},
  };
  return kRows;
}

}  // namespace fx::onnx
