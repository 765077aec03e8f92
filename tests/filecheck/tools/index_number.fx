# A tensor of rank 0 is an index that is read as a number; ONNX and MLIR contain the selection.
# RUN: fxcpp emit %s --to mlir 2>/dev/null | FileCheck %s --check-prefix=MLIR
# RUN: fxcpp emit %s --to onnx -o %t.onnx
# RUN: fxcpp convert %t.onnx -o - | FileCheck %s --check-prefix=ONNX
# MLIR: [[INDEX:%.*]] = torch.aten.Int.Tensor %i
# MLIR: torch.aten.select.int %x, %int.0, [[INDEX]] : {{.*}} -> !torch.vtensor<[4],f32>
# ONNX: [[INDEX:%.*]] : i64[] = aten.reshape.default(%i, [])
# ONNX: f32[4] = aten.index.Tensor(%x, {{\[}}[[INDEX]]])
graph(%x : f32[3, 4], %i : i64[]) {
  %row = operator.getitem(%x, %i)
  return %row
}
