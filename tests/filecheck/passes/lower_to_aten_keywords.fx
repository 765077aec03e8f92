# RUN: fxcpp opt %s --passes=lower_to_aten | FileCheck %s

# CHECK-LABEL: graph(%x : f32[2, 3], %y : f32[2, 3]) {
graph(%x : f32[2, 3], %y : f32[2, 3]) {
  # Names that Python's bindings accept in addition to the names in the schema.
  # CHECK-NEXT: %a : f32[2, 1] = aten.sum.dim_IntList(%x, [1], True)
  # CHECK-NEXT: %b : f32[2, 3] = aten.add.Tensor(%x, %y)
  # CHECK-NEXT: %c : f32[2, 3] = aten.softmax.int(%x, 1)
  %a = torch.sum(%x, axis=1, keepdims=True)
  %b = torch.add(x1=%x, x2=%y)
  %c = torch.softmax(%x, axis=1)
  # out=None is treated as omitted.
  # CHECK-NEXT: %d : f32[2, 3] = aten.mul.Tensor(%x, 2)
  %d = torch.mul(%x, 2, out=None)
  # Must not change: torch rejects these calls.
  # CHECK-NEXT: %e = torch.sum(%x, 1, axis=1)
  # CHECK-NEXT: %f = torch.roll(%x, 1, 0, 1)
  %e = torch.sum(%x, 1, axis=1)
  %f = torch.roll(%x, 1, 0, 1)
  # CHECK-NEXT: return (%a, %b, %c, %d, %e, %f)
  return (%a, %b, %c, %d, %e, %f)
}
