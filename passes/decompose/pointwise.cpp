// Decompositions of elementwise arithmetic. Operands of a branch that aten.where does not choose
// are finite: see Decomposer::where.
#include "fx/ir/ops/op_info.h"
#include "fx/passes/decompose/families_internal.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace fx {
namespace {

bool is_float(Decomposer& d, const Proxy& x) { return is_floating_point(d.dtype(x)); }

/// Returns alpha * x, or x if alpha is 1. Kernels multiply in the dtype of the result, to which
/// they convert the factor: 0.5 is 0 as an integer.
Proxy scaled(Decomposer& d, const Proxy& x, std::string_view name) {
  Argument factor = d.argument(name);
  // Kernels convert a complex number without an imaginary part to the dtype of the result.
  if (factor.kind() == ArgumentKind::kComplex && !is_complex(d.result().dtype()) &&
      factor.as_complex().imag() == 0)
    factor = Argument(factor.as_complex().real());
  if (is_integral(d.result().dtype()) && factor.is_float() && std::abs(factor.as_float()) < 1e18) {
    const auto whole = static_cast<int64_t>(factor.as_float());
    return whole == 1 ? x : d.cast(x, d.result().dtype()) * whole;
  }
  const bool is_one =
      (factor.is_int() && factor.as_int() == 1) || (factor.is_float() && factor.as_float() == 1.0);
  return is_one ? x : d.cast(x, Decomposer::opmath(d.result().dtype())) * d.scalar(name);
}

/// Calls the kernel of sub with swapped operands. A separate product with alpha could differ: for
/// complex numbers, libtorch has kernels whose product with an infinity is infinite and others
/// whose product is NaN.
AnyArg rsub(Decomposer& d) {
  const AnyArg other =
      is_tensor_argument(d, "other") ? AnyArg(d.tensor("other")) : AnyArg(d.scalar("other"));
  const Argument alpha = d.argument("alpha");
  if (alpha == Argument(1)) return d.emit("aten.sub.Tensor", {other, d.tensor("self")});
  return d.emit("aten.sub.Tensor", {other, d.tensor("self")}, {{"alpha", alpha}});
}
/// Returns value * a for a product or quotient with `b` that is added to `x`. For finite factors,
/// the derivative may multiply the sum of the gradient over elements that `b` repeats.
Proxy first_factor(Decomposer& d, const Proxy& x, const Proxy& a, const Proxy& b) {
  bool is_small = is_finite(d, "value");
  for (int dim = -d.result().rank(); dim < 0; ++dim)
    is_small = is_small && find_operand_of_size(d, {a, b}, dim) != nullptr;
  return scaled(d, is_small ? a : expanded_to_result(d, a, {a, b, x}), "value");
}
// The kernels of complex numbers give zeros and infinities other signs than a product and a sum.
AnyArg addcmul(Decomposer& d) {
  if (is_complex(d.result().dtype())) return d.reject("complex numbers are not supported");
  const Proxy x = d.promoted("self"), a = d.promoted("tensor1");
  const Proxy b = d.promoted("tensor2");
  return x + first_factor(d, x, a, b) * b;
}
AnyArg addcdiv(Decomposer& d) {
  if (is_complex(d.result().dtype())) return d.reject("complex numbers are not supported");
  const Proxy x = d.promoted("self"), a = d.promoted("tensor1");
  const Proxy b = d.promoted("tensor2");
  return x + first_factor(d, x, a, b) / b;
}
/// Interpolates from the nearer end, which is more accurate. The factor of the other end is
/// -(1 - weight), which is -0.0 for weight 1, as in libtorch's scalar kernel; its vector kernel
/// computes weight - 1. So the sign of a zero that libtorch returns for weight 1 depends on the
/// position of the element.
AnyArg lerp_scalar(Decomposer& d) {
  if (is_complex(d.result().dtype())) return d.reject("complex numbers are not supported");
  const Proxy start = d.opmath("self"), end = d.opmath("end");
  const double weight = d.number("weight");
  if (std::abs(weight) < 0.5) return weight * (end - start) + start;
  return -(1 - weight) * (end - start) + end;
}
AnyArg lerp(Decomposer& d) {
  if (is_complex(d.result().dtype())) return d.reject("complex numbers are not supported");
  const Proxy start = d.opmath("self"), end = d.opmath("end"), weight = d.opmath("weight");
  const Proxy far = abs(weight) >= 0.5;
  const Proxy factor = d.where(far, -(1 - weight), weight);
  const Proxy step = factor * (end - start);
  return step + d.where(far, end, start);
}
AnyArg clamp_min(Decomposer& d) { return clamp(d.tensor("self"), d.scalar("min")); }
AnyArg clamp_max(Decomposer& d) { return clamp(d.tensor("self"), std::nullopt, d.scalar("max")); }
AnyArg floor_divide(Decomposer& d) {
  const Argument other = d.argument("other");
  const AnyArg divisor = other.is_node() ? AnyArg(d.tensor("other")) : AnyArg(other);
  return d.emit("aten.div.Tensor_mode", {d.tensor("self"), divisor}, {{"rounding_mode", "floor"}});
}
AnyArg frac(Decomposer& d) {
  const Proxy x = d.tensor("self");
  return x - trunc(x);
}
/// The kernel of complex numbers divides their parts by the absolute value. Core operators have only
/// quotients of complex numbers, which give zeros other signs.
AnyArg sgn(Decomposer& d) {
  const Proxy x = d.tensor("self");
  if (is_complex(d.dtype(x))) return d.reject("complex numbers are not supported");
  return sign(x);
}
AnyArg square(Decomposer& d) { return pow(d.tensor("self"), 2); }
AnyArg deg2rad(Decomposer& d) { return d.opmath("self") * (std::numbers::pi / 180.0); }
AnyArg rad2deg(Decomposer& d) { return d.opmath("self") * (180.0 / std::numbers::pi); }
AnyArg sinc(Decomposer& d) {
  // The derivative is 0 where the square underflows; a difference of quotients by x would be large.
  const Proxy x = d.opmath("self") * std::numbers::pi, is_zero = x * x == 0;
  const Proxy divisor = d.where(is_zero, 1, x);
  return d.where(is_zero, 1, sin(divisor) / divisor);
}
AnyArg isposinf(Decomposer& d) {
  const Proxy x = d.tensor("self");
  if (!is_float(d, x)) return d.full(d.sizes(x), false, x, DType::kBool);
  return x == std::numeric_limits<double>::infinity();
}
AnyArg isneginf(Decomposer& d) {
  const Proxy x = d.tensor("self");
  if (!is_float(d, x)) return d.full(d.sizes(x), false, x, DType::kBool);
  return x == -std::numeric_limits<double>::infinity();
}
AnyArg xlogy(Decomposer& d) {
  const Proxy x = d.promoted("self"), y = d.promoted("other");
  // At x = 0 the derivative is log(y) if that is finite, like the operator's, and 0 otherwise. The
  // value is 0, not -0, unless y is NaN.
  const Proxy is_zero = x == 0, is_low = y <= 0;
  const Proxy is_outside = is_low | (y == std::numeric_limits<double>::infinity());
  const Proxy product = x * log(d.where(is_zero & is_outside, 1, y));
  return d.where(is_zero, product + 0, product);
}
AnyArg heaviside(Decomposer& d) {
  const Proxy x = d.tensor("self");
  const Proxy is_zero = x == 0;
  return fx::where(is_zero, d.tensor("values"), d.cast(x > 0, d.dtype(x)));
}
AnyArg logaddexp(Decomposer& d) {
  const Proxy a = d.promoted("self"), b = d.promoted("other");
  if (!is_float(d, a) || !is_float(d, b)) return d.reject("the numbers must be floats");
  const Proxy bigger = a >= b;
  const Proxy high = d.where(bigger, a, b), low = d.where(bigger, b, a);
  const Proxy is_infinite = abs(a) == std::numeric_limits<double>::infinity();
  const Proxy is_same_infinity = logical_and(is_infinite, a == b);
  return d.where(is_same_infinity, a, high + log1p(exp(low - high)));
}
AnyArg nan_to_num(Decomposer& d) {
  const Proxy x = d.tensor("self");
  if (is_integral(d.dtype(x)) || d.dtype(x) == DType::kBool) return x.clone();
  double largest = std::numeric_limits<double>::max();
  switch (d.dtype(x)) {
    case DType::kFloat64:
      break;
    case DType::kFloat32:
      largest = std::numeric_limits<float>::max();
      break;
    case DType::kFloat16:
      largest = 65504;
      break;
    case DType::kBFloat16:
      largest = 3.3895313892515355e38;
      break;
    default:
      return d.reject("numbers of this dtype are not supported");
  }
  const auto given = [&](std::string_view name, double otherwise) {
    return d.is_none(name) ? otherwise : d.number(name);
  };
  const double infinity = std::numeric_limits<double>::infinity();
  Proxy result = d.where(isnan(x), given("nan", 0.0), x);
  result = d.where(x == -infinity, given("neginf", -largest), result);
  return d.where(x == infinity, given("posinf", largest), result);
}
AnyArg where_scalar(Decomposer& d) {
  const Proxy condition = d.tensor("condition");
  // libtorch converts the tensor first, so a real tensor has a real gradient.
  const auto value = [&](std::string_view name) {
    return is_tensor_argument(d, name)
               ? d.cast(d.tensor(name), d.result().dtype())
               : d.scalar_tensor(d.scalar(name), condition, d.result().dtype());
  };
  const Proxy a = value("self"), b = value("other");
  return d.where(condition, a, b);
}

// ---- Rounding to a grid (ATen/native/quantized/cpu/kernels/QuantizedOpKernels.cpp)

/// Returns the values of quantization levels, which must be within the limits. Kernels compute the
/// product in float64. The results are equal, because the limits are exact in float32.
template <class Zero, class Scale>
Proxy on_grid(Decomposer& d, const Proxy& levels, const Zero& zero, const Scale& scale) {
  constexpr int64_t kExact = int64_t{1} << 23;
  if (d.integer("quant_min") < -kExact || d.integer("quant_max") > kExact)
    d.reject("quant_min and quant_max must be between -2^23 and 2^23");
  return (levels - zero) * scale;
}
/// Returns the values, whose derivative is 1 where the levels are within the limits, and the mask
/// of these elements.
AnyArg with_mask(Decomposer& d, const Proxy& x, const Proxy& values, const Proxy& levels,
                 int64_t low, int64_t high) {
  const Proxy is_above = levels >= low, mask = logical_and(is_above, levels <= high);
  const Proxy inner = d.where(mask, x, 0);
  const Proxy zero = inner - d.emit("aten.detach.default", {inner});
  return AnyArg::tuple({values + zero, mask});
}
AnyArg fake_quantize(Decomposer& d) {
  const Proxy x = d.tensor("self");
  if (d.dtype(x) != DType::kFloat32) return d.reject("the input must be float32");
  const auto scale = static_cast<float>(d.number("scale"));
  const int64_t zero = d.integer("zero_point");
  const int64_t low = d.integer("quant_min"), high = d.integer("quant_max");
  const Proxy levels = round(x * static_cast<double>(1.0F / scale)) + zero;
  const Proxy kept = d.where(levels != levels, low, clamp(levels, low, high));
  return with_mask(d, x, on_grid(d, kept, zero, static_cast<double>(scale)), levels, low, high);
}
/// The kernel converts the levels to int64 before it clamps them.
AnyArg fake_quantize_channels(Decomposer& d) {
  const Proxy x = d.tensor("self");
  const int64_t rank = d.rank(x), axis = d.wrapped(d.integer("axis"), rank);
  Proxy scale = d.tensor("scale"), zero = d.tensor("zero_point");
  if (d.dtype(x) != DType::kFloat32 || d.dtype(scale) != DType::kFloat32)
    return d.reject("the input and the scale must be float32");
  const int64_t low = d.integer("quant_min"), high = d.integer("quant_max");
  scale = d.unsqueeze_to(scale, rank - axis);
  zero = d.cast(d.unsqueeze_to(zero, rank - axis), DType::kFloat32);
  const Proxy levels = d.cast(round(x * reciprocal(scale)) + zero, DType::kInt64);
  const Proxy kept = d.cast(clamp(levels, low, high), DType::kFloat32);
  return with_mask(d, x, on_grid(d, kept, zero, scale), levels, low, high);
}

}  // namespace

bool is_finite(const Decomposer& d, std::string_view argument) {
  const DType dtype = d.result().dtype();
  const bool is_wide = dtype == DType::kFloat64 || dtype == DType::kComplex128;
  const auto is_finite_part = [&](double value) {
    return std::isfinite(is_wide ? value : static_cast<double>(static_cast<float>(value)));
  };
  const Argument value = d.argument(argument);
  if (value.is_float()) return is_finite_part(value.as_float());
  if (value.kind() != ArgumentKind::kComplex) return value.is_int() || value.is_bool();
  return is_finite_part(value.as_complex().real()) && is_finite_part(value.as_complex().imag());
}

const Proxy* find_operand_of_size(const Decomposer& d, std::initializer_list<Proxy> operands,
                                  int dim) {
  for (const Proxy& operand : operands) {
    const Type type = d.type(operand);
    if (type.has_rank() && type.rank() >= -dim && type.size(dim) == d.result().size(dim))
      return &operand;
  }
  return nullptr;
}

Proxy expanded_to_result(Decomposer& d, const Proxy& x, std::initializer_list<Proxy> operands) {
  if (std::ranges::equal(d.type(x).sizes(), d.result().sizes())) return x;
  std::vector<IntArg> sizes;
  for (int dim = -d.result().rank(); dim < 0; ++dim) {
    const Proxy* const operand = find_operand_of_size(d, operands, dim);
    if (operand == nullptr) {
      d.reject("a size of its result is not the size of any operand");
      return x;
    }
    sizes.push_back(d.size(*operand, dim));
  }
  return x.expand(sizes);
}

bool is_tensor_argument(const Decomposer& d, std::string_view name) {
  const Argument given = d.argument(name);
  if (!given.is_node()) return false;
  const ops::OpInfo* const op = d.call().function().op();
  const int index = op == nullptr ? -1 : op->schema().find_argument(name);
  const bool takes_tensor =
      index >= 0 && op->schema().arguments()[static_cast<size_t>(index)].type.contains_tensors();
  return takes_tensor || given.as_node()->type().is_tensor();
}

absl::Span<const DecompositionRow> pointwise_decompositions() {
  static constexpr DecompositionRow kRows[] = {
      {"aten.addcdiv.default", addcdiv, kCore},
      {"aten.addcmul.default", addcmul, kCore},
      {"aten.clamp_max.default", clamp_max, kCore},
      {"aten.clamp_min.default", clamp_min, kCore},
      {"aten.deg2rad.default", deg2rad, kCore},
      {"aten.fake_quantize_per_channel_affine_cachemask.default", fake_quantize_channels, kByName},
      {"aten.fake_quantize_per_tensor_affine_cachemask.default", fake_quantize, kByName},
      {"aten.floor_divide.default", floor_divide, kCore},
      {"aten.frac.default", frac, kCore},
      {"aten.heaviside.default", heaviside, kCore},
      {"aten.isneginf.default", isneginf, kCore},
      {"aten.isposinf.default", isposinf, kCore},
      {"aten.lerp.Scalar", lerp_scalar, kCore},
      {"aten.lerp.Tensor", lerp, kCore},
      {"aten.logaddexp.default", logaddexp, kCore},
      {"aten.nan_to_num.default", nan_to_num, kCore},
      {"aten.rad2deg.default", rad2deg, kCore},
      {"aten.rsub.Scalar", rsub, kCore},
      {"aten.rsub.Tensor", rsub, kCore},
      {"aten.sgn.default", sgn, kCore},
      {"aten.sinc.default", sinc, kCore},
      {"aten.square.default", square, kCore},
      {"aten.where.ScalarOther", where_scalar, kCore},
      {"aten.where.ScalarSelf", where_scalar, kCore},
      {"aten.xlogy.Tensor", xlogy, kCore},
  };
  return kRows;
}

}  // namespace fx
