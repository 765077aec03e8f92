// Arithmetic of two operands, and operators that select between operands.
#include "fx/passes/autodiff/rules_internal.h"

#include <cmath>
#include <complex>
#include <numbers>
#include <optional>

namespace fx {
namespace {

AnyArg pass_on(D& d) { return d.grad(); }
AnyArg times_alpha(D& d) { return d.scaled(d.grad(), "alpha"); }
AnyArg minus_times_alpha(D& d) { return d.scaled(neg(d.grad()), "alpha"); }

AnyArg by_other_scalar(D& d) { return d.grad() * d.conj_scalar("other"); }

/// False for a number in place of a tensor: `2.0 * x`, `1 / x`, `x / s` with a symbolic number s.
bool is_tensor(D& d, std::string_view name) {
  const Node* const node = d.argument(name).node();
  if (node == nullptr) return false;
  const TypeKind kind = node->type().kind();
  return kind != TypeKind::kInt && kind != TypeKind::kFloat && kind != TypeKind::kBool;
}
AnyArg mul_other(D& d) {
  return is_tensor(d, "self") ? d.grad() * d.conj(d("self")) : d.grad() * d.conj_scalar("self");
}
AnyArg div_other(D& d) {
  const Proxy other = d("other");
  const Proxy ratio = is_tensor(d, "self")
                          ? d("self") / other
                          : d.emit("aten.div.Tensor", {AnyArg(d.argument("self")), other});
  return neg(d.grad()) * d.conj(ratio / other);
}
AnyArg div_mode_self(D& d) {
  if (!d.is_none("rounding_mode")) return d.zero_grad("self");
  return d.grad() / d.conj(d("other"));
}
AnyArg div_mode_other(D& d) {
  if (!d.is_none("rounding_mode")) return d.zero_grad("other");
  return div_other(d);
}
AnyArg div_mode_scalar(D& d) {
  if (!d.is_none("rounding_mode")) return d.zero_grad("self");
  return d.grad() / d.conj_scalar("other");
}

// ---- Powers

bool is_number(const Argument& value, double number) {
  return (value.is_int() && static_cast<double>(value.as_int()) == number) ||
         (value.is_float() && value.as_float() == number) ||
         (value.is_bool() && (value.as_bool() ? 1.0 : 0.0) == number);
}
/// Returns the number minus one, of the same kind; an integer for a bool.
ScalarArg minus_one(const Argument& value) {
  if (value.is_int()) return ScalarArg(value.as_int() - 1);
  if (value.is_bool()) return ScalarArg(value.as_bool() ? 0 : -1);
  if (value.kind() == ArgumentKind::kComplex) return ScalarArg(value.as_complex() - 1.0);
  return ScalarArg(value.as_float() - 1);
}
AnyArg pow_scalar(D& d) {
  const Argument exponent = d.argument("exponent");
  if (exponent.is_node()) return d.reject("the exponent must be a constant");
  if (is_number(exponent, 0)) return d.zero_grad("self");
  if (d.is_readable() && is_number(exponent, 2)) return d.grad() * d.conj(2 * d("self"));
  return d.grad() * d.conj(pow(d("self"), minus_one(exponent)) * d.scalar("exponent"));
}
AnyArg pow_self(D& d) {
  const Proxy x = d("self"), exponent = d("exponent");
  const Proxy slope = d.conj(exponent * pow(x, exponent - 1));
  return d.where(exponent == 0.0, 0, d.grad() * slope);
}
/// True where zero to the power of `exponent` does not depend on it: where it is a real number that
/// is not negative.
Proxy is_power_of_zero(D& d, const Proxy& exponent) {
  if (!d.is_complex(exponent)) return exponent >= 0;
  return logical_and(imag(exponent) == 0, real(exponent) >= 0);
}
AnyArg pow_exponent(D& d) {
  const Proxy exponent = d("exponent"), y = d.value();
  // The power of a negative number to a complex exponent has the complex logarithm.
  const Proxy x = d.cast(d("self"), d.dtype(y));
  const Proxy is_constant = logical_and(x == 0, is_power_of_zero(d, exponent));
  return d.grad() * d.where(is_constant, 0, d.conj(y * log(x)));
}
AnyArg pow_exponent_of_scalar(D& d) {
  const Argument base = d.argument("self");
  const Proxy exponent = d("exponent"), y = d.value();
  const bool is_zero = is_number(base, 0);
  const Proxy grad = d.grad();
  std::complex<double> number;
  if (base.kind() == ArgumentKind::kComplex)
    number = base.as_complex();
  else if (base.is_int())
    number = static_cast<double>(base.as_int());
  else if (base.is_float())
    number = base.as_float();
  else if (base.is_bool())
    number = base.as_bool() ? 1 : 0;
  else
    return d.reject("the base must be a constant");
  const std::complex<double> factor = std::log(number);
  const bool is_real = factor.imag() == 0 || !d.is_complex(y);
  const Proxy slope =
      is_real ? d.conj(y * (factor.imag() == 0 ? factor.real() : NAN)) : d.conj(y * factor);
  if (!is_zero) return grad * slope;
  return grad * d.where(is_power_of_zero(d, exponent), 0, slope);
}

// ---- Selection of an operand

/// Returns the gradient: half of it where both operands are equal, and zero where `zero_where` is
/// true.
Proxy half_where_equal(D& d, const Proxy& zero_where) {
  const Proxy grad = d.grad();
  const Proxy shared = fx::where(d("self") == d("other"), grad / 2, grad);
  return masked_fill(shared, zero_where, 0);
}

AnyArg clamp_self(D& d) {
  const Proxy x = d("self");
  Proxy inside;
  if (!d.is_none("min")) inside = x >= d.scalar("min");
  if (!d.is_none("max")) {
    const Proxy below = x <= d.scalar("max");
    inside = inside.defined() ? logical_and(inside, below) : below;
  }
  return inside.defined() ? d.where(inside, d.grad(), 0) : d.grad();
}
AnyArg clamp_tensor_self(D& d) {
  const Proxy x = d("self"), low = d.optional_tensor("min"), high = d.optional_tensor("max");
  Proxy inside;
  if (low.defined()) inside = x >= low;
  if (high.defined()) inside = inside.defined() ? logical_and(inside, x <= high) : x <= high;
  return inside.defined() ? d.where(inside, d.grad(), 0) : d.grad();
}
AnyArg clamp_tensor_min(D& d) {
  const Proxy x = d("self"), low = d("min"), high = d.optional_tensor("max");
  const Proxy chosen = high.defined() ? logical_and(low < high, x < low) : x < low;
  return d.where(chosen, d.grad(), 0);
}
AnyArg clamp_tensor_max(D& d) {
  const Proxy x = d("self"), low = d.optional_tensor("min"), high = d("max");
  const Proxy chosen = low.defined() ? logical_or(x > high, high < low) : x > high;
  return d.where(chosen, d.grad(), 0);
}

AnyArg lerp_scalar_self(D& d) {
  const Argument weight = d.argument("weight");
  if (weight.kind() == ArgumentKind::kComplex)
    return d.grad() * (1.0 - std::conj(weight.as_complex()));
  return d.grad() * (1 - d.number("weight"));
}

AnyArg atan2_grads(D& d) {
  const Proxy x = d("self"), y = d("other");
  const Proxy recip = reciprocal(x * x + y * y);
  const Proxy scaled = d.grad() * masked_fill(recip, recip == INFINITY, 0);
  AnyArg self(std::nullopt), other(std::nullopt);
  if (d.needs_grad("self")) self = scaled * y;
  if (d.needs_grad("other")) other = scaled * neg(x);
  return AnyArg::tuple({self, other});
}

}  // namespace

absl::Span<const DerivativeRow> arithmetic_derivatives() {
  static constexpr DerivativeRow kRows[] = {
      {"aten.add.Tensor", kElementwise, {{"self", pass_on}, {"other", times_alpha}}},
      {"aten.add.Scalar", kElementwise, {{"self", pass_on}}},
      {"aten.sub.Tensor", kElementwise, {{"self", pass_on}, {"other", minus_times_alpha}}},
      {"aten.sub.Scalar", kElementwise, {{"self", pass_on}}},
      {"aten.rsub.Tensor", kElementwise, {{"self", minus_times_alpha}, {"other", pass_on}}},
      {"aten.rsub.Scalar", kElementwise, {{"self", minus_times_alpha}}},
      {"aten.mul.Tensor",
       kElementwise,
       {{"self",
         [](D& d) {
           return is_tensor(d, "other") ? AnyArg(d.grad() * d.conj(d("other")))
                                        : by_other_scalar(d);
         }},
        {"other", mul_other}}},
      {"aten.mul.Scalar", kElementwise, {{"self", by_other_scalar}}},
      {"aten.div.Tensor",
       kElementwise,
       {{"self",
         [](D& d) {
           return is_tensor(d, "other") ? d.grad() / d.conj(d("other"))
                                        : d.grad() / d.conj_scalar("other");
         }},
        {"other", div_other}}},
      {"aten.div.Scalar",
       kElementwise,
       {{"self", [](D& d) { return d.grad() / d.conj_scalar("other"); }}}},
      {"aten.div.Tensor_mode", kElementwise, {{"self", div_mode_self}, {"other", div_mode_other}}},
      {"aten.div.Scalar_mode", kElementwise, {{"self", div_mode_scalar}}},
      {"aten.true_divide.Tensor",
       kElementwise,
       {{"self", [](D& d) { return d.grad() / d.conj(d("other")); }}, {"other", div_other}}},
      {"aten.addcmul.default",
       kElementwise,
       {{"self", pass_on},
        {"tensor1", [](D& d) { return d.grad() * d.conj(d("tensor2") * d.scalar("value")); }},
        {"tensor2", [](D& d) { return d.grad() * d.conj(d("tensor1") * d.scalar("value")); }}}},
      {"aten.addcdiv.default",
       kElementwise,
       {{"self", pass_on},
        {"tensor1",
         [](D& d) {
           return d.grad() * d.conj(d.emit("aten.mul.Tensor",
                                           {reciprocal(d("tensor2")), AnyArg(d.scalar("value"))}));
         }},
        {"tensor2",
         [](D& d) {
           const Proxy a = d("tensor1"), b = d("tensor2");
           return neg(d.grad()) * d.conj((a * d.scalar("value")) / (b * b));
         }}}},
      {"aten.lerp.Scalar",
       kElementwise,
       {{"self", lerp_scalar_self},
        {"end", [](D& d) { return d.grad() * d.conj_scalar("weight"); }}}},
      {"aten.lerp.Tensor",
       kElementwise,
       {{"self", [](D& d) { return d.grad() * d.conj(1 - d("weight")); }},
        {"end", [](D& d) { return d.grad() * d.conj(d("weight")); }},
        {"weight", [](D& d) { return d.grad() * d.conj(d("end") - d("self")); }}}},
      {"aten.pow.Tensor_Scalar", kElementwise, {{"self", pow_scalar}}},
      {"aten.pow.Tensor_Tensor", kElementwise, {{"self", pow_self}, {"exponent", pow_exponent}}},
      {"aten.pow.Scalar", kElementwise, {{"exponent", pow_exponent_of_scalar}}},
      {"aten.float_power.Tensor_Scalar", kElementwise, {{"self", pow_scalar}}},
      {"aten.remainder.Scalar", kElementwise, {{"self", pass_on}}},
      {"aten.remainder.Tensor",
       kElementwise,
       {{"self", pass_on},
        {"other",
         [](D& d) {
           return neg(d.grad()) * d.emit("aten.div.Tensor_mode", {d("self"), d("other")},
                                         {{"rounding_mode", "floor"}});
         }}}},
      {"aten.fmod.Scalar", kElementwise, {{"self", pass_on}}},
      {"aten.fmod.Tensor",
       kElementwise,
       {{"self", pass_on},
        {"other",
         [](D& d) {
           return neg(d.grad()) * d.emit("aten.div.Tensor_mode", {d("self"), d("other")},
                                         {{"rounding_mode", "trunc"}});
         }}}},
      {"aten.atan2.default",
       kFunction,
       {{"self, other", atan2_grads}},
       [](D& d) {
         const Proxy x = d("self"), y = d("other");
         const Proxy dx = d.tangent("self"), dy = d.tangent("other");
         return d.sum_of({dx.defined() ? y * dx : Proxy(), dy.defined() ? neg(x) * dy : Proxy()}) /
                (x * x + y * y);
       }},
      {"aten.hypot.default",
       kElementwise,
       {{"self", [](D& d) { return d.grad() * d("self") / d.value(); }},
        {"other", [](D& d) { return d.grad() * d("other") / d.value(); }}}},
      {"aten.copysign.Tensor",
       kElementwise,
       {{"self",
         [](D& d) {
           const Proxy x = d("self"), ratio = d.value() / x;
           return d.grad() * masked_fill(ratio, x == 0, 0);
         }},
        {"other", [](D& d) { return d.zero_grad("other"); }}}},
      {"aten.copysign.Scalar",
       kElementwise,
       {{"self",
         [](D& d) {
           const Proxy x = d("self"), ratio = d.value() / x;
           return d.grad() * masked_fill(ratio, x == 0, 0);
         }}}},
      {"aten.logaddexp.default",
       kElementwise,
       {{"self", [](D& d) { return d.grad() / d.conj(1 + exp(d("other") - d("self"))); }},
        {"other", [](D& d) { return d.grad() / d.conj(1 + exp(d("self") - d("other"))); }}}},
      {"aten.logaddexp2.default",
       kElementwise,
       {{"self", [](D& d) { return d.grad() / (1 + exp2(d("other") - d("self"))); }},
        {"other", [](D& d) { return d.grad() / (1 + exp2(d("self") - d("other"))); }}}},
      {"aten.xlogy.Tensor",
       kElementwise,
       {{"self",
         [](D& d) {
           const Proxy x = d("self"), y = d("other");
           return masked_fill(xlogy(d.grad(), y), logical_and(x == 0.0, y <= 0.0), 0.0);
         }},
        {"other", [](D& d) { return d.grad() * d("self") / d("other"); }}}},
      {"aten.xlogy.Scalar_Self",
       kElementwise,
       {{"other", [](D& d) { return d.grad() * d.scalar("self") / d("other"); }}}},
      {"aten.xlogy.Scalar_Other",
       kElementwise,
       {{"self",
         [](D& d) {
           const Proxy g = d.emit("aten.xlogy.Scalar_Other", {d.grad(), AnyArg(d.scalar("other"))});
           return d.number("other") > 0 ? g : masked_fill(g, d("self") == 0.0, 0.0);
         }}}},
      {"aten.special_xlog1py.default",
       kElementwise,
       {{"self",
         [](D& d) {
           const Proxy x = d("self"), y = d("other");
           return masked_fill(d.emit("aten.special_xlog1py.default", {d.grad(), y}),
                              logical_and(x == 0.0, y <= -1.0), 0.0);
         }},
        {"other", [](D& d) { return d.grad() * d("self") / (d("other") + 1); }}}},
      {"aten.maximum.default",
       kElementwise,
       {{"self", [](D& d) { return half_where_equal(d, d("self") < d("other")); }},
        {"other", [](D& d) { return half_where_equal(d, d("self") > d("other")); }}}},
      {"aten.minimum.default",
       kElementwise,
       {{"self", [](D& d) { return half_where_equal(d, d("self") > d("other")); }},
        {"other", [](D& d) { return half_where_equal(d, d("self") < d("other")); }}}},
      {"aten.fmax.default",
       kElementwise,
       {{"self",
         [](D& d) {
           const Proxy chosen = logical_or(d("self") >= d("other"), isnan(d("other")));
           return masked_fill(d.grad(), logical_not(chosen), 0);
         }},
        {"other",
         [](D& d) {
           const Proxy chosen = logical_or(d("self") >= d("other"), isnan(d("other")));
           return masked_fill(d.grad(), chosen, 0);
         }}}},
      {"aten.fmin.default",
       kElementwise,
       {{"self",
         [](D& d) {
           const Proxy chosen = logical_or(d("self") <= d("other"), isnan(d("other")));
           return masked_fill(d.grad(), logical_not(chosen), 0);
         }},
        {"other",
         [](D& d) {
           const Proxy chosen = logical_or(d("self") <= d("other"), isnan(d("other")));
           return masked_fill(d.grad(), chosen, 0);
         }}}},
      {"aten.clamp.default", kElementwise, {{"self", clamp_self}}},
      {"aten.clamp.Tensor",
       kElementwise,
       {{"self", clamp_tensor_self}, {"min", clamp_tensor_min}, {"max", clamp_tensor_max}}},
      {"aten.clamp_min.default",
       kElementwise,
       {{"self", [](D& d) { return d.where(d("self") >= d.scalar("min"), d.grad(), 0); }}}},
      {"aten.clamp_max.default",
       kElementwise,
       {{"self", [](D& d) { return d.where(d("self") <= d.scalar("max"), d.grad(), 0); }}}},
      {"aten.clamp_min.Tensor",
       kElementwise,
       {{"self", [](D& d) { return d.where(d("self") >= d("min"), d.grad(), 0); }},
        {"min", [](D& d) { return d.where(d("self") < d("min"), d.grad(), 0); }}}},
      {"aten.clamp_max.Tensor",
       kElementwise,
       {{"self", [](D& d) { return d.where(d("self") <= d("max"), d.grad(), 0); }},
        {"max", [](D& d) { return d.where(d("self") > d("max"), d.grad(), 0); }}}},
      {"aten.where.self",
       kElementwise,
       {{"self", [](D& d) { return d.where(d("condition"), d.grad(), 0); }},
        {"other", [](D& d) { return d.where(d("condition"), 0, d.grad()); }}}},
      {"aten.where.ScalarOther",
       kElementwise,
       {{"self", [](D& d) { return d.where(d("condition"), d.grad(), 0); }}}},
      {"aten.where.ScalarSelf",
       kElementwise,
       {{"other", [](D& d) { return d.where(d("condition"), 0, d.grad()); }}}},
      {"aten.complex.default",
       kFunction,
       {{"real", [](D& d) { return real(d.grad()); }},
        {"imag", [](D& d) { return imag(d.grad()); }}},
       [](D& d) { return complex(d.tangent_or_zeros("real"), d.tangent_or_zeros("imag")); }},
      {"aten.polar.default",
       kFunction,
       {{"abs, angle",
         [](D& d) {
           const Proxy g = conj(d.grad()), y = d.value();
           const Proxy radial = real(g * sgn(y));
           const Proxy tangential = real(g * (y * std::complex<double>(0, 1)));
           return AnyArg::tuple({radial, tangential});
         }}},
       [](D& d) {
         const Proxy r = d("abs"), a = d("angle");
         const Proxy dr = d.tangent_or_zeros("abs"), da = d.tangent_or_zeros("angle");
         return complex(dr * cos(a) - da * r * sin(a), dr * sin(a) + da * r * cos(a));
       }},
      {"aten.special_zeta.default",
       kTransposed,
       {{"self", unknown_derivative},
        {"other",
         [](D& d) {
           const Proxy x = d("self");
           return d.grad() * neg(x) * d.emit("aten.special_zeta.default", {x + 1.0, d("other")});
         }}}},
      {"aten.ldexp.Tensor",
       kElementwise,
       {{"self", [](D& d) { return d.grad() * d.conj(exp2(d("other"))); }},
        {"other", [](D& d) { return d.grad() * d.conj(d.value()) * std::numbers::ln2; }}}},
      {"aten.nextafter.default",
       kElementwise,
       {{"self", [](D& d) { return d.where(d("self") != d("other"), d.grad(), 0); }},
        {"other", [](D& d) { return d.zero_grad("other"); }}}},
  };
  return kRows;
}

}  // namespace fx
