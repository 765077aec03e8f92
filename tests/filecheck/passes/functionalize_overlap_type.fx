# After a write to an expanded tensor, its views are created again: aten.copy cannot create a tensor
# whose elements overlap.
# RUN: fxcpp opt %s --passes functionalize | FileCheck %s
graph(%x : tensor[6]) {
  %p : i64[6] = aten.permute.default(%x, [0])
  %e : i64[3, 6][0, 1] = aten.expand.default(%p, [3, 6])
  %a : tensor[1, 1][2, 3]{offset=1} = aten.as_strided.default(%x, [1, 1], [2, 3], 1)
  %s : i64[3, 6][0, 1] = aten.squeeze.dim(%e, 1)
  %f : i64[3, 6][0, 1] = aten.fill_.Scalar(%s, 3)
  return [%p, %e, %s, %a]
}
# CHECK: %fill : i64[3, 6] = aten.fill.Scalar(%s, 3)
# CHECK-NEXT: %[[ROW:.*]] : i64[6] = aten.select.int(%fill, 0, 0)
# CHECK: %[[E:.*]] : i64[3, 6][0, 1] = aten.expand.default(%[[ROW]], [3, 6])
# CHECK: %[[S:.*]] : i64[3, 6][0, 1] = aten.squeeze.dim(%[[E]], 1)
# CHECK: return [%[[ROW]], %[[E]], %[[S]], %{{.*}}]
