# RUN: fxcpp opt %s --passes propagate_types,functionalize | FileCheck %s
# The elements of a dense copy have other positions: as_strided_scatter must not receive one.
graph(%x : c64[4, 6]) {
  %gaps = aten.slice.Tensor(%x, 1, 0, 6, 2)
  %lazy = aten._conj.default(%gaps)
  # CHECK: %[[MEMORY:.*]] : c64[4, 3][6, 2] = aten.new_empty_strided.default(%lazy, [4, 3], [6, 2])
  # CHECK-NEXT: %[[COPY:.*]] : c64[4, 3][6, 2] = aten.copy.default(%[[MEMORY]], %lazy)
  # CHECK-NEXT: aten.as_strided_scatter.default(%[[COPY]],
  %strided = aten.as_strided.default(%lazy, [2, 2], [6, 4], 2)
  %written = aten.mul_.Tensor(%strided, 2)
  return %lazy
}
