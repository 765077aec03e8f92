# RUN: fxcpp opt %s --passes simplify --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes 'simplify{signed_zeros=false}' --check-changed | FileCheck %s --check-prefix=ANY
# An infinite or unknown alpha is never 0.
# CHECK-LABEL: graph(
# ANY-LABEL: graph(
graph(%x : f32[2], %n : int) {
  # CHECK: aten.add.Tensor(%s, 0, alpha=inf)
  # CHECK: aten.sub.Tensor(%s, 0, alpha=%n)
  # ANY: aten.add.Tensor(%s, 0, alpha=inf)
  # ANY: aten.sub.Tensor(%s, 0, alpha=%n)
  %s : f32[2] = aten.sin.default(%x)
  %a : f32[2] = aten.add.Tensor(%s, 0, alpha=inf)
  %b : f32[2] = aten.sub.Tensor(%s, 0, alpha=%n)
  %c : f32[2] = aten.cos.default(%a)
  %d : f32[2] = aten.cos.default(%b)
  return (%c, %d)
}
