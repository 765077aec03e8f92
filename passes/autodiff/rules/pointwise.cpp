// Elementwise functions of one tensor.
#include "fx/passes/autodiff/rules_internal.h"

#include <cmath>
#include <complex>
#include <numbers>

namespace fx {
namespace {

double two_over_sqrt_pi() { return 2.0 / std::sqrt(std::numbers::pi); }

AnyArg no_slope(D& d) { return d.zero_grad("self"); }

AnyArg sgn_grad(D& d) {
  const Proxy x = d("self"), g = d.grad();
  if (!d.is_complex(x)) return d.zero_grad("self");
  const Proxy y = d.value(), length = abs(x);
  return d.where(length == 0.0, 0, (g / length) - (real(g / sgn(x)) * y / length));
}
AnyArg sgn_tangent(D& d) {
  const Proxy x = d("self"), t = d.tangent("self");
  if (!d.is_complex(x)) return Proxy();
  const Proxy y = d.value(), length = abs(x);
  return d.where(length == 0.0, 0, (t / length) - (real(t / sgn(x)) * y / length));
}
/// y = |x| is also real for complex x.
AnyArg abs_grad(D& d) { return d.grad() * sgn(d("self")); }
AnyArg abs_tangent(D& d) { return d.real(d.conj(d.tangent("self")) * sgn(d("self"))); }
AnyArg angle_grad(D& d) {
  const Proxy x = d("self"), g = d.grad();
  if (!d.is_complex(x)) return d.zero_grad("self");
  const Proxy length = abs(x);
  const Proxy direction = (x / length) * std::complex<double>(0.0, 1.0);
  return d.where(length == 0.0, 0, g * (direction / length));
}
AnyArg angle_tangent(D& d) {
  const Proxy x = d("self");
  if (!d.is_complex(x)) return Proxy();
  const Proxy length = abs(x);
  const Proxy direction = (x / length) * std::complex<double>(0.0, 1.0);
  return d.real(d.where(length == 0.0, 0, d.conj(d.tangent("self")) * (direction / length)));
}

AnyArg acosh_grad(D& d) {
  const Proxy x = d("self");
  if (d.is_complex(x)) return d.grad() * d.conj(rsqrt(x + 1) * rsqrt(x - 1));
  return d.grad() * rsqrt(x * x - 1);
}

AnyArg nan_to_num_grad(D& d) {
  const Proxy x = d("self");
  const Proxy is_odd = logical_or(isinf(x), isnan(x));
  return masked_fill(d.grad(), is_odd, 0);
}

AnyArg logit_grad(D& d) {
  const Proxy x = d("self"), g = d.grad();
  if (!d.is_readable() && !d.is_none("eps"))
    return d.emit("aten.logit_backward.default", {g, x, AnyArg(d.argument("eps"))});
  if (d.is_none("eps")) {
    const Proxy is_inside = logical_and(x >= 0.0, x <= 1.0);
    return d.where(is_inside, g / (x * (1.0 - x)), NAN);
  }
  const double eps = d.number("eps");
  const Proxy is_inside = logical_and(x >= eps, x <= 1.0 - eps);
  return d.where(is_inside, g / (x * (1.0 - x)), 0.0);
}

AnyArg sinc_grad(D& d) {
  const double pi = std::numbers::pi;
  const Proxy x = d("self"), angle = x * pi;
  const Proxy slope = d.conj(((angle * cos(angle)) - sin(angle)) / (angle * x));
  return d.where(x == 0.0, 0, d.grad() * slope);
}

AnyArg i1_grad(D& d) {
  const Proxy x = d("self");
  const Proxy is_nonzero = abs(x) > 2.2250738585072014e-308;
  const Proxy safe = d.where(is_nonzero, x, 1.0);
  const Proxy slope = i0(safe) - (d.value() * reciprocal(safe));
  return d.grad() * d.where(is_nonzero, slope, 0.5);
}
AnyArg i1e_grad(D& d) {
  const Proxy x = d("self"), y = d.value();
  const Proxy is_nonzero = abs(x) > 2.2250738585072014e-308;
  const Proxy safe = d.where(is_nonzero, x, 1.0);
  const Proxy slope =
      d.emit("aten.special_i0e.default", {safe}) - y * (sgn(safe) + reciprocal(safe));
  return d.grad() * d.where(is_nonzero, slope, 0.5);
}

AnyArg polygamma_grad(D& d) {
  return d.grad() * d.emit("aten.polygamma.default", {d.integer("n") + 1, d("self")});
}

/// For operators that change the sizes, dtype or memory of a tensor, but not its values.
AnyArg unchanged(D& d) { return d.grad(); }

}  // namespace

absl::Span<const DerivativeRow> pointwise_derivatives() {
  static constexpr DerivativeRow kRows[] = {
      {"aten.abs.default", kFunction, {{"self", abs_grad}}, abs_tangent},
      {"aten.sgn.default", kFunction, {{"self", sgn_grad}}, sgn_tangent},
      {"aten.angle.default", kFunction, {{"self", angle_grad}}, angle_tangent},
      {"aten.neg.default", kElementwise, {{"self", [](D& d) { return neg(d.grad()); }}}},
      {"aten.reciprocal.default",
       kElementwise,
       {{"self", [](D& d) { return neg(d.grad()) * d.conj(d.value() * d.value()); }}}},
      {"aten.square.default",
       kElementwise,
       {{"self", [](D& d) { return d.grad() * d.conj(d("self") * 2); }}}},
      {"aten.sqrt.default",
       kElementwise,
       {{"self", [](D& d) { return d.grad() / (d.conj(d.value()) * 2); }}}},
      {"aten.rsqrt.default",
       kElementwise,
       {{"self", [](D& d) { return (d.grad() * -0.5) * d.conj(pow(d.value(), 3)); }}}},
      // Exponentials and logarithms
      {"aten.exp.default",
       kElementwise,
       {{"self", [](D& d) { return d.grad() * d.conj(d.value()); }}}},
      {"aten.exp2.default",
       kElementwise,
       {{"self", [](D& d) { return d.grad() * d.conj(d.value()) * std::numbers::ln2; }}}},
      {"aten.expm1.default",
       kElementwise,
       {{"self", [](D& d) { return d.grad() * (d.conj(d.value()) + 1); }}}},
      {"aten.log.default",
       kElementwise,
       {{"self", [](D& d) { return d.grad() / d.conj(d("self")); }}}},
      {"aten.log10.default",
       kElementwise,
       {{"self", [](D& d) { return d.grad() / (d.conj(d("self")) * 2.3025850929940456); }}}},
      {"aten.log2.default",
       kElementwise,
       {{"self", [](D& d) { return d.grad() / (d.conj(d("self")) * 0.6931471805599453); }}}},
      {"aten.log1p.default",
       kElementwise,
       {{"self", [](D& d) { return d.grad() / d.conj(d("self") + 1); }}}},
      {"aten.logit.default", kElementwise, {{"self", logit_grad}}},
      {"aten.special_entr.default",
       kElementwise,
       {{"self", [](D& d) { return d.grad() * neg(log(d("self")) + 1); }}}},
      // Circular and hyperbolic functions
      {"aten.sin.default",
       kElementwise,
       {{"self", [](D& d) { return d.grad() * d.conj(cos(d("self"))); }}}},
      {"aten.cos.default",
       kElementwise,
       {{"self", [](D& d) { return d.grad() * d.conj(neg(sin(d("self")))); }}}},
      {"aten.tan.default",
       kElementwise,
       {{"self", [](D& d) { return d.grad() * d.conj(pow(d.value(), 2) + 1); }}}},
      {"aten.sinh.default",
       kElementwise,
       {{"self", [](D& d) { return d.grad() * d.conj(cosh(d("self"))); }}}},
      {"aten.cosh.default",
       kElementwise,
       {{"self", [](D& d) { return d.grad() * d.conj(sinh(d("self"))); }}}},
      {"aten.asin.default",
       kElementwise,
       {{"self", [](D& d) { return d.grad() * d.conj(rsqrt(neg(d("self")) * d("self") + 1)); }}}},
      {"aten.acos.default",
       kElementwise,
       {{"self",
         [](D& d) { return d.grad() * d.conj(neg(rsqrt(neg(d("self")) * d("self") + 1))); }}}},
      {"aten.atan.default",
       kElementwise,
       {{"self", [](D& d) { return d.grad() / d.conj(d("self") * d("self") + 1); }}}},
      {"aten.asinh.default",
       kElementwise,
       {{"self", [](D& d) { return d.grad() * d.conj(rsqrt(pow(d("self"), 2) + 1)); }}}},
      {"aten.acosh.default", kElementwise, {{"self", acosh_grad}}},
      {"aten.atanh.default",
       kElementwise,
       {{"self", [](D& d) { return d.grad() / d.conj(1 - pow(d("self"), 2)); }}}},
      {"aten.sinc.default", kElementwise, {{"self", sinc_grad}}},
      {"aten.deg2rad.default",
       kElementwise,
       {{"self", [](D& d) { return d.grad() * (std::numbers::pi / 180.0); }}}},
      {"aten.rad2deg.default",
       kElementwise,
       {{"self", [](D& d) { return d.grad() * (180.0 / std::numbers::pi); }}}},
      // Special functions
      {"aten.erf.default",
       kElementwise,
       {{"self",
         [](D& d) { return (exp(neg(pow(d("self"), 2))) * two_over_sqrt_pi()) * d.grad(); }}}},
      {"aten.erfc.default",
       kElementwise,
       {{"self",
         [](D& d) { return (exp(neg(pow(d("self"), 2))) * -two_over_sqrt_pi()) * d.grad(); }}}},
      {"aten.special_erfcx.default",
       kElementwise,
       {{"self",
         [](D& d) { return ((d("self") * 2.0) * d.value() - two_over_sqrt_pi()) * d.grad(); }}}},
      {"aten.erfinv.default",
       kElementwise,
       {{"self",
         [](D& d) {
           return (exp(pow(d.value(), 2)) * (0.5 * std::sqrt(std::numbers::pi))) * d.grad();
         }}}},
      {"aten.lgamma.default",
       kElementwise,
       {{"self", [](D& d) { return d.grad() * digamma(d("self")); }}}},
      {"aten.digamma.default",
       kElementwise,
       {{"self",
         [](D& d) { return d.grad() * d.emit("aten.polygamma.default", {1, d("self")}); }}}},
      {"aten.polygamma.default", kElementwise, {{"self", polygamma_grad}}},
      {"aten.mvlgamma.default",
       kElementwise,
       {{"self",
         [](D& d) {
           const Proxy x = d("self");
           const auto p = static_cast<double>(d.integer("p"));
           const Proxy offsets = d.emit("aten.arange.start_step", {-p / 2.0 + 0.5, 0.5, 0.5},
                                        {{"dtype", d.dtype(x)}, {"device", d.type(x).device()}});
           return d.grad() * sum(digamma(unsqueeze(x, -1) + offsets), {-1});
         }}}},
      {"aten.i0.default",
       kElementwise,
       {{"self", [](D& d) { return d.grad() * d.emit("aten.special_i1.default", {d("self")}); }}}},
      {"aten.special_i0e.default",
       kElementwise,
       {{"self",
         [](D& d) {
           return d.grad() *
                  (d.emit("aten.special_i1e.default", {d("self")}) - sgn(d("self")) * d.value());
         }}}},
      {"aten.special_i1.default", kElementwise, {{"self", i1_grad}}},
      {"aten.special_i1e.default", kElementwise, {{"self", i1e_grad}}},
      {"aten.special_ndtri.default",
       kElementwise,
       {{"self",
         [](D& d) {
           return d.grad() * std::sqrt(2 * std::numbers::pi) * exp(pow(d.value(), 2) / 2);
         }}}},
      {"aten.special_log_ndtr.default",
       kElementwise,
       {{"self",
         [](D& d) {
           return d.grad() / std::sqrt(2 * std::numbers::pi) *
                  exp(neg(d.value() + pow(d("self"), 2) / 2));
         }}}},
      // Step functions
      {"aten.ceil.default", kElementwise, {{"self", no_slope}}},
      {"aten.floor.default", kElementwise, {{"self", no_slope}}},
      {"aten.round.default", kElementwise, {{"self", no_slope}}},
      {"aten.round.decimals", kElementwise, {{"self", no_slope}}},
      {"aten.trunc.default", kElementwise, {{"self", no_slope}}},
      {"aten.sign.default", kElementwise, {{"self", no_slope}}},
      {"aten.floor_divide.default", kElementwise, {{"self", no_slope}}},
      {"aten.frac.default", kElementwise, {{"self", unchanged}}},
      {"aten.nan_to_num.default", kElementwise, {{"self", nan_to_num_grad}}},
      // Complex numbers
      {"aten._conj.default", kLinear, {{"self", [](D& d) { return d.conj(d.grad()); }}}},
      {"aten._conj_physical.default", kLinear, {{"self", [](D& d) { return d.conj(d.grad()); }}}},
      {"aten.conj.default", kLinear, {{"self", [](D& d) { return d.conj(d.grad()); }}}},
      {"aten.conj_physical.default", kLinear, {{"self", [](D& d) { return d.conj(d.grad()); }}}},
      {"aten.resolve_conj.default", kLinear, {{"self", unchanged}}},
      {"aten.resolve_neg.default", kLinear, {{"self", unchanged}}},
      {"aten._neg_view.default", kLinear, {{"self", [](D& d) { return neg(d.grad()); }}}},
      {"aten.view_as_real.default",
       kLinear,
       {{"self", [](D& d) { return view_as_complex(d.grad().contiguous()); }}}},
      {"aten.view_as_complex.default",
       kLinear,
       {{"self", [](D& d) { return view_as_real(d.grad().contiguous()); }}}},
      {"aten.real.default", kLinear, {{"self", unchanged}}},
      {"aten.imag.default",
       kLinear,
       {{"self",
         [](D& d) {
           const Proxy g = d.grad();
           return d.is_complex(d("self")) ? g * std::complex<double>(0, 1) : g;
         }}}},
      // Copies
      {"aten.clone.default", kLinear, {{"self", unchanged}}},
      {"aten.contiguous.default", kLinear, {{"self", unchanged}}},
      {"aten.alias_copy.default", kLinear, {{"self", unchanged}}},
      {"aten.frexp.Tensor",
       kTransposed,
       {{"self", [](D& d) { return d.grad(0) / exp2(d.value(1)); }}}},
      {"aten.alias.default", kLinear, {{"self", unchanged}}},
      {"aten.lift_fresh_copy.default", kLinear, {{"self", unchanged}}},
      {"aten.lift_fresh.default", kLinear, {{"self", unchanged}}},
      {"aten._to_copy.default", kLinear, {{"self", unchanged}}},
      {"aten.to.dtype", kLinear, {{"self", unchanged}}},
      {"aten.copy.default",
       kLinear,
       {{"self", [](D& d) { return d.zero_grad("self"); }}, {"src", unchanged}}},
      {"aten.fill.Scalar", kTransposed, {{"self", no_slope}}},
      {"aten.fill.Tensor",
       kTransposed,
       {{"self", no_slope}, {"value", [](D& d) { return d.sum_all(d.grad()); }}}},
  };
  return kRows;
}

}  // namespace fx
