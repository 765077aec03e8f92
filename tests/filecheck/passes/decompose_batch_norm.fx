# RUN: fxcpp opt %s --passes 'propagate_types,decompose{set=all}' | FileCheck %s
# Batch norm as torch.export records it.
# CHECK-LABEL: graph @batch_norm(
# CHECK-NOT: batch_norm
# CHECK: return
graph @batch_norm(%x : f32[2, 4, 3, 3], %w : f32[4], %b : f32[4], %m : f32[4], %v : f32[4]) {
  %y = aten.batch_norm.default(%x, %w, %b, %m, %v, False, 0.1, 1e-05, True)
  %z = aten.batch_norm.default(%x, None, None, None, None, True, 0.1, 1e-05, True)
  %t = aten.batch_norm.default(%x, None, None, %m, %v, True, 0.1, 1e-05, True)
  return (%y, %z, %t)
}
