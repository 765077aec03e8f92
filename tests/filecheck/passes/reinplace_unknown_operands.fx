# RUN: fxcpp opt %s --passes reinplace --check-changed | FileCheck %s
# Must not change: an operand of unknown dtype may require gradients, and so would the mask that is written.
graph(%x : f32[4], %y, %z : tensor[4], %list, %i : i64[4]) {
  # CHECK: %a : b8[4] = aten.eq.Tensor(%m, %y)
  # CHECK-NEXT: %b : b8[4] = aten.ne.Tensor(%a, %z)
  %m : b8[4] = aten.gt.Scalar(%x, 0)
  %a : b8[4] = aten.eq.Tensor(%m, %y)
  %b : b8[4] = aten.ne.Tensor(%a, %z)
  # CHECK-NEXT: %c : b8[4] = aten.index_put.default(%b, [%list], %y)
  %c : b8[4] = aten.index_put.default(%b, [%list], %y)
  # CHECK-NEXT: %d : b8[4] = aten.eq_.Tensor(%c, %i)
  %d : b8[4] = aten.eq.Tensor(%c, %i)
  return %d
}
