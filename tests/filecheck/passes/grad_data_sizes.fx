# The gradient and the tangent of elements that a mask selects have as many elements.
# RUN: fxcpp grad %s --mode forward | FileCheck %s
# RUN: fxcpp grad %s --vjp -o %t.fx && fxcpp grad %t.fx --vjp | FileCheck %s --check-prefix=SECOND
# CHECK: %[[S:.*]] : f64[u0] = aten.masked_select.default(%tangents_1, %m)
# CHECK: %[[I:.*]] : f64[u1] = aten.index.Tensor(%tangents_1, [%m])
# CHECK: aten.mul.Tensor(%[[I]], %i)
# SECOND: aten.index.Tensor
# SECOND: return
graph(%x : f64[2, 3], %m : b8[2, 3]) {
  %s = aten.masked_select.default(%x, %m)
  %i = aten.index.Tensor(%x, [%m])
  %z = aten.mul.Tensor(%i, %i)
  return (%s, %z)
}
