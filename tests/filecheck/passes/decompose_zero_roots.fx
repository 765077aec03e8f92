# The root of 0 is replaced: its slope is infinite, and 0 times it would be NaN.
# RUN: fxcpp opt %s --passes decompose{set=all} | FileCheck %s
# CHECK: %[[V:.*]] : f64[2] = aten.var.correction
# CHECK-NEXT: %[[IS_ZERO:.*]] : b8[2] = aten.eq.Scalar(%[[V]], 0)
# CHECK-NEXT: %[[ONE:.*]] : f64[] = aten.scalar_tensor.default(1,
# CHECK-NEXT: %[[BASE:.*]] : f64[2] = aten.where.self(%[[IS_ZERO]], %[[ONE]], %[[V]])
# CHECK-NEXT: %[[ROOT:.*]] : f64[2] = aten.sqrt.default(%[[BASE]])
# CHECK-NEXT: %[[ZERO:.*]] : f64[] = aten.scalar_tensor.default(0
# CHECK-NEXT: %s : f64[2] = aten.where.self(%[[IS_ZERO]], %[[ZERO]], %[[ROOT]])
# CHECK: aten.pow.Tensor_Scalar(%{{.*}}, 3.0)
# CHECK: %[[BASE3:.*]] : f64[2] = aten.where.self
# CHECK-NEXT: %[[ROOT3:.*]] : f64[2] = aten.pow.Tensor_Scalar(%[[BASE3]], 0.333
# CHECK: %n : f64[2] = aten.where.self(%{{.*}}, %{{.*}}, %[[ROOT3]])
graph(%x : f64[2, 2]) {
  %s = aten.std.dim(%x, [0])
  %n = aten.norm.ScalarOpt_dim(%x, 3, [1])
  return (%s, %n)
}
