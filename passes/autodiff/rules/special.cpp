// Special functions, samples of parameterized distributions, and distances.
#include "fx/passes/autodiff/rules_internal.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

namespace fx {
namespace {

// ---- log(cumsum(exp(x)))

Proxy logs_from_end(D& d, const Proxy& x, int64_t dim) {
  return flip(d.emit("aten.logcumsumexp.default", {flip(x, {dim}), dim}), {dim});
}
/// Computes in logarithmic space, separately for positive and negative gradients.
AnyArg logcumsumexp_grad(D& d) {
  const Proxy g = d.grad(), x = d("self"), y = d.value();
  if (d.rank(x) == 0 || d.is_empty(x)) return g;
  const int64_t dim = d.wrapped(d.integer("dim"), d.rank(x));
  const auto sums = [&](const Proxy& logs) { return exp(logs_from_end(d, logs - y, dim) + x); };
  if (d.is_complex(x)) return d.conj(sums(log(d.conj(g))));
  // `none` is finite, so that second derivatives are not NaN.
  const DType dtype = d.dtype(g);
  const double none = dtype == DType::kFloat64   ? std::numeric_limits<double>::lowest()
                      : dtype == DType::kFloat16 ? -65504.0
                                                 : -3.3e38;
  const Proxy positive = sums(d.where(g > 0, log(g), none));
  const Proxy negative = sums(d.where(g < 0, log(neg(g)), none));
  return positive - negative;
}
AnyArg logcumsumexp_tangent(D& d) {
  const Proxy x = d("self"), t = d.tangent("self");
  if (d.rank(x) == 0 || d.is_empty(x)) return t;
  const int64_t dim = d.wrapped(d.integer("dim"), d.rank(x));
  const Proxy largest = d.emit("aten.amax.default", {d.real(x), IntList({dim}), true});
  const Proxy finite = d.where(abs(largest) == INFINITY, 0.0, largest);
  const Proxy terms = exp(x - finite);
  const auto sums = [&](const Proxy& values) {
    return d.emit("aten.cumsum.default", {values, dim});
  };
  return sums(terms * t) / sums(terms);
}

// ---- Gamma and zeta functions

Proxy igamma_slope(D& d) {
  const Proxy a = d("self"), x = d("other");
  return d.grad() * exp((a - 1) * log(x) - x - lgamma(a));
}
AnyArg zeta_slope_of_scalar(D& d) {
  const double s = d.number("self");
  return d.grad() * -s * d.emit("aten.special_zeta.self_scalar", {s + 1, d("other")});
}
AnyArg xlog1py_self(D& d) {
  const Proxy g =
      d.emit("aten.special_xlog1py.other_scalar", {d.grad(), AnyArg(d.scalar("other"))});
  return d.number("other") > -1 ? g : masked_fill(g, d("self") == 0.0, 0.0);
}

// ---- Norms of slices

AnyArg renorm_grad(D& d) {
  const Proxy x = d("self"), g = d.grad();
  const double p = d.number("p"), limit = d.number("maxnorm");
  const int64_t rank = d.rank(x), dim = d.wrapped(d.integer("dim"), rank);
  std::vector<int64_t> other_dims;
  for (int64_t i = 0; i < rank; ++i)
    if (i != dim) other_dims.push_back(i);
  const Proxy norm = d.emit("aten.linalg_vector_norm.default", {x, p, IntList(other_dims), true});
  const Proxy along = sum(d.real(d.conj(x) * g), other_dims, true);
  // The derivative of the norm with respect to x.
  Proxy slope;
  if (p == 1) {
    slope = sgn(x);
  } else if (p == 2) {
    slope = x * masked_fill(reciprocal(norm), norm == 0, 0);
  } else if (std::isinf(p)) {
    const Proxy is_max = abs(x) == norm;
    slope = sgn(x) * (is_max / sum(is_max, other_dims, true));
  } else {
    const Proxy size = abs(x);
    const Proxy powers =
        p < 2 ? sgn(x) * masked_fill(pow(size, p - 1), size == 0, 0) : x * pow(size, p - 2);
    slope = powers * masked_fill(reciprocal(pow(norm, p - 1)), norm == 0, 0);
  }
  const Proxy inverse = reciprocal(norm + 1e-7);
  const Proxy scaled = inverse * limit * (g - inverse * (along * slope));
  return fx::where(norm > limit, scaled, g);
}

// ---- Distances

AnyArg euclidean_grads(D& d) {
  const Proxy a = d("x1"), b = d("x2"), y = d.value();
  const Proxy ratio = masked_fill(d.grad() / y, y == 0, 0);
  const Proxy a_grad = a * sum(ratio, {-1}, true) - matmul(ratio, b);
  const Proxy b_grad = b * unsqueeze(sum(ratio, {-2}), -1) - matmul(transpose(ratio, -2, -1), a);
  return AnyArg::tuple({a_grad, b_grad});
}
AnyArg pdist_grad(D& d) {
  return d.emit("aten._pdist_backward.default", {d.grad(), d("self"), d.number("p"), d.value()});
}

AnyArg rrelu_grad(D& d) {
  return d.emit("aten.rrelu_with_noise_backward.default",
                {d.grad(0), d("self"), d.value(1), AnyArg(d.argument("lower")),
                 AnyArg(d.argument("upper")), d.flag("training"), false});
}

AnyArg ctc_grad(D& d, std::string_view op) {
  if (!d.grad(0).defined()) return Proxy();
  return d.emit(op, {d.grad(0), d("log_probs"), d("targets"), argument_of(d, "input_lengths"),
                     argument_of(d, "target_lengths"), d.value(0), d.value(1), d.integer("blank"),
                     d.flag("zero_infinity")});
}

}  // namespace

absl::Span<const DerivativeRow> special_derivatives() {
  static constexpr DerivativeRow kRows[] = {
      {"aten.logcumsumexp.default", kFunction, {{"self", logcumsumexp_grad}}, logcumsumexp_tangent},
      {"aten.igamma.default",
       kElementwise,
       {{"self", unknown_derivative}, {"other", [](D& d) { return igamma_slope(d); }}}},
      {"aten.igammac.default",
       kElementwise,
       {{"self", unknown_derivative}, {"other", [](D& d) { return neg(igamma_slope(d)); }}}},
      {"aten.special_zeta.self_scalar", kElementwise, {{"other", zeta_slope_of_scalar}}},
      {"aten.special_zeta.other_scalar", kElementwise, {{"self", unknown_derivative}}},
      {"aten.special_xlog1py.self_scalar",
       kElementwise,
       {{"other", [](D& d) { return d.grad() * d.scalar("self") / (d("other") + 1); }}}},
      {"aten.special_xlog1py.other_scalar", kElementwise, {{"self", xlog1py_self}}},
      {"aten._standard_gamma.default",
       kElementwise,
       {{"self",
         [](D& d) {
           return d.grad() * d.emit("aten._standard_gamma_grad.default", {d("self"), d.value()});
         }}}},
      {"aten.normal.Tensor_float",
       kElementwise,
       {{"mean", [](D& d) { return d.zero_grad("mean"); }}}},
      {"aten.normal.float_Tensor",
       kElementwise,
       {{"std", [](D& d) { return d.zero_grad("std"); }}}},
      {"aten.normal.Tensor_Tensor",
       kElementwise,
       {{"mean", [](D& d) { return d.zero_grad("mean"); }},
        {"std", [](D& d) { return d.zero_grad("std"); }}}},
      {"aten.renorm.default", kTransposed, {{"self", renorm_grad}}},
      {"aten._euclidean_dist.default", kTransposed, {{"x1, x2", euclidean_grads}}},
      {"aten._pdist_forward.default", kTransposed, {{"self", pdist_grad}}},
      {"aten.rrelu_with_noise_functional.default", kTransposed, {{"self", rrelu_grad}}},
      {"aten._ctc_loss.default",
       kTransposed,
       {{"log_probs", [](D& d) { return ctc_grad(d, "aten._ctc_loss_backward.default"); }}}},
      {"aten._ctc_loss.Tensor",
       kTransposed,
       {{"log_probs", [](D& d) { return ctc_grad(d, "aten._ctc_loss_backward.Tensor"); }}}},
  };
  return kRows;
}

}  // namespace fx
