# RUN: fxcpp opt %s --passes 'decompose{set=all}' | FileCheck %s
# A product of matrices is multiplied by alpha after its elements are added, and so are its derivatives.
# A decomposition would multiply the gradient before it adds: infinity times an element that is 0 is NaN.
# CHECK: aten.addmm.default(%c, %m, %w, alpha=inf)
# CHECK: aten.addmv.default(%x, %m, %x, alpha=nan)
# CHECK: aten.addr.default(%q, %x, %x, alpha=-inf)
# CHECK: aten.baddbmm.default(%b, %b, %b, alpha=inf)
# Without elements to add, the result is beta * self, whatever alpha is: -0.0 + 0.0 would be 0.0.
# CHECK: %[[C:.*]] : f32[3, 4][0, 1] = aten.expand.default(%c, [3, 4])
# CHECK-NEXT: %e : f32[3, 4] = aten.mul.Tensor(%[[C]], 1)
# CHECK-NEXT: %f : f32[3] = aten.mul.Tensor(%x, 2)
# CHECK-NOT: aten.mul.Tensor({{.*}}, inf)
# CHECK: %g : f32[1, 3, 3] = aten.full.default([1, 3, 3], 0
graph(%c : f32[4], %m : f32[3, 3], %w : f32[3, 4], %x : f32[3], %q : f32[3, 3], %b : f32[1, 3, 3], %l : f32[3, 0], %r : f32[0, 4], %v : f32[0], %i : f32[1, 3, 0], %j : f32[1, 0, 3]) {
  %y : f32[3, 4] = aten.addmm.default(%c, %m, %w, alpha=inf)
  %z : f32[3] = aten.addmv.default(%x, %m, %x, alpha=nan)
  %t : f32[3, 3] = aten.addr.default(%q, %x, %x, alpha=-inf)
  %u : f32[1, 3, 3] = aten.baddbmm.default(%b, %b, %b, alpha=inf)
  %e : f32[3, 4] = aten.addmm.default(%c, %l, %r, alpha=inf)
  %f : f32[3] = aten.addmv.default(%x, %l, %v, beta=2)
  %g : f32[1, 3, 3] = aten.baddbmm.default(%b, %i, %j, beta=0, alpha=inf)
  return (%y, %z, %t, %u, %e, %f, %g)
}
