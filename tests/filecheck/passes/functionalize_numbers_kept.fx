# RUN: fxcpp opt %s --passes functionalize --check-changed | FileCheck %s
# Must not change: calls of Python's functions on numbers write to no tensor.
# CHECK: %f : float = operator.iadd(%e, 1)
# CHECK: %k = operator.is_not(2, None)
graph(%a : f32[3], %b : f32[]) {
  %e : float = aten.item.default(%b)
  %f : float = operator.iadd(%e, 1)
  %g : f32[3] = aten.add.Tensor(%a, %f)
  %k = operator.is_not(2, None)
  return (%g, %k)
}
