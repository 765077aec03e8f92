# RUN: fxcpp opt %s --passes decompose | FileCheck %s
# If the schema requires a tensor, an operand without a type is not a number. The calls are kept.
# CHECK: %a : f32[3] = aten.where.ScalarOther(%c, %t, -1.0)
# CHECK-NEXT: %b : f32[3] = aten.where.ScalarSelf(%c, 2.0, %t)
# CHECK-NEXT: %d : f32[3] = aten.rsub.Tensor(%u, %t)
# CHECK-NEXT: %m : f32[3] = aten.masked_fill.Tensor(%u, %c, %t)
# With types, the calls are replaced.
# CHECK: %w : f32[3] = aten.where.self
graph(%c : b8[3], %t, %u : f32[3]) {
  %a : f32[3] = aten.where.ScalarOther(%c, %t, -1.0)
  %b : f32[3] = aten.where.ScalarSelf(%c, 2.0, %t)
  %d : f32[3] = aten.rsub.Tensor(%u, %t)
  %m : f32[3] = aten.masked_fill.Tensor(%u, %c, %t)
  %w : f32[3] = aten.where.ScalarOther(%c, %u, -1.0)
  return (%a, %b, %d, %m, %w)
}
