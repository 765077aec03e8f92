# Decompositions have the derivatives of their operators where these are finite: at 0, at thresholds,
# and where a branch that is not taken is infinite. Each %zero is 0, and its derivative is 1.
# REQUIRES: torch
# RUN: fxcpp opt %s --passes propagate_types,decompose{strict} -o %t.fx
# RUN: fxcpp diff %s %t.fx --run --gradients --rtol 1e-5 --atol 1e-7
# RUN: FileCheck %s --input-file %t.fx
# CHECK-NOT: = aten.{{softplus|mish|elu|celu|hardsigmoid|hardswish|sinc|xlogy|huber|binary|std|norm}}
graph(%a : f32[3], %b : f32[3], %c : f32[3], %d : f32[3], %e : f32[3], %f : f32[3], %g : f32[3], %h : f32[3], %k : f32[3], %m : f32[2, 3], %n : f32[2, 3], %o : f32[3], %p : f32[3], %q : f32[3], %r : f32[3], %s : f32[2, 3]) {
  # exp of 1000 is infinite.
  %a0 = aten.detach.default(%a)
  %a1 = aten.sub.Tensor(%a, %a0)
  %large_a = aten.add.Tensor(%a1, 1000)
  %softplus = aten.softplus.default(%large_a)
  %b0 = aten.detach.default(%b)
  %b1 = aten.sub.Tensor(%b, %b0)
  %large_b = aten.add.Tensor(%b1, 1000)
  %mish = aten.mish.default(%large_b)
  %c0 = aten.detach.default(%c)
  %c1 = aten.sub.Tensor(%c, %c0)
  %large_c = aten.add.Tensor(%c1, 1000)
  %celu = aten.celu.default(%large_c)
  # Thresholds: -3 and 3.
  %d0 = aten.detach.default(%d)
  %d1 = aten.sub.Tensor(%d, %d0)
  %at_3 = aten.add.Tensor(%d1, 3)
  %above = aten.hardsigmoid.default(%at_3)
  %e0 = aten.detach.default(%e)
  %e1 = aten.sub.Tensor(%e, %e0)
  %at_minus_3 = aten.sub.Tensor(%e1, 3)
  %below = aten.hardswish.default(%at_minus_3)
  # 0 / 0 and log(0).
  %f0 = aten.detach.default(%f)
  %zero_f = aten.sub.Tensor(%f, %f0)
  %sinc = aten.sinc.default(%zero_f)
  %g0 = aten.detach.default(%g)
  %zero_g = aten.sub.Tensor(%g, %g0)
  %at_zero = aten.xlogy.Tensor(%zero_g, %o)
  %h0 = aten.detach.default(%h)
  %zero_h = aten.sub.Tensor(%h, %h0)
  %half = aten.full_like.default(%h, 0.5)
  %xlogy = aten.xlogy.Tensor(%zero_h, %half)
  %k0 = aten.detach.default(%k)
  %zero_k = aten.sub.Tensor(%k, %k0)
  %empty = aten.mul.Tensor(%zero_k, 0)
  %full = aten.add.Tensor(%empty, 1)
  %target = aten.detach.default(%full)
  %wrong = aten.binary_cross_entropy.default(%zero_k, %target)
  # The square root of 0.
  %m0 = aten.detach.default(%m)
  %zero_m = aten.sub.Tensor(%m, %m0)
  %std = aten.std.correction(%zero_m, [1], correction=1)
  %n0 = aten.detach.default(%n)
  %zero_n = aten.sub.Tensor(%n, %n0)
  %norm = aten.norm.ScalarOpt_dim(%zero_n, 2, [1])
  # A loss that is infinite, and one whose other branch is.
  %one = aten.ones_like.default(%p)
  %q0 = aten.detach.default(%q)
  %q1 = aten.sub.Tensor(%q, %q0)
  %infinite = aten.add.Tensor(%q1, inf)
  %huber = aten.huber_loss.default(%infinite, %one)
  %smooth = aten.smooth_l1_loss.default(%r, %one, 1, inf)
  # A row of -inf.
  %s0 = aten.detach.default(%s)
  %s1 = aten.sub.Tensor(%s, %s0)
  %hidden = aten.sub.Tensor(%s1, inf)
  %weights = aten._safe_softmax.default(%hidden, 1)
  return (%softplus, %mish, %celu, %above, %below, %sinc, %at_zero, %xlogy, %wrong, %std, %norm, %huber, %smooth, %weights)
}
