# A number that a call reads from a tensor may be negative: a slice counts such a bound from the end.
# RUN: fxcpp opt %s --passes propagate_types | FileCheck %s
# CHECK: %a : f32[3 - u1, 4]{offset=4*u1} = aten.slice.Tensor(%x, 0, %i)
# CHECK: %b : f32[u2, 4] = aten.slice.Tensor(%x, 0, 0, %i)
# CHECK: %c : f32[3 - u[[N:[0-9]+]], 4]{offset=4*u[[N]]} = operator.getitem(%x, slice(%t, None, None))
# CHECK: %d = operator.getitem(%x, True)
# CHECK: %e = aten.view.default(%x, [%i, 4])
# The number of elements is a size.
# CHECK: %m : f32[Min(3, u{{[0-9]+}}), 4] = aten.slice.Tensor(%x, 0, 0, %n)
graph(%x : f32[3, 4], %t : i64[], %y : f32[5]) {
  %i = aten.item.default(%t)
  %a = aten.slice.Tensor(%x, 0, %i)
  %b = aten.slice.Tensor(%x, 0, 0, %i)
  %c = operator.getitem(%x, slice(%t, None, None))
  %d = operator.getitem(%x, True)
  %e = aten.view.default(%x, [%i, 4])
  %k = aten.nonzero.default(%y)
  %n = aten.sym_size.int(%k, 0)
  %m = aten.slice.Tensor(%x, 0, 0, %n)
  return (%a, %b, %c, %d, %e, %m)
}
