# RUN: fxcpp opt %s --passes 'propagate_types,decompose{set=all}' | FileCheck %s
# Tensors without elements do not have a maximum.
# CHECK-LABEL: graph @empty(
# CHECK-NOT: amax
graph @empty(%z : f32[4, 0], %y : f32[0, 3], %i : i64[1], %x : f32[1, 3], %w : f32[0, 1]) {
  %s = aten._softmax.default(%z, 1, False)
  %l = aten._log_softmax.default(%z, 1, False)
  %t = aten._softmax.default(%y, 1, False)
  %n = aten.logsumexp.default(%z, [0])
  # index_add ignores indices into a dimension without elements, but index_put rejects them (1011227581).
  # CHECK: %a : f32[0, 3] = aten.clone.default(%y)
  # CHECK: aten.index_put.default(%y
  %a = aten.index_add.default(%y, -2, %i, %x)
  %b = aten.index_add.default(%y, 1, %i, %w)
  return (%s, %l, %t, %n, %a, %b)
}
