# RUN: fxcpp grad %s --style aten | FileCheck %s

# As in libtorch, the quotient is masked before it is multiplied, so that derivatives at 0 are 0.
# CHECK: %[[Y:.*]] : f32[1] = aten.unsqueeze.default(%norm, 0)
# CHECK: %[[ZERO:.*]] : b8[1] = aten.eq.Scalar(%[[Y]], 0)
# CHECK: %[[DIV:.*]] : f32[3] = aten.div.Tensor(%x, %[[Y]])
# CHECK: %[[FILL:.*]] : f32[3] = aten.masked_fill.Scalar(%[[DIV]], %[[ZERO]], 0)
# CHECK: aten.mul.Tensor(%{{.*}}, %[[FILL]])
graph(%x : f32[3]) {
  %norm : f32[] = aten.linalg_vector_norm.default(%x)
  return %norm
}
