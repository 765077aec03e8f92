# RUN: fxcpp opt %s --passes=eliminate_common_subexpressions --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes='eliminate_common_subexpressions{commutative}' --check-changed | FileCheck %s --check-prefix=SWAPPED
# RUN: fxcpp opt %s --passes='eliminate_common_subexpressions{commutative},eliminate_common_subexpressions{commutative}' --check-changed | FileCheck %s --check-prefix=SWAPPED
# parity: P30

# CHECK-LABEL: graph(%x : f32[3], %y : f32[3]) {
graph(%x : f32[3], %y : f32[3]) {
  # Computed once. The users of the second call are equal after that, and are merged too.
  # CHECK-NEXT: %a : f32[3] = aten.mul.Tensor(%x, 2)
  # CHECK-NEXT: %c = aten.relu.default(%a)
  %a : f32[3] = aten.mul.Tensor(%x, 2)
  %b : f32[3] = aten.mul.Tensor(%x, 2)
  %c = aten.relu.default(%a)
  %d = aten.relu.default(%b)
  # Must not change: a different literal, random numbers.
  # CHECK-NEXT: %e = aten.mul.Tensor(%x, 2.0)
  # CHECK-NEXT: %r : f32[3] = aten.rand_like.default(%x)
  # CHECK-NEXT: %s : f32[3] = aten.rand_like.default(%x)
  %e = aten.mul.Tensor(%x, 2.0)
  %r : f32[3] = aten.rand_like.default(%x)
  %s : f32[3] = aten.rand_like.default(%x)
  %b2 : f32[3] = aten.mul.Tensor(%x, 2)
  # Must not change: a call between the two calls writes to the operand.
  # CHECK-NEXT: %w = aten.add_.Tensor(%x, 1)
  # CHECK-NEXT: %f = aten.mul.Tensor(%x, 2)
  %w = aten.add_.Tensor(%x, 1)
  %f = aten.mul.Tensor(%x, 2)
  # With the option `commutative`, x + y equals y + x, but not with alpha; x - y is not commutative.
  # CHECK-NEXT: %g = aten.eq.Tensor(%r, %s)
  # CHECK-NEXT: %h = aten.eq.Tensor(%s, %r)
  # SWAPPED:      %g = aten.eq.Tensor(%r, %s)
  # SWAPPED-NEXT: %i = aten.add.Tensor(%r, %s, alpha=2)
  # SWAPPED-NEXT: %j = aten.add.Tensor(%s, %r, alpha=2)
  # SWAPPED-NEXT: %k = aten.mul.Tensor(%a, %r)
  # SWAPPED-NEXT: %all = aten.stack.default([%c, %c, %e, %r, %s, %f, %g, %g, %i, %j, %k, %k])
  %g = aten.eq.Tensor(%r, %s)
  %h = aten.eq.Tensor(%s, %r)
  %i = aten.add.Tensor(%r, %s, alpha=2)
  %j = aten.add.Tensor(%s, %r, alpha=2)
  # The order of calls is kept: %b is replaced with %a, which precedes %r.
  # CHECK: %k = aten.mul.Tensor(%a, %r)
  # CHECK-NEXT: %l = aten.mul.Tensor(%r, %a)
  %k = aten.mul.Tensor(%a, %r)
  %l = aten.mul.Tensor(%r, %b2)
  # CHECK: %all = aten.stack.default([%c, %c, %e, %r, %s, %f, %g, %h, %i, %j, %k, %l])
  %all = aten.stack.default([%c, %d, %e, %r, %s, %f, %g, %h, %i, %j, %k, %l])
  return %all
}
