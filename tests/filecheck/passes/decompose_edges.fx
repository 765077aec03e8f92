# RUN: fxcpp opt %s --passes 'propagate_types,decompose{set=all}' | FileCheck %s

# A factor 0 in any spelling: the elements that it multiplies are ignored, NaN too.
# CHECK-LABEL: graph @factors(
# CHECK-NEXT: %[[ZERO:.*]] : f32[2, 4] = aten.full.default([2, 4], 0
# CHECK-NEXT: %y : f32[2, 4] = aten.add.Tensor(%[[ZERO]], %b)
# CHECK-NEXT: %[[MM:.*]] : f32[2, 4] = aten.mm.default(%m, %w)
# CHECK-NEXT: %z : f32[2, 4] = aten.expand.default(%[[MM]], [2, 4])
# CHECK-NEXT: %u : f32[2, 4] = aten.full.default([2, 4], 0
# CHECK-NEXT: %[[BMM:.*]] : f32[1, 2, 4] = aten.bmm.default(
# CHECK-NEXT: %q : f32[1, 2, 4] = aten.expand.default(%[[BMM]], [1, 2, 4])
graph @factors(%b : f32[4], %m : f32[2, 3], %w : f32[3, 4], %c : f32[1, 2, 3], %d : f32[1, 3, 4]) {
  %y = aten.addmm.default(%b, %m, %w, beta=1, alpha=0)
  %z = aten.addmm.default(%b, %m, %w, beta=False, alpha=1)
  %u = aten.addmm.default(%b, %m, %w, beta=-0.0, alpha=0)
  %q = aten.baddbmm.default(%b, %c, %d, beta=False)
  return (%y, %z, %u, %q)
}
# -----
# Tensors without elements have no maximum.
# CHECK-LABEL: graph @empty(
# CHECK-NOT: amax
graph @empty(%z : f32[4, 0], %y : f32[0, 3]) {
  %s = aten._softmax.default(%z, 1, False)
  %l = aten._log_softmax.default(%z, 1, False)
  %t = aten._softmax.default(%y, 1, False)
  %n = aten.logsumexp.default(%z, [0])
  return (%s, %l, %t, %n)
}
# -----
# Dimension 0 of a tensor without dimensions.
# CHECK-LABEL: graph @scalars(
# CHECK: %r : f32[] = aten.add.Tensor(
# CHECK: %s : f32[] = aten.div.Tensor(
graph @scalars(%x : f32[]) {
  %r = aten.logsumexp.default(%x, [0])
  %s = aten._softmax.default(%x, 0, False)
  %k = aten.logsumexp.default(%x, [-1], True)
  return (%r, %s, %k)
}
# -----
# torch.export's batch norm.
# CHECK-LABEL: graph @batch_norm(
# CHECK-NOT: batch_norm
# CHECK: return
graph @batch_norm(%x : f32[2, 4, 3, 3], %w : f32[4], %b : f32[4], %m : f32[4], %v : f32[4]) {
  %y = aten.batch_norm.default(%x, %w, %b, %m, %v, False, 0.1, 1e-05, True)
  %z = aten.batch_norm.default(%x, None, None, None, None, True, 0.1, 1e-05, True)
  %t = aten.batch_norm.default(%x, None, None, %m, %v, True, 0.1, 1e-05, True)
  return (%y, %z, %t)
}
