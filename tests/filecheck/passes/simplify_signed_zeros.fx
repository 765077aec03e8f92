# RUN: fxcpp opt %s --passes simplify --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes 'simplify{signed_zeros=false}' --check-changed | FileCheck %s --check-prefix=ANY
# Calls that change the sign of a zero are kept: `view.dtype`, `1 / x` and `atan2` return a different
# number for it (1000981848).

# -0.0 + 0.0 is 0.0. The kind has further members: a negative alpha, a difference with -0.0 or with an
# integer alpha of 0, which has no sign.
graph(%x : f32[2]) {
  # CHECK: %s : f32[2] = aten.sin.default(%x)
  # CHECK-NEXT: %a : f32[2] = aten.add.Tensor(%s, 0)
  # CHECK-NEXT: %b : f32[2] = aten.add.Tensor(0.0, %s)
  # CHECK-NEXT: %c : f32[2] = aten.sub.Tensor(%s, -0.0)
  # CHECK-NEXT: %d : f32[2] = aten.sub.Tensor(%s, 0, alpha=-2)
  # CHECK-NEXT: %e : f32[2] = aten.sub.Tensor(%s, 0, alpha=0)
  # CHECK-NEXT: %f : f32[2] = operator.add(%s, 0)
  # ANY: %s : f32[2] = aten.sin.default(%x)
  # ANY-NEXT: aten.view.dtype(%s, torch.int32)
  # ANY-NEXT: aten.reciprocal.default(%s)
  # ANY-NEXT: aten.atan2.default(%s, %x)
  # ANY-NEXT: aten.signbit.default(%s)
  # ANY-NEXT: aten.copysign.Tensor(%x, %s)
  # ANY-NEXT: aten.cos.default(%s)
  %s : f32[2] = aten.sin.default(%x)
  %a : f32[2] = aten.add.Tensor(%s, 0)
  %b : f32[2] = aten.add.Tensor(0.0, %s)
  %c : f32[2] = aten.sub.Tensor(%s, -0.0)
  %d : f32[2] = aten.sub.Tensor(%s, 0, alpha=-2)
  %e : f32[2] = aten.sub.Tensor(%s, 0, alpha=0)
  %f : f32[2] = operator.add(%s, 0)
  %a1 : i32[2] = aten.view.dtype(%a, torch.int32)
  %a2 : f32[2] = aten.reciprocal.default(%b)
  %a3 : f32[2] = aten.atan2.default(%c, %x)
  %a4 : b8[2] = aten.signbit.default(%d)
  %a5 : f32[2] = aten.copysign.Tensor(%x, %e)
  %a6 : f32[2] = aten.cos.default(%f)
  %a7 = aten.sum.default(%a1)
  return (%a7, %a2, %a3, %a4, %a5, %a6)
}
