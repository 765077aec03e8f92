# RUN: fxcpp opt %s --passes 'propagate_types,decompose{set=all}' | FileCheck %s
# A 0-dimensional tensor has dimension 0.
# CHECK-LABEL: graph @scalars(
# CHECK: %r : f32[] = aten.add.Tensor(
# CHECK: %s : f32[] = aten.div.Tensor(
graph @scalars(%x : f32[]) {
  %r = aten.logsumexp.default(%x, [0])
  %s = aten._softmax.default(%x, 0, False)
  %k = aten.logsumexp.default(%x, [-1], True)
  return (%r, %s, %k)
}
