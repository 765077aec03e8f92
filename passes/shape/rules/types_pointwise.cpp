// Type functions for elementwise arithmetic, comparison and logic.
#include "fx/passes/shape/requirements/requirements_internal.h"
#include "fx/passes/shape/rules/elementwise_internal.h"
#include "fx/passes/shape/type_rules_internal.h"

#include "fmt/format.h"

namespace fx::shape {
namespace {

/// Adds argument `i`, a tensor or a Python number, to the promotion.
void promote_operand(TypeCall& c, Promotion& promotion, int i) {
  if (c.is_none(i)) return;
  if (c.tensor(i).is_tensor())
    promotion.add(c, i);
  else
    promotion.add_number(c.scalar_dtype(i));
}

DType promoted(TypeCall& c, int i, int j) {
  Promotion promotion;
  promote_operand(c, promotion, i);
  promote_operand(c, promotion, j);
  return promotion.result();
}

/// Returns the type of argument `i` if it is a tensor; null for a number.
Type operand(TypeCall& c, int i) {
  const Type type = c.tensor(i);
  return type.is_tensor() ? type : Type();
}

/// Returns the type of argument `i`; for a number, that of the 0-dimensional tensor to which
/// libtorch converts it. Since this operand does not have the sizes of the result, strides of
/// dimensions of size 1 are computed instead of kept.
Type wrapped(TypeCall& c, int i) {
  const Type type = operand(c, i);
  return type ? type : c.result(c.scalar_dtype(i), absl::Span<const Dim>());
}

/// Returns the type of an operation on arguments 0 and 1 that computes in `common`.
Type over_operands(TypeCall& c, DType dtype, DType common) {
  return promoted_elementwise(c, dtype, common, {{wrapped(c, 0), wrapped(c, 1)}});
}
Type over_operands(TypeCall& c, DType common) { return over_operands(c, common, common); }

/// a * b
Type arithmetic(TypeCall& c) { return over_operands(c, promoted(c, 0, 1)); }
/// a / b: converts integers to float32.
Type float_arithmetic(TypeCall& c) { return over_operands(c, float_of(promoted(c, 0, 1))); }
/// a < b
Type comparison(TypeCall& c) { return over_operands(c, DType::kBool, promoted(c, 0, 1)); }

/// True if alpha (argument 2) can be converted to the dtype of the result, which must not be bool if
/// `is_difference`. Otherwise fails the call.
bool check_alpha(TypeCall& c, DType dtype, bool is_difference = false) {
  if (is_difference && dtype == DType::kBool)
    c.fail("subtraction with a bool tensor is not supported; use logical_xor");
  const DType alpha = c.argument(2).number_dtype();
  const bool is_ok = alpha == DType::kBool
                         ? dtype == DType::kBool
                         : (alpha != DType::kFloat32 || !is_integer_or_bool(dtype)) &&
                               (alpha != DType::kComplex64 || is_complex(dtype));
  if (!is_ok)
    c.fail_argument(2, fmt::format("a number of a kind that converts to {}", dtype_name(dtype)));
  return !c.failed() &&
         fits_dtype(c, 2, dtype, is_difference ? NumberUse::kNegated : NumberUse::kElement);
}

/// a + alpha * b, a - alpha * b
template <bool is_difference>
Type addition(TypeCall& c) {
  const DType dtype = promoted(c, 0, 1);
  return check_alpha(c, dtype, is_difference) ? over_operands(c, dtype) : Type();
}

/// rsub(a, b): the kernel computes b - a, with the operands in that order.
Type reverse_subtraction(TypeCall& c) {
  const DType dtype = promoted(c, 0, 1);
  if (!check_alpha(c, dtype, true)) return Type();
  return promoted_elementwise(c, dtype, {{wrapped(c, 1), wrapped(c, 0)}});
}

/// An operation on a tensor and either a tensor or a number. A number is not an operand of the
/// kernel: a ** number, clamp_min(a, number).
Type with_number(TypeCall& c, DType common) {
  return promoted_elementwise(c, common, {{operand(c, 0), operand(c, 1)}});
}
Type power(TypeCall& c) { return with_number(c, promoted(c, 0, 1)); }

/// number ** b: the result is always row-major.
Type power_of_number(TypeCall& c) { return c.result(promoted(c, 0, 1), c.tensor(1).sizes()); }
Type float_power_of_number(TypeCall& c) {
  const bool complex = is_complex(promoted(c, 0, 1));
  return c.result(complex ? DType::kComplex128 : DType::kFloat64, c.tensor(1).sizes());
}

/// ldexp(a, b): a * 2.0 ** b. A separate kernel handles a floating-point a and an integer b. 2.0 is
/// a number if a has the default dtype, else a tensor with the dtype of a.
Type ldexp(TypeCall& c) {
  const Type a = c.tensor(0), b = c.tensor(1);
  const DType common = float_of(promoted(c, 0, 1));
  if (is_floating_point(a.dtype()) && is_integral(b.dtype())) {
    const Type result = elementwise(c, a.dtype(), {a, b});
    return result && same_sizes(c, result.sizes(), a.sizes()) ? like(c, a, a.dtype()) : result;
  }
  const bool is_tensor = is_floating_point(a.dtype()) && a.dtype() != DType::kFloat32;
  const Type power =
      is_tensor ? elementwise(c, b.dtype(), {b}) : c.result(float_of(b.dtype()), b.sizes());
  return promoted_elementwise(c, common, {{a, power}});
}

/// div(a, b, rounding_mode): with a rounding mode, integers are not converted.
Type division(TypeCall& c) {
  const DType dtype = promoted(c, 0, 1);
  return over_operands(c, c.is_none(2) ? float_of(dtype) : dtype);
}

/// float_power(a, b): the operands need no common dtype.
Type float_power(TypeCall& c) {
  const bool complex = is_complex(wrapped(c, 0).dtype()) || is_complex(wrapped(c, 1).dtype());
  return with_number(c, complex ? DType::kComplex128 : DType::kFloat64);
}

/// lerp(a, b, weight), addcmul(a, b, c), clamp(a, min, max) with tensors.
Type ternary(TypeCall& c) {
  Promotion promotion;
  for (int i = 0; i < 3; ++i) promote_operand(c, promotion, i);
  return promoted_elementwise(c, promotion.result(),
                              {{operand(c, 0), operand(c, 1), operand(c, 2)}});
}

Type lerp_scalar(TypeCall& c) {
  return promoted_elementwise(c, promoted(c, 0, 1), {{operand(c, 0), operand(c, 1)}});
}
/// lerp(a, b, weight): a weight of rank 0 may have any dtype.
Type lerp_tensor(TypeCall& c) {
  const Type a = c.tensor(0), weight = c.tensor(2);
  if (weight.rank() > 0 && weight.dtype() != a.dtype())
    return c.fail_argument(2, fmt::format("of dtype {}", dtype_name(a.dtype())));
  return ternary(c);
}

/// clamp_max(a, max), clamp_min(a, min)
Type clamp_one(TypeCall& c) { return with_number(c, promoted(c, 0, 1)); }

/// complex(real, imag), polar(abs, angle)
Type complex_pair(TypeCall& c) {
  return elementwise(c, complex_of(c.tensor(0).dtype()), {c.tensor(0), c.tensor(1)});
}

Type where(TypeCall& c) {
  Promotion promotion;
  promote_operand(c, promotion, 1);
  promote_operand(c, promotion, 2);
  const DType dtype = promotion.result();
  return elementwise(c, dtype,
                     {operand_as(c, c.tensor(0), DType::kBool), operand_as(c, wrapped(c, 1), dtype),
                      operand_as(c, wrapped(c, 2), dtype)});
}

// ---------------------------------------------------------------- one operand

Type same(TypeCall& c) { return elementwise(c, c.tensor(0).dtype(), {c.tensor(0)}); }
/// f(a): integers are converted to float32 first.
Type to_float(TypeCall& c) {
  const DType dtype = float_of(c.tensor(0).dtype());
  return promoted_elementwise(c, dtype, dtype, {{c.tensor(0)}});
}
Type to_bool(TypeCall& c) { return elementwise(c, DType::kBool, {c.tensor(0)}); }
/// abs(a): for complex numbers, unary_op_impl_with_complex_to_float writes into empty_like(a),
/// which keeps the strides of dimensions of size 1.
Type absolute(TypeCall& c) {
  const Type x = c.tensor(0);
  if (is_complex(x.dtype())) return like(c, x, real_of(x.dtype()));
  return elementwise(c, x.dtype(), {x});
}
/// angle(a): the result for a complex tensor is row-major.
Type angle(TypeCall& c) {
  const Type x = c.tensor(0);
  if (is_complex(x.dtype())) return c.result(real_of(x.dtype()), to_vector(x.sizes()));
  return to_float(c);
}
Type square(TypeCall& c) {
  const DType input = c.tensor(0).dtype(), dtype = input == DType::kBool ? DType::kInt64 : input;
  return promoted_elementwise(c, dtype, dtype, {{c.tensor(0)}});
}
/// polygamma(n, x)
Type second_to_float(TypeCall& c) {
  const DType dtype = float_of(c.tensor(1).dtype());
  return promoted_elementwise(c, dtype, dtype, {{c.tensor(1)}});
}

Type frexp(TypeCall& c) {
  const Type x = c.tensor(0);
  return c.tuple({like(c, x, x.dtype()), like(c, x, DType::kInt32)});
}

/// positive, and resolve_conj and resolve_neg of a tensor without these bits: return the argument
/// itself.
Type same_tensor(TypeCall& c) {
  c.set_alias(0);
  return c.tensor(0);
}

/// conj_physical(a): conjugates complex tensors, and returns real tensors themselves.
Type conj_physical(TypeCall& c) {
  const DType dtype = c.tensor(0).dtype();
  return is_complex(dtype) ? like(c, c.tensor(0), dtype) : same_tensor(c);
}

constexpr TypeRule kPointwiseRules[] = {
    // Arithmetic
    {"aten.add.Tensor", addition<false>},
    {"aten.add.Scalar", addition<false>},
    {"aten.sub.Tensor", addition<true>},
    {"aten.sub.Scalar", addition<true>},
    {"aten.subtract.Tensor", addition<true>},
    {"aten.subtract.Scalar", addition<true>},
    {"aten._add_relu.Tensor", addition<false>},
    {"aten._add_relu.Scalar", addition<false>},
    {"aten.rsub.Tensor", reverse_subtraction},
    {"aten.rsub.Scalar", reverse_subtraction},
    {"aten.mul.Tensor", arithmetic},
    {"aten.mul.Scalar", arithmetic},
    {"aten.multiply.Tensor", arithmetic},
    {"aten.multiply.Scalar", arithmetic},
    {"aten.div.Tensor", float_arithmetic},
    {"aten.div.Scalar", float_arithmetic},
    {"aten.div.Tensor_mode", division},
    {"aten.div.Scalar_mode", division},
    {"aten.divide.Tensor", float_arithmetic},
    {"aten.divide.Scalar", float_arithmetic},
    {"aten.divide.Tensor_mode", division},
    {"aten.divide.Scalar_mode", division},
    {"aten.true_divide.Tensor", float_arithmetic},
    {"aten.true_divide.Scalar", float_arithmetic},
    {"aten.floor_divide.default", arithmetic},
    {"aten.floor_divide.Scalar", arithmetic},
    {"aten.fmod.Tensor", arithmetic},
    {"aten.fmod.Scalar", arithmetic},
    {"aten.remainder.Tensor", arithmetic},
    {"aten.remainder.Scalar", arithmetic},
    {"aten.remainder.Scalar_Tensor", arithmetic},
    {"aten.pow.Tensor_Tensor", arithmetic},
    {"aten.pow.Tensor_Scalar", power},
    {"aten.pow.Scalar", power_of_number},
    {"aten.float_power.Tensor_Tensor", float_power},
    {"aten.float_power.Tensor_Scalar", float_power},
    {"aten.float_power.Scalar", float_power_of_number},
    {"aten.maximum.default", arithmetic},
    {"aten.minimum.default", arithmetic},
    {"aten.max.other", arithmetic},
    {"aten.min.other", arithmetic},
    {"aten.fmax.default", arithmetic},
    {"aten.fmin.default", arithmetic},
    {"aten.gcd.default", arithmetic},
    {"aten.lcm.default", arithmetic},
    {"aten.heaviside.default", arithmetic},
    {"aten.nextafter.default", arithmetic},
    {"aten.hypot.default", arithmetic},
    {"aten.logaddexp.default", float_arithmetic},
    {"aten.logaddexp2.default", float_arithmetic},
    {"aten.atan2.default", float_arithmetic},
    {"aten.arctan2.default", float_arithmetic},
    {"aten.copysign.Tensor", float_arithmetic},
    {"aten.copysign.Scalar", float_arithmetic},
    {"aten.ldexp.Tensor", ldexp},
    {"aten.igamma.default", float_arithmetic},
    {"aten.igammac.default", float_arithmetic},
    {"aten.xlogy.Tensor", float_arithmetic},
    {"aten.xlogy.Scalar_Other", float_arithmetic},
    {"aten.xlogy.Scalar_Self", float_arithmetic},
    {"aten.lerp.Scalar", lerp_scalar},
    {"aten.lerp.Tensor", lerp_tensor},
    {"aten.addcmul.default", ternary},
    {"aten.addcdiv.default", ternary},
    {"aten.clamp.default", ternary},
    {"aten.clamp.Tensor", ternary},
    {"aten.clip.default", ternary},
    {"aten.clip.Tensor", ternary},
    {"aten.clamp_min.default", clamp_one},
    {"aten.clamp_min.Tensor", clamp_one},
    {"aten.clamp_max.default", clamp_one},
    {"aten.clamp_max.Tensor", clamp_one},
    // Comparison and logic
    {"aten.eq.Tensor", comparison},
    {"aten.eq.Scalar", comparison},
    {"aten.ne.Tensor", comparison},
    {"aten.ne.Scalar", comparison},
    {"aten.lt.Tensor", comparison},
    {"aten.lt.Scalar", comparison},
    {"aten.le.Tensor", comparison},
    {"aten.le.Scalar", comparison},
    {"aten.gt.Tensor", comparison},
    {"aten.gt.Scalar", comparison},
    {"aten.ge.Tensor", comparison},
    {"aten.ge.Scalar", comparison},
    {"aten.not_equal.Tensor", comparison},
    {"aten.not_equal.Scalar", comparison},
    {"aten.less.Tensor", comparison},
    {"aten.less.Scalar", comparison},
    {"aten.less_equal.Tensor", comparison},
    {"aten.less_equal.Scalar", comparison},
    {"aten.greater.Tensor", comparison},
    {"aten.greater.Scalar", comparison},
    {"aten.greater_equal.Tensor", comparison},
    {"aten.greater_equal.Scalar", comparison},
    {"aten.logical_and.default", comparison},
    {"aten.logical_or.default", comparison},
    {"aten.logical_xor.default", comparison},
    {"aten.logical_not.default", to_bool},
    {"aten.bitwise_and.Tensor", arithmetic},
    {"aten.bitwise_and.Scalar", arithmetic},
    {"aten.bitwise_and.Scalar_Tensor", arithmetic},
    {"aten.bitwise_or.Tensor", arithmetic},
    {"aten.bitwise_or.Scalar", arithmetic},
    {"aten.bitwise_or.Scalar_Tensor", arithmetic},
    {"aten.bitwise_xor.Tensor", arithmetic},
    {"aten.bitwise_xor.Scalar", arithmetic},
    {"aten.bitwise_xor.Scalar_Tensor", arithmetic},
    {"aten.bitwise_left_shift.Tensor", arithmetic},
    {"aten.bitwise_left_shift.Tensor_Scalar", arithmetic},
    {"aten.bitwise_left_shift.Scalar_Tensor", arithmetic},
    {"aten.bitwise_right_shift.Tensor", arithmetic},
    {"aten.bitwise_right_shift.Tensor_Scalar", arithmetic},
    {"aten.bitwise_right_shift.Scalar_Tensor", arithmetic},
    {"aten.bitwise_not.default", same},
    {"aten.__and__.Tensor", arithmetic},
    {"aten.__and__.Scalar", arithmetic},
    {"aten.__or__.Tensor", arithmetic},
    {"aten.__or__.Scalar", arithmetic},
    {"aten.__xor__.Tensor", arithmetic},
    {"aten.__xor__.Scalar", arithmetic},
    {"aten.__lshift__.Tensor", arithmetic},
    {"aten.__lshift__.Scalar", arithmetic},
    {"aten.__rshift__.Tensor", arithmetic},
    {"aten.__rshift__.Scalar", arithmetic},
    {"aten.complex.default", complex_pair},
    {"aten.polar.default", complex_pair},
    {"aten.where.self", where},
    {"aten.where.ScalarSelf", where},
    {"aten.where.ScalarOther", where},
    {"aten.where.Scalar", where},
    // One operand, same dtype
    {"aten.abs.default", absolute},
    {"aten.absolute.default", absolute},
    {"aten.angle.default", angle},
    {"aten.neg.default", same},
    {"aten.negative.default", same},
    {"aten.sign.default", same},
    {"aten.sgn.default", same},
    {"aten.ceil.default", same},
    {"aten.floor.default", same},
    {"aten.trunc.default", same},
    {"aten.fix.default", same},
    {"aten.round.default", same},
    {"aten.round.decimals", same},
    {"aten.frac.default", same},
    {"aten.square.default", square},
    {"aten.conj_physical.default", conj_physical},
    {"aten.positive.default", same_tensor},
    {"aten.resolve_conj.default", same_tensor},
    {"aten.resolve_neg.default", same_tensor},
    {"aten.frexp.Tensor", frexp},
    {"aten.signbit.default", to_bool},
    {"aten.isnan.default", to_bool},
    {"aten.isneginf.default", to_bool},
    {"aten.isposinf.default", to_bool},
    // One operand, a float for integers
    {"aten.acos.default", to_float},
    {"aten.acosh.default", to_float},
    {"aten.asin.default", to_float},
    {"aten.asinh.default", to_float},
    {"aten.atan.default", to_float},
    {"aten.atanh.default", to_float},
    {"aten.arccos.default", to_float},
    {"aten.arccosh.default", to_float},
    {"aten.arcsin.default", to_float},
    {"aten.arcsinh.default", to_float},
    {"aten.arctan.default", to_float},
    {"aten.arctanh.default", to_float},
    {"aten.cos.default", to_float},
    {"aten.cosh.default", to_float},
    {"aten.digamma.default", to_float},
    {"aten.erf.default", to_float},
    {"aten.erfc.default", to_float},
    {"aten.erfinv.default", to_float},
    {"aten.exp.default", to_float},
    {"aten.exp2.default", to_float},
    {"aten.expm1.default", to_float},
    {"aten.i0.default", to_float},
    {"aten.lgamma.default", to_float},
    {"aten.log.default", to_float},
    {"aten.log10.default", to_float},
    {"aten.log1p.default", to_float},
    {"aten.log2.default", to_float},
    {"aten.polygamma.default", second_to_float},
    {"aten.special_polygamma.default", second_to_float},
    {"aten.reciprocal.default", to_float},
    {"aten.rsqrt.default", to_float},
    {"aten.sigmoid.default", to_float},
    {"aten.sin.default", to_float},
    {"aten.sinc.default", to_float},
    {"aten.sinh.default", to_float},
    {"aten.sqrt.default", to_float},
    {"aten.tan.default", to_float},
    {"aten.tanh.default", to_float},
    {"aten.logit.default", to_float},
    {"aten.special_airy_ai.default", to_float},
    {"aten.special_bessel_j0.default", to_float},
    {"aten.special_bessel_j1.default", to_float},
    {"aten.special_bessel_y0.default", to_float},
    {"aten.special_bessel_y1.default", to_float},
    {"aten.special_entr.default", to_float},
    {"aten.special_erfcx.default", to_float},
    {"aten.special_i0e.default", to_float},
    {"aten.special_i1.default", to_float},
    {"aten.special_i1e.default", to_float},
    {"aten.special_log_ndtr.default", to_float},
    {"aten.special_modified_bessel_i0.default", to_float},
    {"aten.special_modified_bessel_i1.default", to_float},
    {"aten.special_modified_bessel_k0.default", to_float},
    {"aten.special_modified_bessel_k1.default", to_float},
    {"aten.special_ndtri.default", to_float},
    {"aten.special_scaled_modified_bessel_k0.default", to_float},
    {"aten.special_scaled_modified_bessel_k1.default", to_float},
    {"aten.special_spherical_bessel_j0.default", to_float},
    {"aten.special_expit.default", to_float},
    {"aten.special_expm1.default", to_float},
    {"aten.special_exp2.default", to_float},
    {"aten.special_psi.default", to_float},
    {"aten.special_digamma.default", to_float},
    {"aten.special_gammaln.default", to_float},
    {"aten.special_erf.default", to_float},
    {"aten.special_erfc.default", to_float},
    {"aten.special_erfinv.default", to_float},
    {"aten.special_i0.default", to_float},
    {"aten.special_log1p.default", to_float},
    {"aten.special_sinc.default", to_float},
    {"aten.special_logit.default", to_float},
    {"aten.special_chebyshev_polynomial_t.default", float_arithmetic},
    {"aten.special_chebyshev_polynomial_t.x_scalar", float_arithmetic},
    {"aten.special_chebyshev_polynomial_t.n_scalar", float_arithmetic},
    {"aten.special_chebyshev_polynomial_u.default", float_arithmetic},
    {"aten.special_chebyshev_polynomial_u.x_scalar", float_arithmetic},
    {"aten.special_chebyshev_polynomial_u.n_scalar", float_arithmetic},
    {"aten.special_chebyshev_polynomial_v.default", float_arithmetic},
    {"aten.special_chebyshev_polynomial_v.x_scalar", float_arithmetic},
    {"aten.special_chebyshev_polynomial_v.n_scalar", float_arithmetic},
    {"aten.special_chebyshev_polynomial_w.default", float_arithmetic},
    {"aten.special_chebyshev_polynomial_w.x_scalar", float_arithmetic},
    {"aten.special_chebyshev_polynomial_w.n_scalar", float_arithmetic},
    {"aten.special_hermite_polynomial_h.default", float_arithmetic},
    {"aten.special_hermite_polynomial_h.x_scalar", float_arithmetic},
    {"aten.special_hermite_polynomial_h.n_scalar", float_arithmetic},
    {"aten.special_hermite_polynomial_he.default", float_arithmetic},
    {"aten.special_hermite_polynomial_he.x_scalar", float_arithmetic},
    {"aten.special_hermite_polynomial_he.n_scalar", float_arithmetic},
    {"aten.special_laguerre_polynomial_l.default", float_arithmetic},
    {"aten.special_laguerre_polynomial_l.x_scalar", float_arithmetic},
    {"aten.special_laguerre_polynomial_l.n_scalar", float_arithmetic},
    {"aten.special_legendre_polynomial_p.default", float_arithmetic},
    {"aten.special_legendre_polynomial_p.x_scalar", float_arithmetic},
    {"aten.special_legendre_polynomial_p.n_scalar", float_arithmetic},
    {"aten.special_shifted_chebyshev_polynomial_t.default", float_arithmetic},
    {"aten.special_shifted_chebyshev_polynomial_t.x_scalar", float_arithmetic},
    {"aten.special_shifted_chebyshev_polynomial_t.n_scalar", float_arithmetic},
    {"aten.special_shifted_chebyshev_polynomial_u.default", float_arithmetic},
    {"aten.special_shifted_chebyshev_polynomial_u.x_scalar", float_arithmetic},
    {"aten.special_shifted_chebyshev_polynomial_u.n_scalar", float_arithmetic},
    {"aten.special_shifted_chebyshev_polynomial_v.default", float_arithmetic},
    {"aten.special_shifted_chebyshev_polynomial_v.x_scalar", float_arithmetic},
    {"aten.special_shifted_chebyshev_polynomial_v.n_scalar", float_arithmetic},
    {"aten.special_shifted_chebyshev_polynomial_w.default", float_arithmetic},
    {"aten.special_shifted_chebyshev_polynomial_w.x_scalar", float_arithmetic},
    {"aten.special_shifted_chebyshev_polynomial_w.n_scalar", float_arithmetic},
    {"aten.special_xlog1py.default", float_arithmetic},
    {"aten.special_xlog1py.other_scalar", float_arithmetic},
    {"aten.special_xlog1py.self_scalar", float_arithmetic},
    {"aten.special_zeta.default", float_arithmetic},
    {"aten.special_zeta.other_scalar", float_arithmetic},
    {"aten.special_zeta.self_scalar", float_arithmetic},
    {"aten.special_xlogy.default", float_arithmetic},
    {"aten.special_xlogy.other_scalar", float_arithmetic},
    {"aten.special_xlogy.self_scalar", float_arithmetic},
    {"aten.special_gammainc.default", float_arithmetic},
    {"aten.special_gammaincc.default", float_arithmetic},
    {"aten.special_round.default", same},
    {"aten.native_dropout_backward.default", float_arithmetic},
};

}  // namespace

absl::Span<const TypeRule> pointwise_rules() { return kPointwiseRules; }

}  // namespace fx::shape
