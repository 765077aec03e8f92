// Decompositions of losses and their backward operators. Operands of a branch that aten.where does
// not choose are finite: see Decomposer::where.
#include "fx/passes/decompose/families_internal.h"

#include <algorithm>
#include <cmath>

namespace fx {
namespace {

enum Reduction : int64_t { kNone = 0, kMean = 1, kSum = 2 };  // libtorch's values

IntList no_dims() { return IntList(std::vector<int64_t>()); }

/// Returns `times` divided by the number of elements if the loss is a mean; otherwise `times`.
ScalarArg mean_factor(Decomposer& d, const Proxy& x, double times) {
  if (d.integer("reduction") != kMean) return times;
  return d.quotient(times, d.numel(x));
}

AnyArg l1_loss(Decomposer& d) {
  // The result of complex operands is real.
  const Proxy x = d.tensor("self"), y = d.tensor("target"), loss = abs(x - y);
  return d.reduce_loss(loss, d.integer("reduction"));
}
AnyArg mse_loss(Decomposer& d) {
  const Proxy x = d.promoted("self"), y = d.promoted("target"), loss = pow(x - y, 2);
  return d.reduce_loss(loss, d.integer("reduction"));
}
AnyArg mse_loss_backward(Decomposer& d) {
  const Proxy grad = d.promoted("grad_output"), x = d.promoted("self"), y = d.promoted("target");
  const Proxy difference = x - y;
  return difference * mean_factor(d, x, 2.0) * grad;
}

AnyArg smooth_l1_loss(Decomposer& d) {
  const Proxy x = d.promoted("self"), y = d.promoted("target"), loss = abs(x - y);
  const double beta = d.number("beta");
  if (beta == 0) return d.reduce_loss(loss, d.integer("reduction"));
  const Proxy is_small = loss < beta, curve = 0.5 * pow(d.where(is_small, loss, 0), 2) / beta;
  return d.reduce_loss(d.where(is_small, curve, loss - 0.5 * beta), d.integer("reduction"));
}
/// Returns scaled * x / divisor between -limit and limit, and -edge or edge outside, as the kernels
/// do: NaN is inside, and 0 is below a limit of 0.
Proxy limited_slope(Decomposer& d, const Proxy& x, double limit, const Proxy& edge,
                    const Proxy& scaled, double divisor) {
  const Proxy is_low = x <= -limit, is_high = x >= limit;
  const Proxy curve = scaled * d.where(is_low | is_high, 0, x);
  return d.where(is_low, -edge, d.where(is_high, edge, divisor == 1 ? curve : curve / divisor));
}
AnyArg smooth_l1_loss_backward(Decomposer& d) {
  const Proxy grad = d.promoted("grad_output"), input = d.promoted("self");
  const Proxy x = input - d.promoted("target");
  const double beta = d.number("beta");
  const Proxy scaled = grad * mean_factor(d, x, 1.0);
  return limited_slope(d, x, beta, scaled, scaled, beta == 0 ? 1 : beta);
}
AnyArg huber_loss(Decomposer& d) {
  const Proxy x = d.promoted("self"), y = d.promoted("target"), z = abs(x - y);
  const double delta = d.number("delta");
  const Proxy is_small = z < delta, small = d.where(is_small, z, 0);
  const Proxy curve = 0.5 * small * small;
  const Proxy large = std::isfinite(delta) ? z : d.where(is_small, 0, z);
  const Proxy line = delta * (large - 0.5 * delta);
  return d.reduce_loss(d.where(is_small, curve, line), d.integer("reduction"));
}
AnyArg huber_loss_backward(Decomposer& d) {
  const Proxy grad = d.promoted("grad_output"), input = d.promoted("self");
  const Proxy x = input - d.promoted("target");
  const double delta = d.number("delta");
  const Proxy scaled = grad * mean_factor(d, x, 1.0);
  if (std::isinf(delta)) return scaled * x;
  return limited_slope(d, x, delta, scaled * delta, scaled, 1);
}

AnyArg soft_margin_loss(Decomposer& d) {
  const Proxy x = d.promoted("self"), y = d.promoted("target");
  return d.reduce_loss(log1p(exp(-x * y)), d.integer("reduction"));
}
AnyArg soft_margin_loss_backward(Decomposer& d) {
  const Proxy grad = d.promoted("grad_output"), x = d.promoted("self"), y = d.promoted("target");
  const Proxy scaled = y * grad, slope = scaled * (sigmoid(y * x) - 1);
  return slope * mean_factor(d, x, 1.0);
}

AnyArg binary_cross_entropy(Decomposer& d) {
  const Proxy x = d.promoted("self"), y = d.promoted("target");
  const Proxy weight = d.optional_tensor("weight"), least = d.scalar_tensor(-100, x);
  // The derivative is (x - y) / max(x (1 - x), 1e-12). Near 0 and 1, a product whose value is 0 has
  // this derivative, and the logarithms are constants.
  constexpr double kLeast = 1e-12;
  const Proxy is_near = x * (1 - x) < kLeast, fixed = d.emit("aten.detach.default", {x});
  const Proxy inner = d.where(is_near, fixed, x), zero = d.where(is_near, x - fixed, 0);
  const Proxy other = y - 1, of_other = other * maximum(log1p(-inner), least);
  const Proxy inside = of_other - y * maximum(log(inner), least);
  Proxy loss = inside - zero * ((y - fixed) / kLeast);
  if (weight.defined()) loss = loss * weight;
  return d.reduce_loss(loss, d.integer("reduction"));
}
AnyArg binary_cross_entropy_backward(Decomposer& d) {
  const Proxy grad = d.promoted("grad_output"), x = d.promoted("self"), y = d.promoted("target");
  const Proxy weight = d.optional_tensor("weight");
  const Proxy scaled = grad * (x - y);
  Proxy result = scaled / clamp(x * (1 - x), 1e-12);
  if (weight.defined()) result = result * weight;
  return d.integer("reduction") == kMean ? result / d.numel(x) : result;
}
AnyArg binary_cross_entropy_with_logits(Decomposer& d) {
  const Proxy x = d.tensor("self"), y = d.tensor("target");
  const Proxy weight = d.optional_tensor("weight"), positive = d.optional_tensor("pos_weight");
  const Proxy low = minimum(d.scalar_tensor(0, x), x), log_sigmoid = low - log1p(exp(-abs(x)));
  const Proxy of_other = (1 - y) * x;
  Proxy loss = positive.defined() ? of_other - ((positive - 1) * y + 1) * log_sigmoid
                                  : of_other - log_sigmoid;
  if (weight.defined()) loss = loss * weight;
  return d.reduce_loss(loss, d.integer("reduction"));
}

// ---- Negative log likelihood; classes are dimension 1 (0 for a single sample)

struct Classes {
  int64_t dim;
  Proxy valid;   ///< true where the target is not ignored
  Proxy target;  ///< the target, 0 where it is ignored
};
Classes classes_of(Decomposer& d, const Proxy& x, const Proxy& target) {
  const Proxy valid = target != d.integer("ignore_index");
  return {d.rank(x) < 2 ? 0 : 1, valid, d.where(valid, target, 0)};
}
/// Returns the weights of the classes, reshaped to broadcast over the input.
Proxy broadcast(Decomposer& d, const Proxy& weight, const Proxy& x, int64_t dim) {
  if (d.rank(x) == 0) return weight;
  std::vector<IntArg> sizes(static_cast<size_t>(d.rank(x)), IntArg(1));
  sizes[static_cast<size_t>(dim)] = d.size(weight, 0);
  return d.reshape(weight, sizes);
}

AnyArg nll_loss_forward(Decomposer& d) {
  const Proxy input = d.tensor("self"), weight = d.optional_tensor("weight");
  const int64_t reduction = d.integer("reduction");
  if (d.rank(input) == 0) return d.reject("a 0-dimensional input is not supported");
  const Classes classes = classes_of(d, input, d.tensor("target"));
  const int64_t dim = classes.dim;
  const Proxy w = weight.defined() ? broadcast(d, weight, input, dim) : Proxy();
  const Proxy x = weight.defined() ? input * w : input;
  const Proxy index = unsqueeze(classes.target, dim);
  const auto picked = [&](const Proxy& values) {
    return squeeze(gather(values, dim, index), {dim});
  };
  Proxy result = d.where(classes.valid, -picked(x), 0);
  if (reduction == kNone && d.rank(input) > 1)
    return AnyArg::tuple({result, d.full({}, 0.0, input, d.dtype(input))});
  Proxy total;
  if (weight.defined()) {
    const Proxy all = w.expand(d.sizes(input));
    total = sum(d.where(classes.valid, picked(all), 0), no_dims());
  } else {
    total = d.cast(sum(classes.valid, no_dims()), d.dtype(input));
  }
  if (reduction != kNone) result = sum(result, no_dims());
  if (reduction == kMean) result = result / total;
  return AnyArg::tuple({result, total});
}

AnyArg nll_loss_backward(Decomposer& d) {
  Proxy grad = d.tensor("grad_output"), target = d.tensor("target");
  const Proxy x = d.tensor("self"), weight = d.optional_tensor("weight");
  if (d.integer("reduction") == kMean) grad = grad / d.tensor("total_weight");
  if (d.rank(x) == 1 && d.rank(target) > 0) target = select(target, 0, 0);
  const int64_t dim = d.rank(x) < 2 ? 0 : 1;
  target = unsqueeze(target, dim);
  const Classes classes = classes_of(d, x, target);
  const Proxy is_target = scatter(d.zeros(d.sizes(x), x), dim, classes.target, 1.0) != 0;
  if (d.rank(x) > d.rank(grad) && d.rank(grad) > 0) grad = unsqueeze(grad, dim);
  if (weight.defined()) grad = grad * broadcast(d, weight, x, dim);
  // An infinite gradient, or NaN if the total weight is 0, is one of the targets' elements only.
  return d.where(logical_and(is_target, classes.valid), -grad, 0);
}

// ---- Distances, computed like their kernels (ATen/native/Distance.cpp, Loss.cpp)

AnyArg cosine_similarity(Decomposer& d) {
  const DType dtype = d.result().dtype();
  const Proxy x = d.cast(d.tensor("x1"), dtype), y = d.cast(d.tensor("x2"), dtype);
  const int64_t rank = d.rank(x);
  if (rank == 0 || d.rank(y) != rank)
    return d.reject("both tensors must have the same number of dimensions");
  const int64_t dim = d.wrapped(d.integer("dim"), rank);
  const double eps = d.number("eps");
  if (d.known_size(x, dim) != d.known_size(y, dim))
    return d.reject("both tensors must have the same size in the dimension");
  const auto normalized = [&](const Proxy& v) {
    const Proxy norm = d.emit("aten.linalg_vector_norm.default", {v, 2, IntList({dim}), true});
    // The kernel clamps the norm outside of autograd.
    const Proxy larger = d.emit("aten.clamp_min.default", {norm, eps}) - norm;
    return v / (norm + d.emit("aten.detach.default", {larger}));
  };
  return sum(normalized(x) * normalized(y), {dim});
}

AnyArg triplet_margin_loss(Decomposer& d) {
  const Proxy anchor = d.tensor("anchor"), positive = d.tensor("positive");
  const Proxy negative = d.tensor("negative");
  const auto distance = [&](const Proxy& x, const Proxy& y) {
    return d.emit("aten.pairwise_distance.default", {x, y, d.number("p"), d.number("eps"), false});
  };
  const Proxy near = distance(anchor, positive);
  Proxy far = distance(anchor, negative);
  if (d.flag("swap")) far = d.emit("aten.minimum.default", {far, distance(positive, negative)});
  const Proxy loss = d.emit("aten.clamp_min.default", {d.number("margin") + near - far, 0});
  return d.reduce_loss(loss, d.integer("reduction"));
}

}  // namespace

absl::Span<const DecompositionRow> loss_decompositions() {
  static constexpr DecompositionRow kRows[] = {
      {"aten.binary_cross_entropy.default", binary_cross_entropy, kCore},
      {"aten.binary_cross_entropy_backward.default", binary_cross_entropy_backward, kCore},
      {"aten.binary_cross_entropy_with_logits.default", binary_cross_entropy_with_logits, kCore},
      {"aten.cosine_similarity.default", cosine_similarity, kCore},
      {"aten.huber_loss.default", huber_loss, kCore},
      {"aten.huber_loss_backward.default", huber_loss_backward, kCore},
      {"aten.l1_loss.default", l1_loss, kCore},
      {"aten.mse_loss.default", mse_loss, kCore},
      {"aten.mse_loss_backward.default", mse_loss_backward, kCore},
      {"aten.nll_loss_backward.default", nll_loss_backward, kCore},
      {"aten.nll_loss_forward.default", nll_loss_forward, kCore},
      {"aten.nll_loss2d_backward.default", nll_loss_backward, kCore},
      {"aten.nll_loss2d_forward.default", nll_loss_forward, kCore},
      {"aten.smooth_l1_loss.default", smooth_l1_loss, kCore},
      {"aten.smooth_l1_loss_backward.default", smooth_l1_loss_backward, kCore},
      {"aten.soft_margin_loss.default", soft_margin_loss, kCore},
      {"aten.soft_margin_loss_backward.default", soft_margin_loss_backward, kCore},
      {"aten.triplet_margin_loss.default", triplet_margin_loss, kCore},
  };
  return kRows;
}

}  // namespace fx
