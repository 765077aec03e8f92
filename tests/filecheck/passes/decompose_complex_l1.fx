# RUN: fxcpp opt %s --passes propagate_types,decompose | FileCheck %s
# The distance of complex numbers is real, but its operands are not: a cast to the dtype of the result
# would drop their imaginary parts.
# CHECK:      graph(%x : c64[2], %y : c64[2], %z : f32[2]) {
# CHECK-NEXT:   %sub : c64[2] = aten.sub.Tensor(%x, %y)
# CHECK-NEXT:   %abs_1 : f32[2] = aten.abs.default(%sub)
# CHECK-NEXT:   %a : f32[] = aten.mean.default(%abs_1)
# CHECK-NEXT:   %sub_1 : c64[2] = aten.sub.Tensor(%z, %y)
# CHECK-NEXT:   %b : f32[2] = aten.abs.default(%sub_1)
# CHECK-NEXT:   return (%a, %b)
graph(%x : c64[2], %y : c64[2], %z : f32[2]) {
  %a = aten.l1_loss.default(%x, %y)
  %b = aten.l1_loss.default(%z, %y, 0)
  return (%a, %b)
}
