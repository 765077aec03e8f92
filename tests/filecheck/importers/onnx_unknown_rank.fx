# RUN: not fxcpp emit %s --to onnx -o %t.onnx 2>&1 | FileCheck %s
# RUN: sed 's/f32\[\*\]/f32[1, 2, n, m][?]/' %s > %t.fx
# RUN: not fxcpp emit %t.fx --to onnx -o %t.onnx 2>&1 | FileCheck %s --check-prefix=RESULT

# CHECK: node pool (aten.adaptive_avg_pool2d.default): the type of its operand x is unknown
# RESULT: node up (aten.upsample_nearest2d.vec): the type of its result is unknown
graph(%x : f32[*]) {
  %pool = aten.adaptive_avg_pool2d.default(%x, [1, 1])
  %up = aten.upsample_nearest2d.vec(%x, None, [0.3, 0.3])
  return (%pool, %up)
}
