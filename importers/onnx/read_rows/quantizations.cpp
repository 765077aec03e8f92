// Quantization.
#include "fx/importers/onnx/read_rows/rows_internal.h"

#include <algorithm>
#include <limits>

namespace fx::onnx::reader {
namespace {

struct Limits {
  int64_t min, max;
};

std::optional<Limits> limits_of(DType dtype) {
  switch (dtype) {
    case DType::kUInt8:
      return Limits{0, 255};
    case DType::kInt8:
      return Limits{-128, 127};
    case DType::kUInt16:
      return Limits{0, 65535};
    case DType::kInt16:
      return Limits{-32768, 32767};
    default:
      return std::nullopt;
  }
}

/// Returns a scale or zero point in a form that broadcasts over `x`. It applies to the entire
/// tensor, to each index of an axis, or to blocks along the axis.
Val over(Call& c, Val parameter, Val x, int64_t given_axis, int64_t block) {
  if (c.rank(parameter) == 0) return parameter;
  const int rank = c.rank(x);
  if (block > 0) {
    const int64_t axis = c.axis(given_axis, rank);
    const Val repeated = c.op("aten.repeat_interleave.self_int", {parameter, block, axis});
    return c.slice(repeated, axis, 0, c.size_of(x, axis));
  }
  if (c.rank(parameter) != 1) {
    c.fail_invalid("without block_size, a scale must have at most one dimension");
    return {};
  }
  if (c.dim(parameter, 0) == Dim(1) && rank == 0) return c.squeeze(parameter, Ints{0});
  if (c.dim(parameter, 0) == Dim(1)) return parameter;
  const int64_t axis = c.axis(given_axis, rank);
  for (int64_t i = axis + 1; i < rank; ++i)
    parameter = c.op("aten.unsqueeze.default", {parameter, -1});
  return parameter;
}

void quantize_linear(Call& c) {
  const Val x = c.in(0);
  const int64_t axis = c.integer("axis", 1), block = c.integer("block_size", 0);
  c.ignore_attribute("saturate");  // only affects float8
  const int64_t requested = c.integer("output_dtype", 0), precision = c.integer("precision", 0);
  DType dtype = DType::kUInt8;
  if (c.has(2)) {
    dtype = c.dtype(c.in(2));
  } else if (requested != 0) {
    dtype = dtype_of(static_cast<DataType>(static_cast<int32_t>(requested)));
  }
  if (precision != 0) return c.fail("precision is not supported");
  const std::optional<Limits> limits = limits_of(dtype);
  if (!limits) return c.fail("its result must have an integer type of 8 or 16 bits");
  const DType real = wide(c.dtype(x) == DType::kInt32 ? DType::kFloat32 : c.dtype(x));
  const Val scale = c.cast(over(c, c.in(1), x, axis, block), real);
  Val y = c.op("aten.round.default", {c.op("aten.div.Tensor", {c.cast(x, real), scale})});
  if (c.has(2)) y = c.op("aten.add.Tensor", {y, c.cast(over(c, c.in(2), x, axis, block), real)});
  y = c.op("aten.clamp.default", {y, limits->min, limits->max});
  c.result(c.cast(y, dtype));
}

void dequantize_linear(Call& c) {
  const Val x = c.in(0);
  const int64_t axis = c.integer("axis", 1), block = c.integer("block_size", 0);
  const int64_t requested = c.integer("output_dtype", 0);
  const DType result = requested != 0
                           ? dtype_of(static_cast<DataType>(static_cast<int32_t>(requested)))
                           : c.dtype(c.in(1));
  if (!is_floating_point(result))
    return c.fail_invalid("its result must have a floating-point type");
  const bool is_integer = is_integral(c.dtype(x));
  Val y = is_integer ? c.cast(x, DType::kInt64) : c.cast(x, DType::kFloat32);
  if (c.has(2)) {
    const Val zero = over(c, c.in(2), x, axis, block);
    y = c.op("aten.sub.Tensor", {y, c.cast(zero, c.dtype(y))});
  }
  const DType real = wide(result);
  const Val scale = c.cast(over(c, c.in(1), x, axis, block), real);
  c.result(c.cast(c.op("aten.mul.Tensor", {c.cast(y, real), scale}), result));
}

void dynamic_quantize_linear(Call& c) {
  const Val x = c.in(0);
  const Ints dims = dims_from(0, c.rank(x));
  const auto extremum = [&](std::string_view target) {
    return c.op(target, {x, c.list(dims), false});
  };
  const Val high = c.op("aten.clamp_min.default", {extremum("aten.amax.default"), 0});
  const Val low = c.op("aten.clamp_max.default", {extremum("aten.amin.default"), 0});
  const Val scale = c.op("aten.div.Tensor", {c.op("aten.sub.Tensor", {high, low}), 255.0});
  const Val offset = c.op("aten.neg.default", {c.op("aten.div.Tensor", {low, scale})});
  const Val zero = c.op("aten.clamp.default", {c.op("aten.round.default", {offset}), 0, 255});
  const Val steps = c.op("aten.round.default", {c.op("aten.div.Tensor", {x, scale})});
  const Val y = c.op("aten.clamp.default", {c.op("aten.add.Tensor", {steps, zero}), 0, 255});
  c.result(0, c.cast(y, DType::kUInt8));
  if (c.has_output(1)) c.result(1, scale);
  if (c.has_output(2)) c.result(2, c.cast(zero, DType::kUInt8));
}

}  // namespace

absl::Span<const Row> quantize_rows() {
  static constexpr Row kRows[] = {
      {"QuantizeLinear", quantize_linear, 10},
      {"DequantizeLinear", dequantize_linear, 10},
      {"DynamicQuantizeLinear", dynamic_quantize_linear, 11},
  };
  return kRows;
}

}  // namespace fx::onnx::reader
