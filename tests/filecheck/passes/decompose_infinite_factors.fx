# RUN: fxcpp opt %s --passes 'propagate_types,decompose{set=all}' | FileCheck %s
# Infinity times the sum of a gradient is NaN if the sum is 0, or has no elements: the operand that it
# multiplies is expanded, as in the derivative of the operator (1002067439).
# CHECK: %[[A:.*]] : f32[0, 3][0, 0] = aten.expand.default(%a, [0, 3])
# CHECK-NEXT: %[[INF:.*]] : f32[0, 3] = aten.mul.Tensor(%[[A]], inf)
# CHECK-NEXT: %[[PRODUCT:.*]] : f32[0, 3] = aten.mul.Tensor(%[[INF]], %b)
# CHECK-NEXT: %y : f32[0, 3] = aten.add.Tensor(%x, %[[PRODUCT]])
# CHECK: aten.mul.Tensor(%{{.*}}, inf)
# CHECK: %[[SELF:.*]] : f32[2, 4][0, 1] = aten.expand.default(%c, [2, 4])
# CHECK-NEXT: aten.mul.Tensor(%[[SELF]], nan)
# A finite factor multiplies fewer elements, unless the sum broadcasts the product.
# CHECK: %[[TWICE:.*]] : f32[1] = aten.mul.Tensor(%a, 2)
# CHECK-NEXT: aten.mul.Tensor(%[[TWICE]], %m)
# CHECK: %[[REPEATED:.*]] : f32[2, 3][0, 0] = aten.expand.default(%a, [2, 3])
# CHECK-NEXT: aten.mul.Tensor(%[[REPEATED]], 2)
graph(%x : f32[0, 3], %a : f32[1], %b : f32[3], %c : f32[4], %m : f32[2, 3], %w : f32[3, 4]) {
  %y = aten.addcmul.default(%x, %a, %b, value=inf)
  %z = aten.addcdiv.default(%x, %a, %b, value=inf)
  %u = aten.addmm.default(%c, %m, %w, beta=nan)
  %v = aten.addcmul.default(%b, %a, %m, value=2)
  %t = aten.addcmul.default(%m, %a, %a, value=2)
  return (%y, %z, %u, %v, %t)
}
