# RUN: fxcpp opt %s --passes propagate_types --check-changed -o %t.fx
# RUN: FileCheck %s < %t.fx
# RUN: fxcpp opt %t.fx --passes propagate_types --check-changed | FileCheck %s
# The symbol of a size that depends on data differs from symbols of inputs and other calls, and does
# not change when types are inferred again. A stride that depends on data is greater than 1: a call
# after nonzero preserves its order of dimensions.
# CHECK-NOT: u{{[0-9]+}} <=
# CHECK: %x : f32[u0]
graph(%x : f32[u0], %y : f32[4, 4], %m : b8[3], %v : f32[3]) {
  # CHECK: %n : i64[u[[N:[0-9]+]], 2][1, u[[N]]] = aten.nonzero.default(%y)
  %n = aten.nonzero.default(%y)
  # CHECK: %a : i64[u[[N]], 2][1, u[[N]]] = aten.add.Tensor(%n, 1)
  %a = aten.add.Tensor(%n, 1)
  # CHECK: %k : f32[u[[K:[0-9]+]]] = aten.masked_select.default(%v, %m)
  %k = aten.masked_select.default(%v, %m)
  # CHECK: %b : f32[u[[K]]] = aten.neg.default(%k)
  %b = aten.neg.default(%k)
  # A recorded symbol that belongs to another call is replaced.
  # CHECK: %o : i64[u[[O:[0-9]+]], 1]
  %o : i64[u0, 1][1, u0] = aten.nonzero.default(%v)
  # CHECK: %s : f32[u0] = aten.neg.default(%x)
  %s = aten.neg.default(%x)
  return (%n, %a, %k, %b, %o, %s)
}
