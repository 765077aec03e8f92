// Decompositions of activation functions and their backward operators. Operands of a branch that
// aten.where does not choose are finite: see Decomposer::where.
#include "fx/ir/graph/context.h"
#include "fx/passes/decompose/families_internal.h"

#include <cmath>
#include <vector>

namespace fx {
namespace {

constexpr double kSqrt2 = 1.41421356237309504880;
constexpr double kSqrtHalf = 0.70710678118654752440;
constexpr double kTwoOverSqrtPi = 1.12837916709551257390;
constexpr double kGeluKappa = 0.044715;
constexpr double kGeluBeta = kSqrt2 * kTwoOverSqrtPi * 0.5;

AnyArg relu(Decomposer& d) {
  const Proxy x = d.tensor("self");
  return d.where(x <= 0, 0, x);
}
AnyArg threshold(Decomposer& d) {
  const Proxy x = d.tensor("self");
  return d.where(x <= d.number("threshold"), d.scalar("value"), x);
}
AnyArg threshold_backward(Decomposer& d) {
  const Proxy x = d.tensor("self");
  return d.where(x <= d.number("threshold"), 0, d.tensor("grad_output"));
}

// The kernels of complex numbers compute x / (1 + exp(-x)), whose zeros have other signs: a root of
// the result may lie on the other side of its branch cut.
AnyArg silu(Decomposer& d) {
  const Proxy x = d.promoted("self");
  if (is_complex(d.dtype(x))) return d.reject("complex numbers are not supported");
  return x * sigmoid(x);
}
AnyArg silu_backward(Decomposer& d) {
  const Proxy grad = d.promoted("grad_output"), x = d.promoted("self");
  if (is_complex(d.dtype(x))) return d.reject("complex numbers are not supported");
  const Proxy s = sigmoid(x);
  const Proxy scaled = grad * s;
  return scaled * (1 + x * (1 - s));
}

AnyArg sigmoid_backward(Decomposer& d) {
  const Proxy grad = d.promoted("grad_output"), y = d.promoted("output");
  if (is_complex(d.dtype(y))) return d.reject("complex numbers are not supported");
  return grad * (y * (1 - y));
}
AnyArg tanh_backward(Decomposer& d) {
  const Proxy grad = d.promoted("grad_output"), y = d.promoted("output");
  if (is_complex(d.dtype(y))) return d.reject("complex numbers are not supported");
  return grad * (1 - y * y);
}

AnyArg gelu(Decomposer& d) {
  const Proxy x = d.promoted("self");
  if (d.text("approximate") != "tanh") {
    const Proxy half = x * 0.5;
    return half * (1 + erf(x * kSqrtHalf));
  }
  const Proxy inner = kGeluBeta * (x + kGeluKappa * (x * x * x)), half = 0.5 * x;
  return half * (1 + tanh(inner));
}
AnyArg gelu_backward(Decomposer& d) {
  const Proxy grad = d.promoted("grad_output"), x = d.promoted("self");
  if (d.text("approximate") != "tanh") {
    constexpr double kBeta = kTwoOverSqrtPi * kSqrtHalf * 0.5;
    const Proxy cdf = 0.5 * (1 + erf(x * kSqrtHalf));
    const Proxy pdf = kBeta * exp(x * x * -0.5);
    return grad * (cdf + x * pdf);
  }
  const Proxy square = x * x, cube = square * x;
  const Proxy t = tanh(kGeluBeta * (x + kGeluKappa * cube));
  const Proxy left = 0.5 * x, right = 1 + t;
  const Proxy inner_derivative = kGeluBeta * (1 + 3 * kGeluKappa * square);
  const Proxy outer_derivative = 0.5 * right;
  return grad * (outer_derivative + left * (1 - t * t) * inner_derivative);
}

Proxy softplus_of(Decomposer& d, const Proxy& x, double beta, double limit) {
  const Proxy scaled = x * beta, is_linear = scaled > limit;
  return d.where(is_linear, x, log1p(exp(d.where(is_linear, 0, scaled))) / beta);
}
AnyArg softplus(Decomposer& d) {
  const double beta = d.number("beta");
  // For these values of beta, the quotient has no derivative, unlike softplus.
  if (beta == 0 || !std::isfinite(beta)) return d.reject("beta must be finite and nonzero");
  return softplus_of(d, d.promoted("self"), beta, d.number("threshold"));
}
AnyArg softplus_backward(Decomposer& d) {
  const Proxy grad = d.promoted("grad_output"), x = d.promoted("self");
  const double beta = d.number("beta");
  const Proxy product = x * beta, is_linear = product > d.number("threshold");
  const Proxy z = exp(d.where(is_linear, 0, product));
  const Proxy scaled = grad * z;
  return d.where(is_linear, grad, scaled / (z + 1.0));
}
AnyArg mish(Decomposer& d) {
  const Proxy x = d.promoted("self");
  return x * tanh(softplus_of(d, x, 1, 20));
}
AnyArg mish_backward(Decomposer& d) {
  const Proxy grad = d.promoted("grad_output"), x = d.promoted("self");
  const Proxy t = tanh(softplus_of(d, x, 1, 20));
  const Proxy silu = x * sigmoid(x), out = silu * (1 - t * t);
  return grad * (t + out);
}

AnyArg elu(Decomposer& d) {
  const Proxy x = d.promoted("self");
  const double alpha = d.number("alpha"), scale = d.number("scale");
  const Proxy is_positive = x > 0, line = scale * x, negative = d.where(is_positive, 0, x);
  return d.where(is_positive, line, (alpha * scale) * expm1(negative * d.number("input_scale")));
}
AnyArg elu_backward(Decomposer& d) {
  const Proxy grad = d.promoted("grad_output"), x = d.promoted("self_or_result");
  const double scale = d.number("scale"), input_scale = d.number("input_scale");
  const double coefficient = d.number("alpha") * scale;
  const bool is_result = d.flag("is_result");
  const Proxy is_curve = x <= 0, scaled = grad * input_scale;
  const Proxy negative = d.where(x < 0, x, 0);  // libtorch's second derivative at 0 is 0
  const Proxy factor = is_result ? scaled : scaled * coefficient;
  const Proxy curve = factor * (is_result ? negative + coefficient : exp(negative * input_scale));
  return d.where(is_curve, curve, grad * scale);
}
AnyArg celu(Decomposer& d) {
  const Proxy x = d.promoted("self");
  const double alpha = d.number("alpha");
  const Proxy is_positive = x > 0, negative = d.where(is_positive, 0, x);
  return d.where(is_positive, x, alpha * expm1(alpha == 1 ? negative : negative / alpha));
}

/// Returns `a` where the condition holds, and b * slope elsewhere.
Proxy line_or_slope(Decomposer& d, const Proxy& condition, const Proxy& a, const Proxy& b) {
  const double slope = d.number("negative_slope");
  const Proxy sloped = std::isfinite(slope) ? b : d.where(condition, 0, b);
  return d.where(condition, a, sloped * slope);
}
AnyArg leaky_relu(Decomposer& d) {
  const Proxy x = d.promoted("self");
  return line_or_slope(d, x > 0, x, x);
}
AnyArg leaky_relu_backward(Decomposer& d) {
  const Proxy grad = d.promoted("grad_output"), x = d.promoted("self");
  return line_or_slope(d, x > 0, grad, grad);
}

/// The derivative at the limits is 0; that of aten.clamp is 1.
Proxy bounded(Decomposer& d, const Proxy& x, const ScalarArg& min, const ScalarArg& max) {
  const Proxy is_low = x <= min, is_high = x >= max;
  return d.where(is_low, min, d.where(is_high, max, x));
}
AnyArg hardtanh(Decomposer& d) {
  const Proxy x = d.tensor("self");
  const ScalarArg min = d.scalar("min_val"), max = d.scalar("max_val");
  const bool is_known = !min.value().is_node() && !max.value().is_node();
  const bool is_range = is_known && d.number("min_val") <= d.number("max_val");
  return is_range && is_floating_point(d.dtype(x)) ? bounded(d, x, min, max) : clamp(x, min, max);
}
AnyArg hardtanh_backward(Decomposer& d) {
  const Proxy grad = d.promoted("grad_output"), x = d.promoted("self");
  const Proxy below = x <= d.number("min_val"), outside = below | (x >= d.number("max_val"));
  return d.where(outside, 0.0, grad);
}
AnyArg relu6(Decomposer& d) {
  const std::vector<Argument> args = {d.argument("self"), Argument(0), Argument(6)};
  return d.call_function(d.context().function("aten.hardtanh.default"), args);
}
AnyArg hardsigmoid(Decomposer& d) { return (bounded(d, d.promoted("self"), -3, 3) + 3) / 6; }
AnyArg hardsigmoid_backward(Decomposer& d) {
  const Proxy grad = d.promoted("grad_output"), x = d.promoted("self");
  const Proxy above = x > -3.0, inside = above & (x < 3.0);
  return d.where(inside, grad * (1.0 / 6.0), 0.0);
}
AnyArg hardswish(Decomposer& d) {
  const Proxy x = d.promoted("self");
  return x * (bounded(d, x, -3, 3) + 3) / 6;
}
AnyArg hardswish_backward(Decomposer& d) {
  const Proxy grad = d.promoted("grad_output"), x = d.promoted("self");
  const Proxy is_low = x <= -3, is_between = x < 3;
  const Proxy inner = bounded(d, x, -3, 3);
  return d.where(is_low, 0.0, d.where(is_between, grad * ((inner / 3) + 0.5), grad));
}
AnyArg hardshrink(Decomposer& d) {
  const Proxy x = d.tensor("self");
  return d.where(abs(x) <= d.number("lambd"), 0, x);
}
AnyArg softshrink(Decomposer& d) {
  const Proxy x = d.promoted("self");
  const double lambda = d.number("lambd");
  const Proxy is_kept = abs(x) > lambda, shrunk = x - sign(x) * lambda;
  return d.where(is_kept, shrunk, x * 0);
}

AnyArg prelu(Decomposer& d) {
  const Proxy x = d.tensor("self");
  const Proxy is_positive = x > 0;
  return d.where(is_positive, x, d.tensor("weight") * d.where(is_positive, 0, x));
}
AnyArg prelu_backward(Decomposer& d) {
  const Proxy grad = d.tensor("grad_output"), x = d.tensor("self"), weight = d.tensor("weight");
  const Proxy is_positive = x > 0, negative = d.where(is_positive, 0, x);
  const Proxy sloped = weight * d.where(is_positive, 0, grad);
  const Proxy grad_input = d.where(is_positive, grad, sloped);
  return AnyArg::tuple({grad_input, d.where(is_positive, 0.0, negative * grad)});
}

std::vector<Proxy> halves(Decomposer& d, const Proxy& x, int64_t dim) {
  const int64_t half = d.known_size(x, dim) / 2;
  return {d.slice(x, dim, 0, half), d.slice(x, dim, half, 2 * half)};
}
AnyArg glu(Decomposer& d) {
  const Proxy x = d.promoted("self");
  const std::vector<Proxy> parts = halves(d, x, d.wrapped(d.integer("dim"), d.rank(x)));
  return parts[0] * sigmoid(parts[1]);
}
AnyArg glu_backward(Decomposer& d) {
  const Proxy grad = d.promoted("grad_output"), x = d.promoted("self");
  const int64_t dim = d.wrapped(d.integer("dim"), d.rank(x));
  const std::vector<Proxy> parts = halves(d, x, dim);
  const Proxy gate = sigmoid(parts[1]);
  return cat({gate * grad, (1.0 - gate) * gate * parts[0] * grad}, dim);
}

AnyArg log_sigmoid_forward(Decomposer& d) {
  const Proxy x = d.promoted("self");
  if (d.type(x).device().type != DeviceType::kCpu)
    return d.reject("only the CPU's buffer is supported");
  const Proxy low = minimum(d.scalar_tensor(0, x), x);
  const Proxy z = exp(-abs(x));
  return AnyArg::tuple({low - log1p(z), z});
}
AnyArg log_sigmoid_backward(Decomposer& d) {
  const Proxy grad = d.promoted("grad_output"), x = d.promoted("self");
  const Proxy negative = x < 0;
  const Proxy one = d.scalar_tensor(1, x), zero = d.scalar_tensor(0, x);
  const Proxy max_derivative = d.where(negative, one, zero);
  const Proxy sign = d.where(negative, one, d.scalar_tensor(-1, x));
  // The buffer has the value of z, but not its derivative; that of abs(x) at 0 is 0.
  const Proxy z = exp(d.where(negative, x, -x));
  return grad * (max_derivative - sign * (z / (1 + z)));
}

AnyArg logit(Decomposer& d) {
  Proxy x = d.promoted("self");
  if (!d.is_none("eps")) {
    const double low = d.number("eps"), high = 1.0 - low;
    // If the bounds are exchanged, the kernel tests the lower one first, unlike clamp.
    x = low <= high ? clamp(x, low, high)
                    : d.where(x < low, d.scalar_tensor(low, x), clamp_max(x, high));
  }
  return log(x / (1 - x));
}
AnyArg logit_backward(Decomposer& d) {
  const Proxy grad = d.promoted("grad_output"), x = d.promoted("self");
  const bool has_eps = !d.is_none("eps");
  const double low = has_eps ? d.number("eps") : 0.0;
  const Proxy below = x < low, outside = logical_or(below, x > 1.0 - low);
  const Proxy inner = d.where(outside, 0.5, x + 0);  // -0.0 is taken for 0
  return d.where(outside, has_eps ? 0.0 : std::nan(""), grad / (inner * (1.0 - inner)));
}

}  // namespace

absl::Span<const DecompositionRow> activation_decompositions() {
  static constexpr DecompositionRow kRows[] = {
      {"aten.celu.default", celu, kCore},
      {"aten.elu.default", elu, kByName},
      {"aten.elu_backward.default", elu_backward, kCore},
      {"aten.gelu.default", gelu, kByName},
      {"aten.gelu_backward.default", gelu_backward, kCore},
      {"aten.glu.default", glu, kCore},
      {"aten.glu_backward.default", glu_backward, kCore},
      {"aten.hardshrink.default", hardshrink, kCore},
      {"aten.hardsigmoid.default", hardsigmoid, kCore},
      {"aten.hardsigmoid_backward.default", hardsigmoid_backward, kCore},
      {"aten.hardswish.default", hardswish, kCore},
      {"aten.hardswish_backward.default", hardswish_backward, kCore},
      {"aten.hardtanh.default", hardtanh, kByName},
      {"aten.hardtanh_backward.default", hardtanh_backward, kCore},
      {"aten.leaky_relu.default", leaky_relu, kByName},
      {"aten.leaky_relu_backward.default", leaky_relu_backward, kCore},
      {"aten.log_sigmoid_backward.default", log_sigmoid_backward, kCore},
      {"aten.log_sigmoid_forward.default", log_sigmoid_forward, kCore},
      {"aten.logit.default", logit, kCore},
      {"aten.logit_backward.default", logit_backward, kCore},
      {"aten.mish.default", mish, kCore},
      {"aten.mish_backward.default", mish_backward, kCore},
      {"aten._prelu_kernel.default", prelu, kCore},
      {"aten._prelu_kernel_backward.default", prelu_backward, kCore},
      {"aten.relu.default", relu, kByName},
      {"aten.relu6.default", relu6, kCore},
      {"aten.sigmoid_backward.default", sigmoid_backward, kCore},
      {"aten.silu.default", silu, kCore},
      {"aten.silu_backward.default", silu_backward, kCore},
      {"aten.softplus.default", softplus, kCore},
      {"aten.softplus_backward.default", softplus_backward, kCore},
      {"aten.softshrink.default", softshrink, kCore},
      {"aten.tanh_backward.default", tanh_backward, kCore},
      {"aten.threshold.default", threshold, kCore},
      {"aten.threshold_backward.default", threshold_backward, kCore},
  };
  return kRows;
}

}  // namespace fx
