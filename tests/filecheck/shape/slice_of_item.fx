# A number that a call reads from a tensor may be negative: a slice counts such a bound from the end.
# RUN: fxcpp opt %s --passes propagate_types | FileCheck %s
# The symbols stay if the types are computed again.
# RUN: fxcpp opt %s --passes propagate_types,propagate_types --check-changed --stats 2>&1 >/dev/null | FileCheck %s --check-prefix=AGAIN
# AGAIN: 1 propagate_types changed
# AGAIN: 2 propagate_types no change
# CHECK: %a : f32[u1, 4]{offset=12 - 4*u1} = aten.slice.Tensor(%x, 0, %i)
# CHECK: %b : f32[u2, 4] = aten.slice.Tensor(%x, 0, 0, %i)
# CHECK: %g : f32[u3, 4][8, 1]{offset=4} = aten.slice.Tensor(%x, 0, 1, %i, 2)
# CHECK: %h : f32[u4, 4]{offset=u5} = aten.slice.Tensor(%x, 0, %i, 2)
# CHECK: %c : f32[u[[N:[0-9]+]], 4]{offset=12 - 4*u[[N]]} = operator.getitem(%x, slice(%t, None, None))
# CHECK: %d = operator.getitem(%x, True)
# CHECK: %e = aten.view.default(%x, [%i, 4])
# The number of elements is a size.
# CHECK: %m : f32[Min(3, u{{[0-9]+}}), 4] = aten.slice.Tensor(%x, 0, 0, %n)
graph(%x : f32[3, 4], %t : i64[], %y : f32[5]) {
  %i = aten.item.default(%t)
  %a = aten.slice.Tensor(%x, 0, %i)
  %b = aten.slice.Tensor(%x, 0, 0, %i)
  %g = aten.slice.Tensor(%x, 0, 1, %i, 2)
  %h = aten.slice.Tensor(%x, 0, %i, 2)
  %c = operator.getitem(%x, slice(%t, None, None))
  %d = operator.getitem(%x, True)
  %e = aten.view.default(%x, [%i, 4])
  %k = aten.nonzero.default(%y)
  %n = aten.sym_size.int(%k, 0)
  %m = aten.slice.Tensor(%x, 0, 0, %n)
  return (%a, %b, %g, %h, %c, %d, %e, %m)
}
