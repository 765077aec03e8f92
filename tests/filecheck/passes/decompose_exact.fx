# RUN: fxcpp opt %s --passes 'decompose{set=all}' | FileCheck %s
# Results of eager mode that a formula does not show.
graph(%x : f64[1], %y : f64[1], %empty : f64[3, 0], %v : f64[0], %self : f64[1], %bias : f64[3]) {
  # With weight 1, the factor of the other end is -0.0, so that an end of -0.0 is kept (1015103133).
  # CHECK: %[[D:.*]] : f64[1] = aten.sub.Tensor(%y, %x)
  # CHECK-NEXT: %[[P:.*]] : f64[1] = aten.mul.Tensor(-0.0, %[[D]])
  # CHECK-NEXT: %{{.*}} : f64[1] = aten.add.Tensor(%[[P]], %y)
  %a : f64[1] = aten.lerp.Scalar(%x, %y, 1.0)
  # The product of an empty matrix does not determine the sizes of the sum (1015126996).
  # CHECK: %b : f64[1] = aten.addmv.default(%self, %empty, %v)
  %b : f64[1] = aten.addmv.default(%self, %empty, %v)
  # CHECK-NOT: aten.addmv
  %c : f64[3] = aten.addmv.default(%bias, %empty, %v)
  %d : f64[3] = aten.addmv.default(%self, %empty, %v, beta=0)
  return (%a, %b, %c, %d)
}
