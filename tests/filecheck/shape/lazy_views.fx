# RUN: fxcpp opt %s --passes propagate_types | FileCheck %s
# Most operators receive a dense copy of a lazily conjugated or negated tensor, which determines the
# strides of their results. If the strides differ from those for a plain tensor, they are unknown
# (1000709954).
graph(%x : c64[2, 2, 2, 2], %y : f32[3], %z : f32[2, 3][1, 2], %p : f32[2, 2, 2, 2], %q : f32[2, 3]) {
  # An input of a nested graph is a lazy view only if an operand is one.
  # CHECK: graph @plain(%a : f32[2, 1, 2, 2][8, 1, 4, 2]) {
  # CHECK-NEXT: %b : b8[2, 1, 2, 2][4, 1, 2, 1] = aten.isnan.default(%a)
  graph @plain(%a) {
    %b = aten.isnan.default(%a)
    return [%b]
  }
  # The first call passes a plain tensor, the second a lazy view. Both have the same type.
  # CHECK: graph @nested(%a : f32[2, 1, 2, 2][8, 1, 4, 2]) {
  # CHECK-NEXT: %b : b8[2, 1, 2, 2][?] = aten.isnan.default(%a)
  graph @nested(%a) {
    %b = aten.isnan.default(%a)
    return [%b]
  }
  # A graph may return a lazy view.
  graph @returns(%a) {
    %b = aten._neg_view.default(%a)
    return [%b]
  }
  %s = aten.permute.default(%x, [0, 3, 1, 2])
  %m = aten.slice.Tensor(%s, 1, 0, 1)
  # A plain view, and a lazy view of it.
  # CHECK: %plain : b8[2, 1, 2, 2][4, 1, 2, 1] = aten.isnan.default(%m)
  %plain = aten.isnan.default(%m)
  %c = aten._conj.default(%m)
  # CHECK: %lazy : b8[2, 1, 2, 2][?] = aten.isnan.default(%c)
  %lazy = aten.isnan.default(%c)
  # A dense lazy view is not changed by the copy.
  %dense = aten._conj.default(%x)
  # CHECK: %abs : f32[2, 2, 2, 2] = aten.abs.default(%dense)
  %abs = aten.abs.default(%dense)
  # An expanded operand does not determine the order of dimensions, but its copy does.
  %e = aten.expand.default(%y, [2, 3])
  %n = aten._neg_view.default(%e)
  # CHECK: %one : f32[2, 3][1, 2] = aten.add.Tensor(%e, %z)
  %one = aten.add.Tensor(%e, %z)
  # CHECK: %two : f32[2, 3][?] = aten.add.Tensor(%n, %z)
  %two = aten.add.Tensor(%n, %z)
  # CHECK: %three : f32[2, 3] = aten.add.Tensor(%n, %q)
  %three = aten.add.Tensor(%n, %q)
  # CHECK: %stack : f32[2, 2, 3] = aten.stack.default([%n, %z])
  %stack = aten.stack.default([%n, %z])
  # Copies are plain tensors.
  %copy = aten.clone.default(%n)
  # CHECK: %four : f32[2, 3] = aten.add.Tensor(%copy, %z)
  %four = aten.add.Tensor(%copy, %z)
  %r = aten.permute.default(%p, [0, 3, 1, 2])
  %j = aten.slice.Tensor(%r, 1, 0, 1)
  %run = higher_order.wrap(@nested, %j)
  %o = aten._neg_view.default(%j)
  %again = higher_order.wrap(@nested, %o)
  %only = higher_order.wrap(@plain, %j)
  %views = higher_order.wrap(@returns, %j)
  %view = operator.getitem(%views, 0)
  # CHECK: %five : b8[2, 1, 2, 2][?] = aten.isnan.default(%view)
  %five = aten.isnan.default(%view)
  return (%plain, %lazy, %abs, %one, %two, %three, %stack, %four, %run, %again, %only, %five)
}
