# ONNX has no assertions: the command lists those that it omits.
# RUN: fxcpp emit %s --to onnx -o %t.onnx 2>&1 | FileCheck %s
# RUN: fxcpp emit %S/inputs/small.fx --to onnx -o %t.small.onnx 2>&1 | FileCheck %s --check-prefix=NONE --allow-empty
# CHECK: # {{.*}}.onnx does not contain the assertions %check, %range
# NONE-NOT: does not contain
graph(%x : f32[3], %b : b8[], %i : i64[]) {
  %check = aten._assert_async.msg(%b, "the flag must be set")
  %k : SymInt(u0) = aten.item.default(%i)
  %range = aten.sym_constrain_range.default(%k, min=0, max=2)
  %y : f32[3] = aten.relu.default(%x)
  return %y
}
