# RUN: fxcpp opt %s --passes 'decompose{set=all}' | FileCheck %s

# Formulas create their nodes from left to right, independently of the compiler that compiled fxcpp.
graph(%m : bf16[3, 4], %v : bf16[4], %x : f32[3]) {
  # CHECK: %[[M:.*]] : f32[3, 4] = aten._to_copy.default(%m, dtype=torch.float32)
  # CHECK-NEXT: %[[V:.*]] : f32[4] = aten._to_copy.default(%v, dtype=torch.float32)
  # CHECK-NEXT: aten.mul.Tensor(%[[M]], %[[V]])
  %mv : bf16[3] = aten.mv.default(%m, %v)
  # CHECK: aten.le.Scalar(%x, 0)
  # CHECK: %[[EXP:.*]] : f32[3] = aten.exp.default(
  # CHECK-NEXT: aten.mul.Tensor({{.*}}, %[[EXP]])
  # CHECK-NEXT: aten.mul.Tensor(%x, 1.0)
  # CHECK-NEXT: %elu : f32[3] = aten.where.self(
  %elu : f32[3] = aten.elu_backward.default(%x, 1.0, 1.0, 1.0, False, %x)
  # CHECK-NEXT: %[[LOW:.*]] : b8[3] = aten.le.Scalar(%x, -1.0)
  # CHECK-NEXT: %[[HIGH:.*]] : b8[3] = aten.ge.Scalar(%x, 1.0)
  # CHECK-NEXT: aten.bitwise_or.Tensor(%[[LOW]], %[[HIGH]])
  %hardtanh : f32[3] = aten.hardtanh_backward.default(%x, %x, -1.0, 1.0)
  return (%mv, %elu, %hardtanh)
}
