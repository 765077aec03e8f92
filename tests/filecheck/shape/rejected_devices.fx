# RUN: not fxcpp shape %s | FileCheck %s
# faults/30-two-devices: operands on two devices. A 0-dimensional tensor on the CPU counts as a
# number.

# CHECK: error at %a {{.*}}all tensors must be on the same device: argument self is on cuda:0, argument mat2 on cpu
# CHECK: error at %c {{.*}}all tensors must be on the same device: argument self is on cuda:0, argument other on cpu
# CHECK: error at %d {{.*}}all tensors must be on the same device: argument input is on cuda:0, argument weight on cpu
# CHECK: error at %e {{.*}}all tensors must be on the same device: argument tensors is on cuda:0, argument tensors on cpu
# CHECK: error at %f {{.*}}all tensors must be on the same device: argument self is on cpu, argument other on cuda:0
# CHECK-NOT: error at %{{n|k}}
graph(%h : f32[1, 3]cuda:0, %w : f32[3, 3], %b : f32[3], %s : f32[]) {
  %a = aten.mm.default(%h, %w)
  %c = aten.add.Tensor(%h, %b)
  %d = aten.linear.default(%h, %w, %b)
  %e = aten.cat.default([%h, %w])
  %f = aten.mul_.Tensor(%w, %h)
  %n = aten.add.Tensor(%h, %s)
  %k = aten.copy_.default(%w, %h)
  return %n
}
