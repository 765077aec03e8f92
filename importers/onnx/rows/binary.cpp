// Elementwise functions of two or three tensors.
#include "fx/importers/onnx/rows/rows_internal.h"
#include "fx/ir/module/tensor.h"

#include <limits>

namespace fx::onnx {
namespace {

/// Converts an operator whose operands are converted to the element type of the result.
void arithmetic(RowCall& c) {
  const DType dtype = c.result_dtype();
  c.result(c.op(c.row().name, {c.tensor_as("self", dtype), c.tensor_as("other", dtype)}));
}

/// Adds or multiplies. For bools, these are Or and And.
Value add_or_multiply(RowCall& c, std::string_view op, const Value& a, const Value& b) {
  if (a.dtype == DType::kBool) return c.op(op == "Mul" ? "And" : "Or", {a, b});
  return c.op(op, {a, b});
}

void mul(RowCall& c) {
  const DType dtype = c.result_dtype();
  c.result(add_or_multiply(c, "Mul", c.tensor_as("self", dtype), c.tensor_as("other", dtype)));
}

/// Returns a number or a tensor in this element type. libtorch rounds numbers to bfloat16 before it
/// computes with bfloat16 tensors, except in products and quotients.
Value rounded_operand(RowCall& c, std::string_view name, DType dtype) {
  const std::optional<double> number = c.constant_real(name);
  const bool is_narrow = c.is_number(name) && number && dtype == DType::kFloat32 &&
                         c.common_dtype({"self", "other"}) == DType::kBFloat16;
  if (!is_narrow) return c.tensor_as(name, dtype);
  const Argument element(*number);
  const absl::StatusOr<Tensor> rounded = Tensor::from_elements(DType::kBFloat16, {}, {&element, 1});
  return c.scalar(rounded.ok() ? rounded->element(0).as_float() : *number, dtype);
}

/// Converts add and sub: self + alpha * other.
void add(RowCall& c) {
  const DType dtype = c.result_dtype();
  const Value a = c.tensor_as("self", dtype);
  Value b = rounded_operand(c, "other", dtype);
  const std::optional<double> alpha = c.constant_real("alpha");
  if (!alpha || *alpha != 1) b = c.op("Mul", {b, rounded_operand(c, "alpha", dtype)});
  c.result(add_or_multiply(c, c.row().name, a, b));
}

/// Returns the remainder of a truncating division, which has the sign of the dividend.
Value truncated_remainder(RowCall& c, const Value& a, const Value& b) {
  return c.op("Mod", {a, b}, {{"fmod", 1}});
}

/// Computes whether this remainder and the divisor have different signs. If they do, the quotient
/// rounded down is the truncated quotient minus 1.
Value rounds_down(RowCall& c, const Value& remainder, const Value& b) {
  const Value zero = c.scalar(0, b.dtype);
  const Value not_zero =
      c.op("Not", {c.op("Equal", {remainder, zero}, {}, DType::kBool)}, {}, DType::kBool);
  const Value differ = c.op("Xor", {c.op("Less", {b, zero}, {}, DType::kBool),
                                    c.op("Less", {remainder, zero}, {}, DType::kBool)});
  return c.op("And", {not_zero, differ});
}

Value remainder_of(RowCall& c, const Value& a, const Value& b) {
  if (!is_floating_point(a.dtype)) return c.op("Mod", {a, b});  // has the sign of the divisor
  const Value remainder = truncated_remainder(c, a, b);
  return c.where(rounds_down(c, remainder, b), c.op("Add", {remainder, b}), remainder);
}

/// ONNX's Div truncates integers.
Value floor_quotient(RowCall& c, const Value& a, const Value& b) {
  if (is_floating_point(a.dtype)) {
    // Like libtorch and Python, divide with the exact remainder, then round.
    const Value remainder = truncated_remainder(c, a, b);
    const Value truncated = c.op("Div", {c.op("Sub", {a, remainder}), b});
    const Value quotient = c.where(rounds_down(c, remainder, b),
                                   c.op("Sub", {truncated, c.scalar(1.0, a.dtype)}), truncated);
    const Value floor = c.op("Floor", {quotient});
    const Value over =
        c.op("Greater", {c.op("Sub", {quotient, floor}), c.scalar(0.5, a.dtype)}, {}, DType::kBool);
    const Value near = c.where(over, c.op("Add", {floor, c.scalar(1.0, a.dtype)}), floor);
    const Value is_zero = c.op("Equal", {b, c.scalar(0, b.dtype)}, {}, DType::kBool);
    return c.where(is_zero, c.op("Div", {a, b}), near);
  }
  if (!is_signed(a.dtype)) return c.op("Div", {a, b});
  // The two remainders are equal or differ by the divisor, so both quotients are exact and do not
  // overflow.
  const Value excess = c.op("Sub", {c.op("Mod", {a, b}), truncated_remainder(c, a, b)});
  return c.op("Sub", {c.op("Div", {a, b}), c.op("Div", {excess, b})});
}

Value truncated(RowCall& c, const Value& x) {
  const Value is_negative = c.op("Less", {x, c.scalar(0, x.dtype)}, {}, DType::kBool);
  return c.where(is_negative, c.op("Ceil", {x}), c.op("Floor", {x}));
}

void div_mode(RowCall& c) {
  const std::string mode = c.has("rounding_mode") ? c.text("rounding_mode") : std::string();
  const DType type = c.result_dtype();
  // libtorch does not round a number to float16 before it divides float16 by the number.
  const bool is_wide = mode == "trunc" && type == DType::kFloat16 && c.is_number("other");
  const DType dtype = is_wide ? DType::kFloat32 : type;
  const Value a = c.tensor_as("self", dtype), b = c.tensor_as("other", dtype);
  if (mode.empty()) return c.result(c.op("Div", {a, b}));
  if (mode == "floor") return c.result(floor_quotient(c, a, b));
  const Value quotient = c.op("Div", {a, b});
  c.result(is_floating_point(dtype) ? truncated(c, quotient) : quotient);
}

void floor_divide(RowCall& c) {
  const DType dtype = c.result_dtype();
  c.result(floor_quotient(c, c.tensor_as("self", dtype), c.tensor_as("other", dtype)));
}

void remainder(RowCall& c) {
  const DType dtype = c.result_dtype();
  c.result(remainder_of(c, rounded_operand(c, "self", dtype), rounded_operand(c, "other", dtype)));
}

void fmod(RowCall& c) {
  const DType dtype = c.result_dtype();
  const Value a = c.tensor_as("self", dtype), b = rounded_operand(c, "other", dtype);
  c.result(truncated_remainder(c, a, b));
}

/// Returns x^exponent by repeated squaring. Integers wrap around, as in libtorch; onnxruntime
/// computes Pow of integers in float64.
Value integer_power(RowCall& c, Value x, int64_t exponent) {
  Value power;
  for (;; x = c.op("Mul", {x, x})) {
    if (exponent % 2 != 0) power = power ? c.op("Mul", {power, x}) : x;
    exponent /= 2;
    if (exponent == 0 || c.failed()) return power;
  }
}

/// Returns the power for a tensor of exponents, in one step for each bit of the exponents. For a
/// negative exponent, divides 1 by the power.
Value integer_power(RowCall& c, const Value& base, const Value& exponent) {
  const auto number = [&](int64_t value) { return c.scalar(value, base.dtype); };
  const auto is_odd = [&](const Value& x) {
    return c.cast(c.op("Mod", {x, number(2)}), DType::kBool);
  };
  const int bits =
      static_cast<int>(8 * dtype_item_size(base.dtype)) - (is_signed(base.dtype) ? 1 : 0);
  Value remainder = is_signed(base.dtype) ? c.op("Abs", {exponent}) : exponent;
  Value power, x = base;
  for (int i = 0; i < bits; ++i) {
    if (i > 0) {
      x = c.op("Mul", {x, x});
      remainder = c.op("Div", {remainder, number(2)});
    }
    const Value factor = c.where(is_odd(remainder), x, number(1));
    power = power ? c.op("Mul", {power, factor}) : factor;
  }
  if (!is_signed(base.dtype)) return power;
  const Value is_unit = c.op("Equal", {c.op("Abs", {base}), number(1)}, {}, DType::kBool);
  const Value is_fraction =
      c.op("And", {c.op("Less", {exponent, number(0)}, {}, DType::kBool), c.op("Not", {is_unit})});
  return c.where(is_fraction, number(0), power);
}

void pow(RowCall& c) {
  const DType dtype = c.result_dtype();
  const std::optional<double> exponent = c.constant_real("exponent");
  if (c.is_number("exponent") && exponent) {
    const Value x = c.tensor_as("self", dtype);
    if (*exponent == 1) return c.result(x);
    if (*exponent == 2) return c.result(c.op("Mul", {x, x}));
    if (*exponent == 3) return c.result(c.op("Mul", {c.op("Mul", {x, x}), x}));
    const bool has_roots =
        dtype != DType::kFloat16;  // libtorch's float16 kernel does not compute roots
    if (has_roots && *exponent == 0.5) return c.result(c.op("Sqrt", {x}));
    if (has_roots && *exponent == -0.5) return c.result(c.op("Reciprocal", {c.op("Sqrt", {x})}));
    const std::optional<int64_t> integer = c.constant_integer("exponent");
    if (integer && *integer > 0 && !is_floating_point(dtype))
      return c.result(integer_power(c, x, *integer));
  } else if (!is_floating_point(dtype)) {
    return c.result(integer_power(c, c.tensor_as("self", dtype), c.tensor_as("exponent", dtype)));
  }
  c.result(c.op("Pow", {c.tensor_as("self", dtype), c.tensor_as("exponent", dtype)}));
}

/// Converts maximum and minimum. The result is NaN if an operand is NaN, as in NumPy and ONNX.
void extremum(RowCall& c) {
  const DType dtype = extremum_dtype(c.result_dtype());
  const Value a = c.tensor_as("self", dtype), b = c.tensor_as("other", dtype);
  if (dtype == DType::kBool) return c.result(c.op(c.row().name == "Max" ? "Or" : "And", {a, b}));
  c.result(c.op(c.row().name, {a, b}));
}

/// Converts fmax and fmin. If one operand is NaN, the result is the other operand.
void extremum_without_nan(RowCall& c) {
  const DType dtype = extremum_dtype(c.result_dtype());
  const Value a = c.tensor_as("self", dtype), b = c.tensor_as("other", dtype);
  const Value best = c.op(c.row().name, {a, b});
  if (!is_floating_point(dtype)) return c.result(best);
  const Value right = c.where(c.op("IsNaN", {b}, {}, DType::kBool), a, best);
  c.result(c.where(c.op("IsNaN", {a}, {}, DType::kBool), b, right));
}

/// Returns true for negative numbers and for -0, but not for NaN.
Value has_minus_sign(RowCall& c, const Value& x) {
  const Value zero = c.scalar(0, x.dtype);
  return c.op("Or", {c.op("Less", {x, zero}, {}, DType::kBool),
                     c.op("Less", {c.op("Reciprocal", {x}), zero}, {}, DType::kBool)});
}

/// Computes the arctangent of y / x, and adds or subtracts pi if x is negative. If both are zero or
/// infinite, y / x is NaN, and their signs determine the angle.
void atan2(RowCall& c) {
  const DType dtype = c.result_dtype();
  const Value y = c.tensor_as("self", dtype), x = c.tensor_as("other", dtype);
  constexpr double kPi = 3.14159265358979323846;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto are_both = [&](double size) {
    const auto is = [&](const Value& value) {
      return c.op("Equal", {c.op("Abs", {value}), c.scalar(size, dtype)}, {}, DType::kBool);
    };
    return c.op("And", {is(y), is(x)});
  };
  const Value signs = c.op("Mul", {c.op("Sign", {y}), c.op("Sign", {x})});
  const Value quotient = c.where(are_both(kInfinity), signs, c.op("Div", {y, x}));
  const Value slope = c.where(are_both(0), y, quotient);
  const Value angle = c.op("Atan", {slope});
  const Value turn = c.where(has_minus_sign(c, y), c.scalar(-kPi, dtype), c.scalar(kPi, dtype));
  c.result(c.where(has_minus_sign(c, x), c.op("Add", {angle, turn}), angle));
}

/// Divides the operands by the larger one, so that the squares do not overflow.
void hypot(RowCall& c) {
  const DType dtype = c.result_dtype();
  const Value a = c.op("Abs", {c.tensor_as("self", dtype)});
  const Value b = c.op("Abs", {c.tensor_as("other", dtype)});
  const Value larger = c.op("Max", {a, b});
  const Value ratio = c.op("Div", {c.op("Min", {a, b}), larger});
  const Value square = c.op("Add", {c.op("Mul", {ratio, ratio}), c.scalar(1, dtype)});
  const Value root = c.op("Mul", {larger, c.op("Sqrt", {square})});
  const auto is = [&](const Value& x, double value) {
    return c.op("Equal", {x, c.scalar(value, dtype)}, {}, DType::kBool);
  };
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const Value is_infinite = c.op("Or", {is(a, kInfinity), is(b, kInfinity)});
  c.result(c.where(is_infinite, c.scalar(kInfinity, dtype), c.where(is(larger, 0), larger, root)));
}

// ---------------------------------------------------------------- tests

/// ONNX compares only numbers.
DType ordered_dtype(DType dtype) { return dtype == DType::kBool ? DType::kInt32 : dtype; }

void compare(RowCall& c) {
  const DType dtype = computing_dtype(c.common_dtype({"self", "other"}));
  const bool is_equality = c.row().name == "Equal";
  const DType common = is_equality ? dtype : ordered_dtype(dtype);
  const Value a = c.tensor_as("self", common), b = rounded_operand(c, "other", common);
  c.result(c.op(c.row().name, {a, b}, {}, DType::kBool));
}

void not_equal(RowCall& c) {
  const DType dtype = computing_dtype(c.common_dtype({"self", "other"}));
  const Value a = c.tensor_as("self", dtype), b = rounded_operand(c, "other", dtype);
  c.result(c.op("Not", {c.op("Equal", {a, b}, {}, DType::kBool)}));
}

void logical(RowCall& c) {
  c.result(
      c.op(c.row().name, {c.tensor_as("self", DType::kBool), c.tensor_as("other", DType::kBool)}));
}

/// Row::name is the operator for bools: And, Or or Xor.
void bitwise(RowCall& c) {
  const DType dtype = c.result_dtype();
  const Value a = c.tensor_as("self", dtype), b = c.tensor_as("other", dtype);
  if (dtype == DType::kBool) return c.result(c.op(c.row().name, {a, b}));
  if (c.opset() < 18) return c.fail("bitwise operators on integers require opset 18");
  const std::string_view op = c.row().name == "And"  ? "BitwiseAnd"
                              : c.row().name == "Or" ? "BitwiseOr"
                                                     : "BitwiseXor";
  c.result(c.op(op, {a, b}));
}

/// ONNX shifts only unsigned integers. Signed integers are multiplied or divided by a power of two.
void shift(RowCall& c) {
  const DType dtype = c.result_dtype();
  const std::optional<int64_t> count = c.constant_integer("other");
  constexpr int64_t kMaxShift = 62;
  if (!count || *count < 0 || *count > kMaxShift)
    return c.fail("the number of bits must be a constant from 0 to 62");
  const Value a = c.cast(c.tensor_as("self", dtype), DType::kInt64);
  const Value power = c.scalar(int64_t{1} << *count, DType::kInt64);
  const bool is_left = c.row().name == "left";
  c.result(is_left ? c.op("Mul", {a, power}) : floor_quotient(c, a, power));
}

// ---------------------------------------------------------------- three operands

void where_self(RowCall& c) {
  const DType dtype = c.result_dtype();
  c.result(c.where(c.tensor_as("condition", DType::kBool), c.tensor_as("self", dtype),
                   c.tensor_as("other", dtype)));
}

void masked_fill(RowCall& c) {
  const DType dtype = c.result_dtype();
  c.result(c.where(c.tensor_as("mask", DType::kBool), c.tensor_as("value", dtype),
                   c.tensor_as("self", dtype)));
}

/// Computes (clamp(round(x / scale) + zero_point) - zero_point) * scale.
void fake_quantize(RowCall& c) {
  const DType dtype = c.result_dtype();
  const Value x = c.tensor_as("self", dtype);
  Value scale = c.tensor_as("scale", dtype), zero = c.tensor_as("zero_point", dtype);
  if (c.has_argument("axis")) {
    const int rank = c.type("self").rank();
    RowCall::Ints axes;
    for (int i = 0; i < rank; ++i)
      if (i != c.dim("axis", rank)) axes.push_back(i);
    scale = c.unsqueeze(scale, axes);
    zero = c.unsqueeze(zero, axes);
  }
  const Value inverse = c.op("Reciprocal", {scale});
  const Value level = c.op("Add", {c.op("Round", {c.op("Mul", {x, inverse})}), zero});
  const Value low = c.tensor_as("quant_min", dtype), high = c.tensor_as("quant_max", dtype);
  const Value clipped = c.op("Clip", {level, low, high});
  const Value value = c.op("Mul", {c.op("Sub", {clipped, zero}), scale});
  if (!c.node().type().is_tuple() && !c.node().type().is_list()) return c.result(value);
  const Value inside = c.op("Equal", {clipped, level}, {}, DType::kBool);
  c.results({value, inside});
}

}  // namespace

absl::Span<const Row> binary_rows() {
  static constexpr auto kWhole = static_cast<Accepted>(kInts | kBools);
  static constexpr Row kRows[] = {
      {"aten.add.Tensor", add, kAnything, true, "Add"},
      {"aten.add.Scalar", add, kAnything, true, "Add"},
      {"aten.sub.Tensor", add, kNumbers, true, "Sub"},
      {"aten.sub.Scalar", add, kNumbers, true, "Sub"},
      {"aten.mul.Tensor", mul},
      {"aten.mul.Scalar", mul},
      {"aten.div.Tensor", arithmetic, kAnything, true, "Div"},
      {"aten.div.Scalar", arithmetic, kAnything, true, "Div"},
      {"aten.true_divide.Tensor", arithmetic, kAnything, true, "Div"},
      {"aten.div.Tensor_mode", div_mode, kNumbers},
      {"aten.div.Scalar_mode", div_mode, kNumbers},
      {"aten.floor_divide.default", floor_divide, kNumbers},
      {"aten.floor_divide.Scalar", floor_divide, kNumbers},
      {"aten.remainder.Tensor", remainder, kNumbers},
      {"aten.remainder.Scalar", remainder, kNumbers},
      {"aten.remainder.Scalar_Tensor", remainder, kNumbers},
      {"aten.fmod.Tensor", fmod, kNumbers},
      {"aten.fmod.Scalar", fmod, kNumbers},
      {"aten.pow.Tensor_Scalar", pow, kNumbers},
      {"aten.pow.Tensor_Tensor", pow, kNumbers},
      {"aten.pow.Scalar", pow, kNumbers},
      {"aten.maximum.default", extremum, kAnything, true, "Max"},
      {"aten.minimum.default", extremum, kAnything, true, "Min"},
      {"aten.fmax.default", extremum_without_nan, kNumbers, true, "Max"},
      {"aten.fmin.default", extremum_without_nan, kNumbers, true, "Min"},
      {"aten.atan2.default", atan2},
      {"aten.hypot.default", hypot, kFloats},
      {"aten.eq.Tensor", compare, kAnything, true, "Equal"},
      {"aten.eq.Scalar", compare, kAnything, true, "Equal"},
      {"aten.ne.Tensor", not_equal},
      {"aten.ne.Scalar", not_equal},
      {"aten.lt.Tensor", compare, kAnything, true, "Less", true},
      {"aten.lt.Scalar", compare, kAnything, true, "Less"},
      {"aten.le.Tensor", compare, kAnything, true, "LessOrEqual", true},
      {"aten.le.Scalar", compare, kAnything, true, "LessOrEqual"},
      {"aten.gt.Tensor", compare, kAnything, true, "Greater", true},
      {"aten.gt.Scalar", compare, kAnything, true, "Greater"},
      {"aten.ge.Tensor", compare, kAnything, true, "GreaterOrEqual", true},
      {"aten.ge.Scalar", compare, kAnything, true, "GreaterOrEqual"},
      {"aten.logical_and.default", logical, kAnything, true, "And", true},
      {"aten.logical_or.default", logical, kAnything, true, "Or", true},
      {"aten.logical_xor.default", logical, kAnything, true, "Xor", true},
      {"aten.bitwise_and.Tensor", bitwise, kWhole, true, "And"},
      {"aten.bitwise_and.Scalar", bitwise, kWhole, true, "And"},
      {"aten.__and__.Tensor", bitwise, kWhole, true, "And"},
      {"aten.__and__.Scalar", bitwise, kWhole, true, "And"},
      {"aten.bitwise_or.Tensor", bitwise, kWhole, true, "Or"},
      {"aten.bitwise_or.Scalar", bitwise, kWhole, true, "Or"},
      {"aten.__or__.Tensor", bitwise, kWhole, true, "Or"},
      {"aten.__or__.Scalar", bitwise, kWhole, true, "Or"},
      {"aten.bitwise_xor.Tensor", bitwise, kWhole, true, "Xor"},
      {"aten.bitwise_xor.Scalar", bitwise, kWhole, true, "Xor"},
      {"aten.__xor__.Tensor", bitwise, kWhole, true, "Xor"},
      {"aten.__xor__.Scalar", bitwise, kWhole, true, "Xor"},
      {"aten.bitwise_left_shift.Tensor_Scalar", shift, kInts, true, "left"},
      {"aten.__lshift__.Scalar", shift, kInts, true, "left"},
      {"aten.bitwise_right_shift.Tensor_Scalar", shift, kInts, true, "right"},
      {"aten.__rshift__.Scalar", shift, kInts, true, "right"},
      {"aten.where.self", where_self},
      {"aten.masked_fill.Scalar", masked_fill},
      {"aten.masked_fill.Tensor", masked_fill},
      {"aten.fake_quantize_per_tensor_affine.default", fake_quantize, kFloats},
      {"aten.fake_quantize_per_tensor_affine.tensor_qparams", fake_quantize, kFloats},
      {"aten.fake_quantize_per_channel_affine.default", fake_quantize, kFloats},
      {"aten.fake_quantize_per_tensor_affine_cachemask.default", fake_quantize, kFloats},
      {"aten.fake_quantize_per_channel_affine_cachemask.default", fake_quantize, kFloats},
  };
  return kRows;
}

}  // namespace fx::onnx
