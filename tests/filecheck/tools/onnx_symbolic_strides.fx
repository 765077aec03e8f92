# RUN: fxcpp emit %s --to onnx -o %t.onnx && fxcpp print %t.onnx | FileCheck %s
# The order of the strides of the sum depends on n and m, but its dtype does not.
# CHECK: aten.add.Tensor
# CHECK: aten.gt.Tensor
graph(%x : f32[n, m], %i : i64[]) {
  %t : f32[m, n][1, m] = aten.t.default(%x)
  %y : f32[m, n][1, m] = aten.add.Tensor(%t, 1)
  %z : b8[m, n][1, m] = aten.gt.Tensor(%t, %i)
  return (%y, %z)
}
