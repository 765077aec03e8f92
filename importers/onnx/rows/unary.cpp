// Elementwise functions of one tensor.
#include "fx/importers/onnx/rows/rows_internal.h"

#include <cmath>
#include <numbers>

namespace fx::onnx {

Value real_operand(RowCall& c, std::string_view name) {
  const DType dtype = c.result_dtype();
  return c.tensor_as(name, is_floating_point(dtype) ? dtype : DType::kFloat32);
}

namespace {

/// Converts to the ONNX operator Row::name.
void same(RowCall& c) { c.result(c.op(c.row().name, {c.tensor("self")})); }

/// Converts a function of real numbers to the ONNX operator Row::name. Integers are converted to
/// float32.
void real(RowCall& c) { c.result(c.op(c.row().name, {real_operand(c)})); }

/// Converts floor, ceil and round, which return integers unchanged.
void rounding(RowCall& c) {
  const Value x = c.tensor("self");
  c.result(is_floating_point(x.dtype) ? c.op(c.row().name, {x}) : x);
}

void round_decimals(RowCall& c) {
  const Value x = c.tensor("self");
  const int64_t decimals = c.integer("decimals");
  if (!is_floating_point(x.dtype) || decimals < 0)
    return c.fail("rounding of integers, or to a negative number of decimals, is not supported");
  const Value scale = c.scalar(std::pow(10.0, static_cast<double>(decimals)), x.dtype);
  c.result(c.op("Div", {c.op("Round", {c.op("Mul", {x, scale})}), scale}));
}

void trunc(RowCall& c) {
  const Value x = c.tensor("self");
  if (!is_floating_point(x.dtype)) return c.result(x);
  const Value is_negative = c.op("Less", {x, c.scalar(0, x.dtype)}, {}, DType::kBool);
  c.result(c.where(is_negative, c.op("Ceil", {x}), c.op("Floor", {x})));
}

void neg(RowCall& c) {
  const Value x = c.tensor("self");
  if (is_floating_point(x.dtype) || is_signed(x.dtype)) return c.result(c.op("Neg", {x}));
  c.result(c.op("Sub", {c.scalar(0, x.dtype), x}));
}

/// Computes the sign using comparisons, because torch.sign(NaN) is 0.
void sign(RowCall& c) {
  const Value x = c.tensor("self");
  if (x.dtype == DType::kBool) return c.result(x);
  const Value zero = c.scalar(0, x.dtype);
  const Value is_positive = c.cast(c.op("Greater", {x, zero}, {}, DType::kBool), x.dtype);
  const Value is_negative = c.cast(c.op("Less", {x, zero}, {}, DType::kBool), x.dtype);
  c.result(c.op("Sub", {is_positive, is_negative}));
}

void rsqrt(RowCall& c) { c.result(c.op("Reciprocal", {c.op("Sqrt", {real_operand(c)})})); }

/// Computes exp(x) - 1 = 2 sinh(x/2) exp(x/2), which is accurate near 0.
void expm1(RowCall& c) {
  const Value x = real_operand(c);
  const Value half = c.op("Mul", {x, c.scalar(0.5, x.dtype)});
  const Value product = c.op("Mul", {c.op("Sinh", {half}), c.op("Exp", {half})});
  const Value value = c.op("Mul", {product, c.scalar(2.0, x.dtype)});
  const Value is_low = c.op("Less", {x, c.scalar(-40.0, x.dtype)}, {}, DType::kBool);
  c.result(c.where(is_low, c.scalar(-1.0, x.dtype), value));
}

/// Computes log(1 + x) = 2 atanh(x / (x + 2)), which is accurate near 0.
void log1p(RowCall& c) {
  const Value x = real_operand(c);
  const Value ratio = c.op("Div", {x, c.op("Add", {x, c.scalar(2.0, x.dtype)})});
  const Value near = c.op("Mul", {c.op("Atanh", {ratio}), c.scalar(2.0, x.dtype)});
  const Value far = c.op("Log", {c.op("Add", {x, c.scalar(1.0, x.dtype)})});
  const Value is_near = c.op("Less", {c.op("Abs", {x}), c.scalar(0.5, x.dtype)}, {}, DType::kBool);
  c.result(c.where(is_near, near, far));
}

void log_base(RowCall& c, double base) {
  const Value x = real_operand(c);
  c.result(c.op("Div", {c.op("Log", {x}), c.scalar(std::log(base), x.dtype)}));
}
void log2(RowCall& c) { log_base(c, 2); }
void log10(RowCall& c) { log_base(c, 10); }

void exp2(RowCall& c) {
  const Value x = real_operand(c);
  c.result(c.op("Pow", {c.scalar(2.0, x.dtype), x}));
}

void erfc(RowCall& c) {
  const Value x = real_operand(c);
  c.result(c.op("Sub", {c.scalar(1.0, x.dtype), c.op("Erf", {x})}));
}

void logical_not(RowCall& c) { c.result(c.op("Not", {c.tensor_as("self", DType::kBool)})); }

void bitwise_not(RowCall& c) {
  const Value x = c.tensor("self");
  if (x.dtype == DType::kBool) return c.result(c.op("Not", {x}));
  if (c.opset() >= 18) return c.result(c.op("BitwiseNot", {x}));
  if (!is_signed(x.dtype)) return c.fail("unsigned integers require opset 18 (BitwiseNot)");
  c.result(c.op("Sub", {c.op("Neg", {x}), c.scalar(1, x.dtype)}));
}

/// Tests floating-point numbers with IsNaN or IsInf. The result for integers is false.
void is_special(RowCall& c) {
  const Value x = c.tensor("self");
  if (is_floating_point(x.dtype)) return c.result(c.op(c.row().name, {x}, {}, DType::kBool));
  c.result(c.op("Not", {c.op("Equal", {x, x}, {}, DType::kBool)}));
}

void isfinite(RowCall& c) {
  const Value x = c.tensor("self");
  if (!is_floating_point(x.dtype)) return c.result(c.op("Equal", {x, x}, {}, DType::kBool));
  const Value nan = c.op("IsNaN", {x}, {}, DType::kBool);
  const Value inf = c.op("IsInf", {x}, {}, DType::kBool);
  c.result(c.op("Not", {c.op("Or", {nan, inf})}));
}

void gelu(RowCall& c) {
  const Value x = c.tensor("self");
  const bool is_tanh = c.text("approximate") == "tanh";
  if (c.opset() >= 20)
    return c.result(c.op("Gelu", {x}, {{"approximate", is_tanh ? "tanh" : "none"}}));
  const DType dtype = x.dtype;
  Value inner;
  if (is_tanh) {
    const Value cube = c.op("Mul", {c.op("Mul", {x, x}), x});
    const Value sum = c.op("Add", {x, c.op("Mul", {cube, c.scalar(0.044715, dtype)})});
    const double factor = std::numbers::sqrt2 * std::numbers::inv_sqrtpi;
    inner = c.op("Tanh", {c.op("Mul", {sum, c.scalar(factor, dtype)})});
  } else {
    inner = c.op("Erf", {c.op("Mul", {x, c.scalar(1 / std::numbers::sqrt2, dtype)})});
  }
  const Value one = c.op("Add", {inner, c.scalar(1.0, dtype)});
  c.result(c.op("Mul", {c.op("Mul", {x, one}), c.scalar(0.5, dtype)}));
}

void leaky_relu(RowCall& c) {
  const Value x = c.tensor("self");
  c.result(c.op("LeakyRelu", {x}, {{"alpha", c.real("negative_slope")}}));
}

void elu(RowCall& c) {
  const Value x = c.tensor("self");
  const double alpha = c.real("alpha"), scale = c.real("scale"), inner = c.real("input_scale");
  if (scale == 1 && inner == 1) return c.result(c.op("Elu", {x}, {{"alpha", alpha}}));
  const Value scaled = c.op("Mul", {x, c.scalar(inner, x.dtype)});
  // For large numbers, exp is infinite, but `low` is not used.
  const Value low = c.op("Mul", {c.op("Sub", {c.op("Exp", {scaled}), c.scalar(1.0, x.dtype)}),
                                 c.scalar(alpha * scale, x.dtype)});
  const Value high = c.op("Mul", {x, c.scalar(scale, x.dtype)});
  const Value is_low = c.op("LessOrEqual", {x, c.scalar(0.0, x.dtype)}, {}, DType::kBool);
  c.result(c.where(is_low, low, high));
}

void hardsigmoid(RowCall& c) {
  c.result(c.op("HardSigmoid", {c.tensor("self")}, {{"alpha", 1.0 / 6}, {"beta", 0.5}}));
}

Value limit(RowCall& c, std::string_view name, DType dtype) {
  return c.has(name) ? c.tensor_as(name, dtype) : Value();
}

void clip(RowCall& c, std::string_view low, std::string_view high) {
  const DType dtype = c.result_dtype();
  const Value x = c.tensor_as("self", dtype);
  const Value min = limit(c, low, dtype), max = limit(c, high, dtype);
  // With one limit, onnxruntime's Clip makes infinities finite.
  if (!max) return c.result(min ? c.op("Max", {x, min}) : x);
  if (!min) return c.result(c.op("Min", {x, max}));
  c.result(c.op("Clip", {x, min, max}));
}
void clamp(RowCall& c) { clip(c, "min", "max"); }
void clamp_min(RowCall& c) { clip(c, "min", "none"); }
void clamp_max(RowCall& c) { clip(c, "none", "max"); }
void hardtanh(RowCall& c) { clip(c, "min_val", "max_val"); }

/// Clamps to limits that are tensors: computes the maximum with the lower limit, then the minimum
/// with the upper limit.
void clamp_tensors(RowCall& c) {
  const DType dtype = c.result_dtype();
  Value x = c.tensor_as("self", dtype);
  if (c.has_argument("min") && c.has("min")) x = c.op("Max", {x, c.tensor_as("min", dtype)});
  if (c.has_argument("max") && c.has("max")) x = c.op("Min", {x, c.tensor_as("max", dtype)});
  c.result(x);
}

void prelu(RowCall& c) {
  const Type type = c.type("self"), weight = c.type("weight");
  const Value x = c.tensor("self");
  Value slope = c.tensor("weight");
  if (c.has_argument("weight") && weight.rank() == 1 && type.rank() > 2) {
    RowCall::Ints axes;
    for (int i = 1; i + 1 < type.rank(); ++i) axes.push_back(i);
    slope = c.unsqueeze(slope, axes);
  }
  if (type.rank() == 0) slope = c.op("Reshape", {slope, c.ints_value({})});
  c.result(c.op("PRelu", {x, slope}));
}

void softmax(RowCall& c) {
  const Type type = c.type("self");
  DType dtype = c.result_dtype();
  if (!is_floating_point(dtype)) dtype = DType::kFloat32;
  Value x = c.tensor_as("self", dtype);
  const int dim = c.dim("dim", type.rank());
  if (type.rank() == 0) x = c.unsqueeze(x, {0});
  Value y = c.op(c.row().name, {x}, {{"axis", dim}});
  if (type.rank() == 0) y = c.squeeze(y, {0});
  c.result(y);
}

}  // namespace

absl::Span<const Row> unary_rows() {
  static constexpr Row kRows[] = {
      {"aten.exp.default", real, kAnything, true, "Exp", true},
      {"aten.log.default", real, kAnything, true, "Log", true},
      {"aten.sqrt.default", real, kAnything, true, "Sqrt", true},
      {"aten.sin.default", real, kAnything, true, "Sin", true},
      {"aten.cos.default", real, kAnything, true, "Cos", true},
      {"aten.tan.default", real, kAnything, true, "Tan", true},
      {"aten.asin.default", real, kAnything, true, "Asin", true},
      {"aten.acos.default", real, kAnything, true, "Acos", true},
      {"aten.atan.default", real, kAnything, true, "Atan", true},
      {"aten.sinh.default", real, kAnything, true, "Sinh", true},
      {"aten.cosh.default", real, kAnything, true, "Cosh", true},
      {"aten.asinh.default", real, kAnything, true, "Asinh", true},
      {"aten.acosh.default", real, kAnything, true, "Acosh", true},
      {"aten.atanh.default", real, kAnything, true, "Atanh", true},
      {"aten.tanh.default", real, kAnything, true, "Tanh", true},
      {"aten.sigmoid.default", real, kAnything, true, "Sigmoid", true},
      {"aten.erf.default", real, kAnything, true, "Erf", true},
      {"aten.reciprocal.default", real, kAnything, true, "Reciprocal", true},
      {"aten.rsqrt.default", rsqrt},
      {"aten.expm1.default", expm1},
      {"aten.log1p.default", log1p},
      {"aten.log2.default", log2},
      {"aten.log10.default", log10},
      {"aten.exp2.default", exp2},
      {"aten.special_exp2.default", exp2},
      {"aten.erfc.default", erfc},
      {"aten.floor.default", rounding, kNumbers, true, "Floor", true},
      {"aten.ceil.default", rounding, kNumbers, true, "Ceil", true},
      {"aten.round.default", rounding, kNumbers, true, "Round", true},
      {"aten.round.decimals", round_decimals, kFloats},
      {"aten.trunc.default", trunc, kNumbers},
      {"aten.fix.default", trunc, kNumbers},
      {"aten.abs.default", same, kNumbers, true, "Abs", true},
      {"aten.neg.default", neg, kNumbers},
      {"aten.sign.default", sign},
      {"aten.logical_not.default", logical_not, kAnything, true, "Not", true},
      {"aten.bitwise_not.default", bitwise_not, static_cast<Accepted>(kInts | kBools), true,
       "BitwiseNot", true},
      {"aten.isnan.default", is_special, kAnything, true, "IsNaN", true},
      {"aten.isinf.default", is_special, kAnything, true, "IsInf"},
      {"aten.isfinite.default", isfinite},
      {"aten.relu.default", same, kNumbers, true, "Relu", true},
      {"aten.gelu.default", gelu, kFloats},
      {"aten.leaky_relu.default", leaky_relu, kFloats},
      {"aten.elu.default", elu, kFloats},
      {"aten.hardsigmoid.default", hardsigmoid, kFloats},
      {"aten.hardswish.default", same, kFloats, true, "HardSwish", true},
      {"aten.clamp.default", clamp, kNumbers},
      {"aten.clamp_min.default", clamp_min, kNumbers},
      {"aten.clamp_max.default", clamp_max, kNumbers},
      {"aten.hardtanh.default", hardtanh, kNumbers},
      {"aten.clamp.Tensor", clamp_tensors, kNumbers},
      {"aten.clamp_min.Tensor", clamp_tensors, kNumbers},
      {"aten.clamp_max.Tensor", clamp_tensors, kNumbers},
      {"aten.prelu.default", prelu, kFloats},
      {"aten._softmax.default", softmax, kFloats, true, "Softmax"},
      {"aten.softmax.int", softmax, kNumbers, true, "Softmax"},
      {"aten._log_softmax.default", softmax, kFloats, true, "LogSoftmax"},
      {"aten.log_softmax.int", softmax, kNumbers, true, "LogSoftmax"},
  };
  return kRows;
}

}  // namespace fx::onnx
