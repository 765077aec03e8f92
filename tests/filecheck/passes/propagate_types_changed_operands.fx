# RUN: fxcpp opt %s --passes propagate_types --check-changed | FileCheck %s
# `atleast_2d`, `real` and `flatten` return some operands themselves, and these have different sizes
# after a write that resizes them (out=). Types of later views are then unknown. A view whose type
# differs from the operand's is a different tensor.
graph(%x : f32[4, 6], %a : f64[4, 4], %b : f64[4, 4], %c : f64[4, 4], %d : f64[4], %e : f64[4, 4], %f : f64[4, 4][1, 4]) {
  %a1 = aten.atleast_2d.default(%a)
  %b1 = aten.real.default(%b)
  %c1 = aten.flatten.using_ints(%c, 1, 1)
  %d1 = aten.atleast_2d.default(%d)
  %a2 = aten.add.out(%x, %x, out=%a)
  %b2 = aten.add.out(%x, %x, out=%b)
  %c2 = aten.add.out(%x, %x, out=%c)
  %d2 = aten.add.out(%x, %x, out=%d)
  # CHECK: %a3 = aten.select.int(%a1, 1, -3)
  # CHECK: %b3 = aten.select.int(%b1, 1, -3)
  # CHECK: %c3 = aten.select.int(%c1, 1, -3)
  # CHECK: %d3 : f64[1][4]{offset=1} = aten.select.int(%d1, 1, -3)
  %a3 = aten.select.int(%a1, 1, -3)
  %b3 = aten.select.int(%b1, 1, -3)
  %c3 = aten.select.int(%c1, 1, -3)
  %d3 = aten.select.int(%d1, 1, -3)
  # The same holds for views of the operand itself; %f1 is a copy.
  # CHECK: %e4 = aten.select.int(%e, 1, -3)
  # CHECK: %f3 : f64[4]{offset=4} = aten.select.int(%f, 1, -3)
  %e1 = aten.atleast_2d.default(%e)
  %e2 = aten.contiguous.default(%e1)
  %e3 = aten.add.out(%x, %x, out=%e2)
  %e4 = aten.select.int(%e, 1, -3)
  %f1 = aten.contiguous.default(%f)
  %f2 = aten.add.out(%x, %x, out=%f1)
  %f3 = aten.select.int(%f, 1, -3)
  return (%a3, %b3, %c3, %d3, %e4, %f3)
}
