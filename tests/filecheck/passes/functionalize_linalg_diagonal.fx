# RUN: fxcpp opt %s --passes functionalize --check-changed | FileCheck %s
# The default dimensions of linalg_diagonal differ from those of diagonal.
graph(%x : f32[2, 3, 3], %b : f32[2, 3]) {
  # CHECK: %[[SUM:.*]] : f32[2, 3] = aten.add.Tensor(
  # CHECK: aten.diagonal_scatter.default(%{{.*}}, %[[SUM]], 0, -2, -1)
  %x2 : f32[2, 3, 3] = aten.clone.default(%x)
  %diagonal : f32[2, 3][9, 4] = aten.linalg_diagonal.default(%x2)
  %add_ : f32[2, 3][9, 4] = aten.add_.Tensor(%diagonal, %b)
  return %x2
}
