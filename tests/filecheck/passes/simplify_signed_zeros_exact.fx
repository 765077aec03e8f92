# RUN: fxcpp opt %s --passes simplify --check-changed | FileCheck %s
# Integers have one zero; -0.0 is neutral for real numbers.
# CHECK-LABEL: graph(
# CHECK-NEXT: %s : f32[2] = aten.sin.default(%x)
# CHECK-NEXT: %t : i64[2] = aten.abs.default(%i)
# CHECK-NEXT: aten.cos.default(%s)
# CHECK-NEXT: aten.cos.default(%s)
# CHECK-NEXT: aten.cos.default(%s)
# CHECK-NEXT: aten.cos.default(%s)
# CHECK-NEXT: aten.neg.default(%t)
graph(%x : f32[2], %i : i64[2]) {
  %s : f32[2] = aten.sin.default(%x)
  %t : i64[2] = aten.abs.default(%i)
  %a : f32[2] = aten.add.Tensor(%s, -0.0)
  %b : f32[2] = aten.sub.Tensor(%s, 0)
  %c : f32[2] = aten.add.Tensor(%s, 0, alpha=-1)
  %d0 : f32[2] = aten.neg.default(%s)
  %d : f32[2] = aten.neg.default(%d0)
  %e : i64[2] = aten.add.Tensor(%t, 0)
  %a1 : f32[2] = aten.cos.default(%a)
  %b1 : f32[2] = aten.cos.default(%b)
  %c1 : f32[2] = aten.cos.default(%c)
  %d1 : f32[2] = aten.cos.default(%d)
  %e1 : i64[2] = aten.neg.default(%e)
  return (%a1, %b1, %c1, %d1, %e1)
}
