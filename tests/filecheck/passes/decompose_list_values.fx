# A list that is a value of the graph is not decomposed.
# RUN: fxcpp opt %s --passes "decompose{set=all}" | FileCheck %s
graph(%l, %s : [f32[2], f32[2]], %x : f32[2, 2]) {
  # CHECK: aten.stack.default(%l)
  # CHECK: aten.stack.default(%s)
  # CHECK: aten.hstack.default(%s)
  # CHECK: aten.einsum.default("i,j->ij", %s)
  %a = aten.stack.default(%l)
  %b = aten.stack.default(%s)
  %c = aten.hstack.default(%s)
  %d = aten.einsum.default("i,j->ij", %s)
  # CHECK: aten.cat.default
  %e = aten.stack.default([%x, %x])
  return (%a, %b, %c, %d, %e)
}
