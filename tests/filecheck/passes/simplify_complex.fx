# RUN: fxcpp opt %s --passes 'simplify{signed_zeros=false}' --check-changed | FileCheck %s
# A product or quotient of a complex number and 1 is not simplified: inf * 0 is NaN (1000114026). A
# difference with 0 is simplified, since the option permits zeros of a different sign.

# CHECK-LABEL: graph(
graph(%x : c64[2], %y : f32[2]) {
  # CHECK-NEXT: %s : c64[2] = aten.sin.default(%x)
  # CHECK-NEXT: %a : c64[2] = aten.mul.Tensor(%s, 1)
  # CHECK-NEXT: %b : c64[2] = aten.div.Tensor(%a, 1)
  # CHECK-NEXT: %c : f32[2] = aten.cos.default(%y)
  # CHECK-NEXT: return (%b, %c)
  %s : c64[2] = aten.sin.default(%x)
  %a : c64[2] = aten.mul.Tensor(%s, 1)
  %b : c64[2] = aten.div.Tensor(%a, 1)
  %n : c64[2] = aten.sub.Tensor(%b, 0)
  %c : f32[2] = aten.cos.default(%y)
  %d : f32[2] = aten.mul.Tensor(%c, 1)
  return (%n, %d)
}
