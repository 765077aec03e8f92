# RUN: fxcpp shape %s | FileCheck %s
# A mask may select no elements; no guard states otherwise.

# CHECK: row : f32[1, u0]
# CHECK: column : f32[u1, 1]
# CHECK: both : f32[u2]
# CHECK: sum : f32[1, u0]
# CHECK-NOT: guard
graph(%x : f32[1, 5], %y : f32[5, 1], %m : b8[5], %whole : b8[1, 5]) {
  %row = aten.index.Tensor(%x, [None, %m])
  %column = aten.index.Tensor(%y, [%m])
  %both = aten.index.Tensor(%x, [%whole])
  %sum = aten.add.Tensor(%row, 1)
  return (%row, %column, %both, %sum)
}
