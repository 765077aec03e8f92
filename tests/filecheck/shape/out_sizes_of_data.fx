# out= is resized to the size of a result that depends on data, which may differ from its size. Whether
# it keeps its strides is then unknown; a vector without gaps has the stride 1 in both cases.
# RUN: fxcpp opt %s --passes propagate_types | FileCheck %s
# RUN: not fxcpp opt %s --passes propagate_types,functionalize 2>&1 | FileCheck --check-prefix=INPUT %s
# INPUT: resizes o, which is a view, has views or is an input
graph(%x : f32[4, 4], %m : b8[4, 4], %o : f32[5], %i : i64[3, 2], %g : f32[5][2]) {
  # CHECK: %a : f32[u0] = aten.masked_select.out
  %a = aten.masked_select.out(%x, %m, out=%o)
  # CHECK: %b : i64[u1, 2][?] = aten.nonzero.out
  %b = aten.nonzero.out(%x, out=%i)
  # CHECK: %c : f32[u2] = aten.masked_select.out
  %e = aten.empty.memory_format([0], dtype=torch.float32)
  %c = aten.masked_select.out(%x, %m, out=%e)
  # CHECK: %s : f32[u2] = aten.neg.default(%e
  %s = aten.neg.default(%e)
  # CHECK: %d : f32[u3][?] = aten.masked_select.out
  %d = aten.masked_select.out(%x, %m, out=%g)
  return (%a, %b, %c, %d, %s)
}
