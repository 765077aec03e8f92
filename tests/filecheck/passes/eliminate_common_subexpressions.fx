# RUN: fxcpp opt %s --passes=eliminate_common_subexpressions | FileCheck %s

# CHECK-LABEL: graph(%x, %y) {
graph(%x, %y) {
  # Computed once; what reads the second is merged in turn.
  # CHECK-NEXT: %a = aten.mul.Tensor(%x, 2)
  # CHECK-NEXT: %c = aten.relu.default(%a)
  %a = aten.mul.Tensor(%x, 2)
  %b = aten.mul.Tensor(%x, 2)
  %c = aten.relu.default(%a)
  %d = aten.relu.default(%b)
  # Must not change: another literal, random numbers.
  # CHECK-NEXT: %e = aten.mul.Tensor(%x, 2.0)
  # CHECK-NEXT: %r = aten.rand_like.default(%x)
  # CHECK-NEXT: %s = aten.rand_like.default(%x)
  %e = aten.mul.Tensor(%x, 2.0)
  %r = aten.rand_like.default(%x)
  %s = aten.rand_like.default(%x)
  # Must not change: a write to what it reads stands between.
  # CHECK-NEXT: %w = aten.add_.Tensor(%x, 1)
  # CHECK-NEXT: %f = aten.mul.Tensor(%x, 2)
  %w = aten.add_.Tensor(%x, 1)
  %f = aten.mul.Tensor(%x, 2)
  # CHECK-NEXT: return (%c, %c, %e, %r, %s, %f)
  return (%c, %d, %e, %r, %s, %f)
}
