# RUN: fxcpp opt %s --passes functionalize | FileCheck %s
# A call for each item of a list casts its result to the dtype of the item (1051001077).
# CHECK: %[[L:[a-z_0-9]+]] : [c128[2, 1]] = aten._foreach_mul.List([%a], [%x])
# CHECK-NEXT: %[[G:[a-z_0-9]+]] : c128[2, 1] = operator.getitem(%[[L]], 0)
# CHECK-NEXT: %[[C:[a-z_0-9]+]] : c64[2, 1] = aten._to_copy.default(%[[G]], dtype=torch.complex64)
# CHECK-NEXT: aten.slice_scatter.default(%y, %[[C]]
graph(%y : c64[2, 4], %x : f64[1]) {
  %a : c64[2, 1][4, 1] = aten.slice.Tensor(%y, 1, 0, 1)
  %m : none = aten._foreach_mul_.List([%a, %a], [%x, %a])
  return %a
}
