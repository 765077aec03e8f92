# RUN: fxcpp grad %s --vjp | FileCheck %s

# The tensor may have no elements: its gradients must have the same sizes.
# CHECK: %[[EMPTY:.*]] : f32[3, 1] = aten.cat.default([%{{.*}}, %e], 1)
# CHECK-NEXT: %[[NONE:.*]] : f32[3, 1] = aten.cumprod.default(%[[EMPTY]], 1)
# CHECK-NEXT: f32[3, 0] = aten.slice.Tensor(%[[NONE]], 1, 0, -1)
# CHECK: %[[ONES:.*]] : f32[s0 + 1] = aten.cat.default([%{{.*}}, %x], 0)
# CHECK-NEXT: %[[PRODUCTS:.*]] : f32[s0 + 1] = aten.cumprod.default(%[[ONES]], 0)
# CHECK-NEXT: f32[s0] = aten.slice.Tensor(%[[PRODUCTS]], 0, 0, -1)
graph(%x : f32[s0], %e : f32[3, 0]) {
  %all : f32[] = aten.prod.default(%x)
  %rows : f32[3] = aten.prod.dim_int(%e, 1)
  return (%all, %rows)
}
