// Losses.
#include "fx/passes/autodiff/rules_internal.h"

#include <string_view>

namespace fx {
namespace {

AnyArg nll_grad(D& d, std::string_view op) {
  if (!d.grad(0).defined()) return Proxy();
  return d.emit(op, {d.grad(0), d("self"), d("target"), argument_of(d, "weight"),
                     d.integer("reduction"), argument_of(d, "ignore_index"), d.value(1)});
}
AnyArg nll_tangent(D& d) {
  const Proxy results = d.call_with({{"self", d.tangent("self")}});
  return AnyArg::tuple({results[0], Argument()});
}

/// Handles symmetric losses: calls `op(grad, x, y, reduction, extra)`.
AnyArg pair_grad(D& d, std::string_view op, std::string_view x, std::string_view y,
                 std::string_view extra) {
  if (extra.empty()) return d.emit(op, {d.grad(), d(x), d(y), d.integer("reduction")});
  return d.emit(op, {d.grad(), d(x), d(y), d.integer("reduction"), d.number(extra)});
}
AnyArg pair_tangent(D& d, std::string_view op, std::string_view extra) {
  const auto term = [&](std::string_view x, std::string_view y) {
    const Proxy t = d.tangent(x);
    if (!t.defined()) return Proxy();
    if (extra.empty()) return d.emit(op, {t, d(x), d(y), 0});
    return d.emit(op, {t, d(x), d(y), 0, d.number(extra)});
  };
  const Proxy both = d.sum_of({term("self", "target"), term("target", "self")});
  return d.reduce_loss(both, d.integer("reduction"));
}
constexpr std::string_view kMse = "aten.mse_loss_backward.default";
constexpr std::string_view kHuber = "aten.huber_loss_backward.default";
constexpr std::string_view kSmoothL1 = "aten.smooth_l1_loss_backward.default";

AnyArg l1_grad(D& d, std::string_view x, std::string_view y) {
  const Proxy slope = sgn(d(x) - d(y));
  const int64_t reduction = d.integer("reduction");
  return reduction == 1 ? d.grad() * slope / d.numel(d(x)) : d.grad() * slope;
}

AnyArg bce_grad(D& d) {
  return d.emit(
      "aten.binary_cross_entropy_backward.default",
      {d.grad(), d("self"), d("target"), argument_of(d, "weight"), d.integer("reduction")});
}
AnyArg bce_tangent(D& d) {
  Proxy total;
  if (const Proxy t = d.tangent("self"); t.defined()) {
    total = d.emit("aten.binary_cross_entropy_backward.default",
                   {t, d("self"), d("target"), argument_of(d, "weight"), 0});
  }
  if (const Proxy t = d.tangent("target"); t.defined()) {
    const Proxy slope = neg(d.emit("aten.logit.default", {d("self")}));
    total = d.sum_of({total, d.is_none("weight") ? t * slope : t * slope * d("weight")});
  }
  if (!total.defined() || d.tangent("weight").defined()) return unknown_derivative(d);
  return d.reduce_loss(total, d.integer("reduction"));
}
Proxy weighted_mean(D& d, const Proxy& grad, const Proxy& like) {
  Proxy result = grad;
  if (!d.is_none("weight")) result = result * d("weight");
  return d.integer("reduction") == 1 ? result / d.numel(like) : result;
}
AnyArg bce_target_grad(D& d) {
  const Proxy x = d("self");
  const Proxy logits = d.emit("aten.logit.default", {x});
  return weighted_mean(d, d.grad() * neg(logits), d("target"));
}
AnyArg bce_logits_grad(D& d) {
  const Proxy x = d("self"), y = d("target");
  Proxy slope;
  if (d.is_none("pos_weight")) {
    slope = (sigmoid(x) - y) * d.grad();
  } else {
    const Proxy t = d("pos_weight") * y;
    slope = (((t + 1 - y) * sigmoid(x)) - t) * d.grad();
  }
  return weighted_mean(d, slope, x);
}
AnyArg bce_logits_target_grad(D& d) {
  const Proxy x = d("self");
  Proxy slope;
  if (d.is_none("pos_weight")) {
    slope = neg(x);
  } else {
    const auto log_sigmoid = [&](const Proxy& z) {
      return neg(d.emit("aten.softplus.default", {neg(z)}));
    };
    slope = log_sigmoid(neg(x)) - d("pos_weight") * log_sigmoid(x);
  }
  return weighted_mean(d, slope * d.grad(), d("target"));
}
AnyArg soft_margin_grad(D& d) {
  return d.emit("aten.soft_margin_loss_backward.default",
                {d.grad(), d("self"), d("target"), d.integer("reduction")});
}
AnyArg soft_margin_tangent(D& d) {
  if (d.tangent("target").defined()) return unknown_derivative(d);
  const Proxy terms = d.emit("aten.soft_margin_loss_backward.default",
                             {d.tangent("self"), d("self"), d("target"), 0});
  return d.reduce_loss(terms, d.integer("reduction"));
}
AnyArg multi_margin_grad(D& d) {
  return d.emit("aten.multi_margin_loss_backward.default",
                {d.grad(), d("self"), d("target"), argument_of(d, "p"), argument_of(d, "margin"),
                 argument_of(d, "weight"), d.integer("reduction")});
}
AnyArg multilabel_margin_grad(D& d) {
  return d.emit("aten.multilabel_margin_loss_backward.default",
                {d.grad(0), d("self"), d("target"), d.integer("reduction"), d.value(1)});
}

}  // namespace

absl::Span<const DerivativeRow> loss_derivatives() {
  static constexpr DerivativeRow kRows[] = {
      {"aten.nll_loss_forward.default",
       kFunction,
       {{"self", [](D& d) { return nll_grad(d, "aten.nll_loss_backward.default"); }},
        {"weight", unknown_derivative}},
       nll_tangent},
      {"aten.nll_loss2d_forward.default",
       kFunction,
       {{"self", [](D& d) { return nll_grad(d, "aten.nll_loss2d_backward.default"); }},
        {"weight", unknown_derivative}},
       nll_tangent},
      {"aten.nll_loss_backward.default",
       kLinear,
       {{"grad_output",
         [](D& d) {
           return d.emit("aten.nll_loss_forward.default",
                         {d.grad(), d("target"), argument_of(d, "weight"), d.integer("reduction"),
                          argument_of(d, "ignore_index")})[0];
         }}}},
      {"aten.nll_loss2d_backward.default",
       kLinear,
       {{"grad_output",
         [](D& d) {
           return d.emit("aten.nll_loss2d_forward.default",
                         {d.grad(), d("target"), argument_of(d, "weight"), d.integer("reduction"),
                          argument_of(d, "ignore_index")})[0];
         }}}},
      {"aten.mse_loss.default",
       kFunction,
       {{"self", [](D& d) { return pair_grad(d, kMse, "self", "target", ""); }},
        {"target", [](D& d) { return pair_grad(d, kMse, "target", "self", ""); }}},
       [](D& d) { return pair_tangent(d, kMse, ""); }},
      {"aten.huber_loss.default",
       kFunction,
       {{"self", [](D& d) { return pair_grad(d, kHuber, "self", "target", "delta"); }},
        {"target", [](D& d) { return pair_grad(d, kHuber, "target", "self", "delta"); }}},
       [](D& d) { return pair_tangent(d, kHuber, "delta"); }},
      {"aten.smooth_l1_loss.default",
       kFunction,
       {{"self", [](D& d) { return pair_grad(d, kSmoothL1, "self", "target", "beta"); }},
        {"target", [](D& d) { return pair_grad(d, kSmoothL1, "target", "self", "beta"); }}},
       [](D& d) { return pair_tangent(d, kSmoothL1, "beta"); }},
      {"aten.l1_loss.default",
       kTransposed,
       {{"self", [](D& d) { return l1_grad(d, "self", "target"); }},
        {"target", [](D& d) { return l1_grad(d, "target", "self"); }}}},
      {"aten.binary_cross_entropy.default",
       kFunction,
       {{"self", bce_grad}, {"target", bce_target_grad}, {"weight", unknown_derivative}},
       bce_tangent},
      {"aten.binary_cross_entropy_with_logits.default",
       kTransposed,
       {{"self", bce_logits_grad},
        {"target", bce_logits_target_grad},
        {"weight", unknown_derivative},
        {"pos_weight", unknown_derivative}}},
      {"aten.soft_margin_loss.default",
       kFunction,
       {{"self", soft_margin_grad}, {"target", unknown_derivative}},
       soft_margin_tangent},
      {"aten.multi_margin_loss.default",
       kTransposed,
       {{"self", multi_margin_grad}, {"weight", unknown_derivative}}},
      {"aten.multilabel_margin_loss_forward.default",
       kTransposed,
       {{"self", multilabel_margin_grad}}},
  };
  return kRows;
}

}  // namespace fx
