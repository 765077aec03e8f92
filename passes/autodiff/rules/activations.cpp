// Activations, and their backward operators in libtorch.
#include "fx/passes/autodiff/rules_internal.h"

#include <string_view>

namespace fx {
namespace {

AnyArg relu_grad(D& d) {
  if (d.is_readable()) return d.emit("aten.where.ScalarOther", {d.value() > 0, d.grad(), 0});
  return d.emit("aten.threshold_backward.default", {d.grad(), d.value(), 0});
}
AnyArg sigmoid_grad(D& d) {
  const Proxy y = d.value();
  if (d.is_readable()) return d.grad() * d.conj(y * (1 - y));
  return d.emit("aten.sigmoid_backward.default", {d.grad(), y});
}
AnyArg tanh_grad(D& d) {
  const Proxy y = d.value();
  if (d.is_readable()) return d.grad() * d.conj(1 - y * y);
  return d.emit("aten.tanh_backward.default", {d.grad(), y});
}
AnyArg softplus_grad(D& d) {
  return d.emit("aten.softplus_backward.default",
                {d.grad(), d("self"), AnyArg(d.argument("beta")), AnyArg(d.argument("threshold"))});
}
AnyArg elu_grad(D& d) {
  return d.emit("aten.elu_backward.default",
                {d.grad(), AnyArg(d.argument("alpha")), AnyArg(d.argument("scale")),
                 AnyArg(d.argument("input_scale")), false, d("self")});
}
AnyArg celu_grad(D& d) {
  return d.emit("aten.elu_backward.default", {d.grad(), AnyArg(d.argument("alpha")), 1,
                                              1.0 / d.number("alpha"), false, d("self")});
}
AnyArg hardtanh_grad(D& d) {
  return d.emit(
      "aten.hardtanh_backward.default",
      {d.grad(), d("self"), AnyArg(d.argument("min_val")), AnyArg(d.argument("max_val"))});
}
AnyArg leaky_relu_grad(D& d) {
  return d.emit("aten.leaky_relu_backward.default",
                {d.grad(), d("self"), AnyArg(d.argument("negative_slope")), false});
}
AnyArg threshold_grad(D& d) {
  return d.emit("aten.threshold_backward.default",
                {d.grad(), d("self"), AnyArg(d.argument("threshold"))});
}
AnyArg shrink_grad(D& d, std::string_view op) {
  return d.emit(op, {d.grad(), d("self"), AnyArg(d.argument("lambd"))});
}
AnyArg of_self(D& d, std::string_view op) { return d.emit(op, {d.grad(), d("self")}); }

AnyArg gelu_grad(D& d) {
  return d.emit("aten.gelu_backward.default", {d.grad(), d("self")},
                {{"approximate", AnyArg(d.argument("approximate"))}});
}

AnyArg glu_grad(D& d) {
  return d.emit("aten.glu_backward.default", {d.grad(), d("self"), d.integer("dim")});
}
AnyArg glu_tangent(D& d) {
  const int64_t dim = d.integer("dim");
  const Proxy x = d("self"), t = d.tangent("self");
  const int64_t half = d.known_size(x, dim) / 2;
  const Proxy b = d.slice(x, dim, half, 2 * half);
  const Proxy da = d.slice(t, dim, 0, half), db = d.slice(t, dim, half, 2 * half);
  const Proxy s = sigmoid(b), y = d.value();
  return da * s + y * (db - s * db);
}

// ---- Softmax

AnyArg softmax_grad(D& d, std::string_view op) {
  return d.emit(op, {d.grad(), d.value(), d.integer("dim"), d.dtype(d("self"))});
}
AnyArg softmax_int_grad(D& d) {
  const Proxy y = d.value(), product = d.grad() * y;
  return product - y * sum(product, {d.integer("dim")}, true);
}
AnyArg log_softmax_int_grad(D& d) {
  const Proxy g = d.grad();
  return g - exp(d.value()) * sum(g, {d.integer("dim")}, true);
}
AnyArg softmax_tangent(D& d) {
  const Proxy y = d.value(), product = y * d.tangent("self");
  return product - y * sum(product, {d.integer("dim")}, true);
}
AnyArg log_softmax_tangent(D& d) {
  const Proxy t = d.tangent("self");
  return t - sum(exp(d.value()) * t, {d.integer("dim")}, true);
}

// ---- Multiple results

AnyArg prelu_grads(D& d) {
  const Proxy both =
      d.emit("aten._prelu_kernel_backward.default", {d.grad(), d("self"), d("weight")});
  return AnyArg::tuple({both[0], both[1]});
}
AnyArg prelu_tangent(D& d) {
  const Proxy x = d("self"), t = d.tangent_or_zeros("self"), w = d("weight");
  return fx::where(x >= 0, t, w * t + d.tangent_or_zeros("weight") * x);
}
AnyArg log_sigmoid_grad(D& d) {
  if (!d.grad(0).defined()) return Proxy();
  return d.emit("aten.log_sigmoid_backward.default", {d.grad(0), d("self"), d.value(1)});
}
AnyArg log_sigmoid_tangent(D& d) {
  const Proxy t = d.tangent("self");
  return AnyArg::tuple(
      {d.emit("aten.log_sigmoid_backward.default", {t, d("self"), d.value(1)}), Argument()});
}

/// Differentiates with respect to the operand, because the saved buffer is a function of it.
AnyArg log_sigmoid_grad_grad(D& d) {
  const Proxy s = sigmoid(d("self"));
  return d.grad() * (s - 1) * s * d("grad_output");
}

AnyArg dropout_grad(D& d) {
  const bool train = d.is_none("train") || d.flag("train");
  const double p = d.number("p"), scale = !train ? 1 : p == 1 ? 0.0 : 1.0 / (1.0 - p);
  if (d.is_readable()) return d.grad(0) * d.value(1) * scale;
  const double factor = d.is_none("train") || !d.flag("train") ? 1 : p == 1 ? 0.0 : 1.0 / (1.0 - p);
  return d.emit("aten.native_dropout_backward.default", {d.grad(0), d.value(1), factor});
}
AnyArg dropout_tangent(D& d) {
  const bool train = d.is_none("train") || d.flag("train");
  const double p = d.number("p");
  if (!train) return AnyArg::tuple({d.tangent("input"), Argument()});
  return AnyArg::tuple(
      {d.tangent("input") * d.value(1) * (p == 1 ? 0.0 : 1.0 / (1.0 - p)), Argument()});
}

// ---- Second derivatives: backward operators are linear in grad_output

AnyArg linear_in_grad(D& d) { return d.call_with({{"grad_output", d.grad()}}); }
// g conj(s(y)), with s(y) = y (1 - y) or 1 - y^2: not holomorphic in y, so the gradient of y has
// the conjugate of the incoming gradient.
Proxy slope_of(const Proxy& y, bool is_tanh) { return is_tanh ? 1 - pow(y, 2) : (1 - y) * y; }
Proxy curvature_of(const Proxy& y, bool is_tanh) { return is_tanh ? y * -2 : 1 - y * 2; }
AnyArg activation_backward_grad(D& d, bool is_tanh) {
  return d.grad() * slope_of(d("output"), is_tanh);
}
AnyArg activation_backward_output(D& d, bool is_tanh) {
  return d.conj(d.grad()) * (d("grad_output") * d.conj(curvature_of(d("output"), is_tanh)));
}
AnyArg activation_backward_tangent(D& d, bool is_tanh) {
  const Proxy g = d.tangent("grad_output"), y = d.tangent("output");
  return d.sum_of(
      {g.defined() ? g * d.conj(slope_of(d("output"), is_tanh)) : Proxy(),
       y.defined() ? d("grad_output") * d.conj(curvature_of(d("output"), is_tanh) * y) : Proxy()});
}
AnyArg threshold_backward_self(D& d) { return d.zero_grad("self"); }

}  // namespace

absl::Span<const DerivativeRow> activation_derivatives() {
  static constexpr DerivativeRow kRows[] = {
      {"aten.relu.default", kElementwise, {{"self", relu_grad}}},
      {"aten.relu6.default",
       kElementwise,
       {{"self",
         [](D& d) {
           return d.emit("aten.hardtanh_backward.default", {d.grad(), d("self"), 0, 6});
         }}}},
      {"aten.sigmoid.default", kElementwise, {{"self", sigmoid_grad}}},
      {"aten.tanh.default", kElementwise, {{"self", tanh_grad}}},
      {"aten.softplus.default", kElementwise, {{"self", softplus_grad}}},
      {"aten.elu.default", kElementwise, {{"self", elu_grad}}},
      {"aten.celu.default", kElementwise, {{"self", celu_grad}}},
      {"aten.selu.default",
       kElementwise,
       {{"self",
         [](D& d) {
           return d.emit("aten.elu_backward.default",
                         {d.grad(), 1.6732632423543772848170429916717,
                          1.0507009873554804934193349852946, 1.0, false, d("self")});
         }}}},
      {"aten.silu.default",
       kElementwise,
       {{"self", [](D& d) { return of_self(d, "aten.silu_backward.default"); }}}},
      {"aten.mish.default",
       kElementwise,
       {{"self", [](D& d) { return of_self(d, "aten.mish_backward.default"); }}}},
      {"aten.hardsigmoid.default",
       kElementwise,
       {{"self", [](D& d) { return of_self(d, "aten.hardsigmoid_backward.default"); }}}},
      {"aten.hardswish.default",
       kElementwise,
       {{"self", [](D& d) { return of_self(d, "aten.hardswish_backward.default"); }}}},
      {"aten.hardtanh.default", kElementwise, {{"self", hardtanh_grad}}},
      {"aten.leaky_relu.default", kElementwise, {{"self", leaky_relu_grad}}},
      {"aten.threshold.default", kElementwise, {{"self", threshold_grad}}},
      {"aten.hardshrink.default",
       kElementwise,
       {{"self", [](D& d) { return shrink_grad(d, "aten.hardshrink_backward.default"); }}}},
      {"aten.softshrink.default",
       kElementwise,
       {{"self", [](D& d) { return shrink_grad(d, "aten.softshrink_backward.default"); }}}},
      {"aten.gelu.default", kElementwise, {{"self", gelu_grad}}},
      {"aten.glu.default", kFunction, {{"self", glu_grad}}, glu_tangent},
      {"aten._prelu_kernel.default", kFunction, {{"self, weight", prelu_grads}}, prelu_tangent},
      {"aten.log_sigmoid_forward.default",
       kFunction,
       {{"self", log_sigmoid_grad}},
       log_sigmoid_tangent},
      {"aten.log_sigmoid_backward.default",
       kElementwise,
       {{"grad_output",
         [](D& d) {
           return d.emit("aten.log_sigmoid_backward.default", {d.grad(), d("self"), d("buffer")});
         }},
        {"self", log_sigmoid_grad_grad}}},
      {"aten.rrelu_with_noise_backward.default",
       kLinear,
       {{"grad_output", [](D& d) { return d.call_with({{"grad_output", d.grad()}}); }}}},
      {"aten.native_dropout.default", kFunction, {{"input", dropout_grad}}, dropout_tangent},
      {"aten._softmax.default",
       kFunction,
       {{"self", [](D& d) { return softmax_grad(d, "aten._softmax_backward_data.default"); }}},
       softmax_tangent},
      // The derivative of its decomposition would be NaN in rows of -inf.
      {"aten._safe_softmax.default",
       kFunction,
       {{"self", [](D& d) { return softmax_grad(d, "aten._softmax_backward_data.default"); }}},
       softmax_tangent},
      {"aten._log_softmax.default",
       kFunction,
       {{"self", [](D& d) { return softmax_grad(d, "aten._log_softmax_backward_data.default"); }}},
       log_softmax_tangent},
      {"aten.softmax.int", kFunction, {{"self", softmax_int_grad}}, softmax_tangent},
      {"aten.log_softmax.int", kFunction, {{"self", log_softmax_int_grad}}, log_softmax_tangent},
      {"aten.fake_quantize_per_tensor_affine_cachemask.default",
       kTransposed,
       {{"self", [](D& d) { return d.grad(0) * d.value(1); }}}},
      {"aten.fake_quantize_per_channel_affine_cachemask.default",
       kTransposed,
       {{"self", [](D& d) { return d.grad(0) * d.value(1); }}}},
      // Second derivatives
      {"aten.threshold_backward.default",
       kElementwise,
       {{"grad_output", linear_in_grad}, {"self", threshold_backward_self}}},
      {"aten.sigmoid_backward.default",
       kFunction,
       {{"grad_output", [](D& d) { return activation_backward_grad(d, false); }},
        {"output", [](D& d) { return activation_backward_output(d, false); }}},
       [](D& d) { return activation_backward_tangent(d, false); }},
      {"aten.tanh_backward.default",
       kFunction,
       {{"grad_output", [](D& d) { return activation_backward_grad(d, true); }},
        {"output", [](D& d) { return activation_backward_output(d, true); }}},
       [](D& d) { return activation_backward_tangent(d, true); }},
      {"aten.native_dropout_backward.default",
       kLinear,
       {{"grad_output", [](D& d) { return d.call_with({{"grad_output", d.grad()}}); }}}},
      {"aten.hardtanh_backward.default",
       kElementwise,
       {{"grad_output", linear_in_grad}, {"self", threshold_backward_self}}},
      {"aten.leaky_relu_backward.default",
       kElementwise,
       {{"grad_output", linear_in_grad}, {"self", threshold_backward_self}}},
      {"aten.hardshrink_backward.default",
       kElementwise,
       {{"grad_out", [](D& d) { return d.call_with({{"grad_out", d.grad()}}); }},
        {"self", threshold_backward_self}}},
      {"aten.softshrink_backward.default",
       kElementwise,
       {{"grad_output", linear_in_grad}, {"self", threshold_backward_self}}},
      {"aten.hardsigmoid_backward.default",
       kElementwise,
       {{"grad_output", linear_in_grad}, {"self", threshold_backward_self}}},
  };
  return kRows;
}

}  // namespace fx
