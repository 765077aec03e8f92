# RUN: fxcpp opt %s --passes functionalize | FileCheck %s
# mean receives a dense copy of a part of a conjugated view, and the order of the elements determines
# rounding. So the part is a view of a conjugated view again after the write (1006550505).
graph(%y : c128[4, 1, 4]) {
  %x : c128[4, 1, 4] = aten.neg.default(%y)
  %lazy : c128[4, 4, 1][4, 1, 4] = aten.adjoint.default(%x)
  %part : c128[4, 2, 1][4, 2, 4] = aten.slice.Tensor(%lazy, 1, 0, 9223372036854775807, 2)
  %written : c128[4, 2, 1][4, 2, 4] = aten.zero_.default(%part)
  # CHECK: %[[NEW:.*]] : c128[4, 4, 1][4, 1, 4] = aten.slice_scatter.default(%lazy
  # CHECK: %[[T:.*]] : c128[4, 1, 4]{{.*}} = aten.mT.default(%[[NEW]])
  # CHECK: %[[BASE:.*]] : c128[4, 1, 4] = aten.conj_physical.default(%[[T]])
  # CHECK: %[[AGAIN:.*]] : c128[4, 4, 1][4, 1, 4] = aten.adjoint.default(%[[BASE]])
  # CHECK: %[[PART:.*]] : c128[4, 2, 1][4, 2, 4] = aten.slice.Tensor(%[[AGAIN]]
  # CHECK: aten.mean.default(%[[PART]])
  %mean : c128[] = aten.mean.default(%part)
  return %mean
}
