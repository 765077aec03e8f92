# RUN: fxcpp opt %s --passes decompose | FileCheck %s

# Must not change: a view of contiguous memory is sufficient.
# CHECK:      %[[Q:.*]] : f32[b, 3, t, 8] = aten.expand.default(%q,
# CHECK-NEXT: %{{.*}} : f32[3*b, t, 8] = aten.view.default(%[[Q]],
# Whether the batch and the heads of %k are contiguous depends on the batch size, which may be 1. A
# view must be valid for all batch sizes.
# CHECK:      %[[K:.*]] : f32[b, 3, 8, t][72*t, 8, 1, 72] = aten.expand.default(%k,
# CHECK-NEXT: %[[C:.*]] : f32[b, 3, 8, t] = aten.clone.default(%[[K]], memory_format=torch.contiguous_format)
# CHECK-NEXT: %{{.*}} : f32[3*b, 8, t] = aten.view.default(%[[C]],
graph(%q : f32[b, 3, t, 8], %k : f32[b, 3, 8, t][72*t, 8, 1, 72]) {
  !symbols = {"b": {"min": 1, "max": 16}, "t": {"min": 2, "max": 31}}
  %matmul : f32[b, 3, t, t] = aten.matmul.default(%q, %k)
  return %matmul
}
