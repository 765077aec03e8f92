# A complex factor of real numbers, which eager mode accepts if there are no elements, is kept.
# RUN: fxcpp opt %s --passes decompose --check-changed | FileCheck %s
# CHECK: aten.index_add.default(%x, 1, %i, %x, alpha=complex(inf, inf))
# CHECK: aten.index_put.default(%x, [None, %i], %x, True)
graph(%x : f16[0, 4], %i : i64[4]) {
  %a = aten.index_add.default(%x, 1, %i, %x, alpha=complex(inf, inf))
  %b = aten.index_add.default(%x, 1, %i, %x)
  return (%a, %b)
}
