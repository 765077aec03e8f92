# RUN: fxcpp opt %s --passes 'eliminate_common_subexpressions{commutative}' --check-changed | FileCheck %s
# The strides of a result may depend on the order of operands. They are swapped only if the types
# show that the result has the same strides.

# CHECK-LABEL: graph(
graph(%x : f32[2, 3], %y : f32[2, 3][1, 2], %s : f32[3], %u, %v : f32[*], %h : f16[2, 3], %z : f32[]) {
  # Must not change: transposed.
  # CHECK: %a : f32[2, 3] = aten.add.Tensor(%x, %y)
  # CHECK: %b : f32[2, 3][1, 2] = aten.add.Tensor(%y, %x)
  %a : f32[2, 3] = aten.add.Tensor(%x, %y)
  %b : f32[2, 3][1, 2] = aten.add.Tensor(%y, %x)
  # Must not change: an operand without a type, or without a rank.
  # CHECK: aten.mul.Tensor(%u, %x)
  # CHECK: aten.mul.Tensor(%v, %x)
  # CHECK: aten.mul.Tensor(%v, %u)
  %c = aten.mul.Tensor(%u, %x)
  %d = aten.mul.Tensor(%v, %x)
  %e = aten.mul.Tensor(%v, %u)
  # Broadcast operands, and a different dtype: both orders have the same result type.
  # CHECK: aten.add.Tensor(%x, %s)
  # CHECK: aten.mul.Tensor(%x, %h)
  # CHECK: aten.mul.Tensor(%x, %z)
  %f = aten.add.Tensor(%s, %x)
  %g = aten.mul.Tensor(%h, %x)
  %k = aten.mul.Tensor(%z, %x)
  return (%a, %b, %c, %d, %e, %f, %g, %k)
}
