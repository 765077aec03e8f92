# RUN: fxcpp opt %s --passes propagate_types,functionalize,propagate_types | FileCheck %s
# A copy of a lazy view is dense, so that the new value of such a view is in new memory with the
# strides of the view (1001036054, 1002096640).
graph(%x : f32[4, 6]) {
  %gaps = aten.slice.Tensor(%x, 1, 0, 6, 2)
  %lazy = aten._neg_view.default(%gaps)
  # CHECK: %tanh : f32[4, 3] = aten.tanh.default(%lazy)
  # CHECK-NEXT: %[[MEMORY:.*]] : f32[4, 3][6, 2] = aten.new_empty_strided.default(%tanh, [4, 3], [6, 2])
  # CHECK-NEXT: %[[NEW:.*]] : f32[4, 3][6, 2] = aten.copy.default(%[[MEMORY]], %tanh)
  # CHECK-NEXT: %[[NEG:.*]] : f32[4, 3] = aten.neg.default(%[[NEW]])
  # CHECK-NEXT: %[[WHOLE:.*]] : f32[4, 6] = aten.slice_scatter.default(%x, %[[NEG]], 1, 0, 6, 2)
  %written = aten.tanh_.default(%lazy)
  # Operators receive a dense copy of the lazy view, but not of its new value.
  # CHECK: %[[VIEW:.*]] : f32[4, 3][6, 2] = aten.slice.Tensor(%[[WHOLE]], 1, 0, 6, 2)
  # CHECK: %[[AGAIN:.*]] : f32[4, 3][6, 2] = aten._neg_view.default(%[[VIEW]])
  # CHECK: aten.isnan.default(%[[AGAIN]])
  %read = aten.isnan.default(%lazy)
  return %read
}
