# RUN: fxcpp opt %s --passes 'eliminate_common_subexpressions{commutative}' --check-changed | FileCheck %s
# libtorch's kernels compute different numbers if these operands are swapped (1000992467).
graph(%h : f16[4], %b : bf16[4], %i : i64[1], %f : f32[], %g : f64[4], %j : i64[4], %c : c64[4], %z : c64[4]) {
  # 16-bit numbers: a second operand with one element is converted to float32, and a first operand to
  # 16 bits, where 100000 is infinite. A number is such an operand.
  # CHECK: aten.mul.Tensor(%i, %h)
  # CHECK-NEXT: aten.mul.Tensor(%h, %i)
  # CHECK-NEXT: aten.mul.Tensor(%f, %b)
  # CHECK-NEXT: aten.mul.Tensor(%b, %f)
  # CHECK-NEXT: aten.multiply.Tensor(%f, %h)
  # CHECK-NEXT: aten.multiply.Tensor(%h, %f)
  # CHECK-NEXT: operator.mul(%f, %h)
  # CHECK-NEXT: operator.mul(%h, %f)
  %a1 : f16[4] = aten.mul.Tensor(%i, %h)
  %a2 : f16[4] = aten.mul.Tensor(%h, %i)
  %a3 : bf16[4] = aten.mul.Tensor(%f, %b)
  %a4 : bf16[4] = aten.mul.Tensor(%b, %f)
  %a5 : f16[4] = aten.multiply.Tensor(%f, %h)
  %a6 : f16[4] = aten.multiply.Tensor(%h, %f)
  %a7 : f16[4] = operator.mul(%f, %h)
  %a8 : f16[4] = operator.mul(%h, %f)
  # A sum of complex numbers: the second operand is multiplied by a complex 1.
  # CHECK-NEXT: aten.add.Tensor(%c, %z)
  # CHECK-NEXT: aten.add.Tensor(%z, %c)
  # CHECK-NEXT: aten.add.Tensor(%g, %c)
  # CHECK-NEXT: aten.add.Tensor(%c, %g)
  %b1 : c64[4] = aten.add.Tensor(%c, %z)
  %b2 : c64[4] = aten.add.Tensor(%z, %c)
  %b3 : c128[4] = aten.add.Tensor(%g, %c)
  %b4 : c128[4] = aten.add.Tensor(%c, %g)
  %h2 : f16[4] = aten.abs.default(%h)
  # Merged: the same 16-bit dtype, wider numbers, complex products,
  # and 16-bit numbers with wider ones.
  # CHECK: %c1 : f16[4] = aten.mul.Tensor(%h, %h2)
  # CHECK-NEXT: %d1 : f64[4] = aten.mul.Tensor(%g, %j)
  # CHECK-NEXT: %g1 : f64[4] = aten.mul.Tensor(%h, %g)
  # CHECK-NEXT: %e1 : c64[4] = aten.mul.Tensor(%c, %z)
  # CHECK-NEXT: %f1 : f64[4] = aten.add.Tensor(%g, %j)
  # CHECK-NEXT: aten.stack
  %c1 : f16[4] = aten.mul.Tensor(%h, %h2)
  %c2 : f16[4] = aten.mul.Tensor(%h2, %h)
  %d1 : f64[4] = aten.mul.Tensor(%g, %j)
  %d2 : f64[4] = aten.mul.Tensor(%j, %g)
  %g1 : f64[4] = aten.mul.Tensor(%h, %g)
  %g2 : f64[4] = aten.mul.Tensor(%g, %h)
  %e1 : c64[4] = aten.mul.Tensor(%c, %z)
  %e2 : c64[4] = aten.mul.Tensor(%z, %c)
  %f1 : f64[4] = aten.add.Tensor(%g, %j)
  %f2 : f64[4] = aten.add.Tensor(%j, %g)
  %all = aten.stack.default([%a1, %a2, %a3, %a4, %a5, %a6, %a7, %a8, %b1, %b2, %b3, %b4, %c1, %c2, %d1, %d2, %g1, %g2, %e1, %e2, %f1, %f2])
  return %all
}
