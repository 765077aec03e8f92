# RUN: not fxcpp emit %s --to onnx -o %t.onnx 2>&1 | FileCheck %s
# RUN: sed 's/f32\[\*\]/f32[1, 2, n, m][?]/' %s > %t.fx
# RUN: not fxcpp emit %t.fx --to onnx -o %t.onnx 2>&1 | FileCheck %s --check-prefix=RESULT

# CHECK: node pool (aten.adaptive_avg_pool2d.default): the type of its operand x is unknown
# CHECK: node norm (aten.native_layer_norm.default): the last 2 sizes of input f32[3] must equal normalized_shape
# RESULT: node up (aten.upsample_nearest2d.vec): the type of its result is unknown
graph(%x : f32[*], %row : f32[3]) {
  %pool = aten.adaptive_avg_pool2d.default(%x, [1, 1])
  %up = aten.upsample_nearest2d.vec(%x, None, [0.3, 0.3])
  %norm = aten.native_layer_norm.default(%row, [2, 3], None, None, 1e-05)
  return (%pool, %up, %norm)
}
