# The gradient of elements that are overwritten through as_strided is 0, in both styles.
# RUN: fxcpp grad %s --vjp --wrt x | FileCheck %s
# RUN: fxcpp grad %s --vjp --wrt x --style aten | FileCheck %s --check-prefix=ATEN
# RUN: fxcpp grad %s --joint --wrt x --style aten | FileCheck %s --check-prefix=ATEN
# CHECK: %[[G:.*]] : f64[2, 2] = aten.mul.Tensor(%tangents_1, %y)
# CHECK: %[[ZERO:.*]] : f64[2] = aten.zeros_like.default
# CHECK: aten.as_strided_scatter.default(%[[G]], %[[ZERO]], [2], [3], 0)
# ATEN: %[[G:.*]] : f64[2, 2] = aten.mul.Tensor(%tangents_1,
# ATEN: %[[ZERO:.*]] : f64[2] = aten.zeros_like.default
# ATEN: %[[C:.*]] : f64[2, 2] = aten.contiguous.default(%[[G]])
# ATEN: aten.as_strided_scatter.default(%[[C]], %[[ZERO]], [2], [3], 0)
graph(%x : f64[2, 2], %y : f64[2, 2]) {
  %a : f64[2, 2] = aten.mul.Tensor(%x, 3.0)
  %d : f64[2][3] = aten.as_strided.default(%a, [2], [3])
  %f : f64[2][3] = aten.fill_.Scalar(%d, 2.0)
  %z : f64[2, 2] = aten.mul.Tensor(%a, %y)
  return %z
}
