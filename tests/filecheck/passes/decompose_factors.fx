# RUN: fxcpp opt %s --passes 'propagate_types,decompose{set=all}' | FileCheck %s
# A factor 0 in any spelling: the elements that it multiplies are ignored, even NaN.
# CHECK-LABEL: graph @factors(
# CHECK-NEXT: %[[ZERO:.*]] : f32[2, 4] = aten.full.default([2, 4], 0
# CHECK-NEXT: %y : f32[2, 4] = aten.add.Tensor(%[[ZERO]], %b)
# CHECK-NEXT: %[[MM:.*]] : f32[2, 4] = aten.mm.default(%m, %w)
# CHECK-NEXT: %z : f32[2, 4] = aten.expand.default(%[[MM]], [2, 4])
# CHECK-NEXT: %u : f32[2, 4] = aten.full.default([2, 4], 0
# CHECK-NEXT: %[[BMM:.*]] : f32[1, 2, 4] = aten.bmm.default(
# CHECK-NEXT: %q : f32[1, 2, 4] = aten.expand.default(%[[BMM]], [1, 2, 4])
graph @factors(%b : f32[4], %m : f32[2, 3], %w : f32[3, 4], %c : f32[1, 2, 3], %d : f32[1, 3, 4]) {
  %y = aten.addmm.default(%b, %m, %w, beta=1, alpha=0)
  %z = aten.addmm.default(%b, %m, %w, beta=False, alpha=1)
  %u = aten.addmm.default(%b, %m, %w, beta=-0.0, alpha=0)
  %q = aten.baddbmm.default(%b, %c, %d, beta=False)
  return (%y, %z, %u, %q)
}
