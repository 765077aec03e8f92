# RUN: fxcpp opt %s --passes 'propagate_types,decompose{set=all}' | FileCheck %s
# The empty statistics of a batch norm in inference mode do not share memory.
# CHECK:      %full : f32[0] = aten.full.default([0], 0, dtype=torch.float32, device=device(cpu))
# CHECK-NEXT: %full_1 : f32[0] = aten.full.default([0], 0, dtype=torch.float32, device=device(cpu))
# CHECK:      return (%{{[a-z0-9_]+}}, %full, %full_1)
graph(%x : f32[2, 4], %m : f32[4], %v : f32[4]) {
  %bn = aten.native_batch_norm.default(%x, None, None, %m, %v, False, 0.1, 1e-05)
  %a = operator.getitem(%bn, 0)
  %b = operator.getitem(%bn, 1)
  %c = operator.getitem(%bn, 2)
  return (%a, %b, %c)
}
