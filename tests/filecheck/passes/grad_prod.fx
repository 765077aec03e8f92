# RUN: fxcpp grad %s --vjp | FileCheck %s

# A tensor may have no elements: the gradients have its sizes.
# CHECK: return ((%{{.*}}, %{{.*}}), (%[[X:.*]], %[[E:.*]]))
# RUN: fxcpp grad %s --vjp | FileCheck %s --check-prefix=SIZES
# SIZES-DAG: %[[ONES:.*]] : f32[s0 + 1] = aten.cat.default([%{{.*}}, %x])
# SIZES-DAG: %[[PRODUCTS:.*]] : f32[s0 + 1] = aten.cumprod.default(%[[ONES]], 0)
# SIZES-DAG: : f32[s0] = aten.slice.Tensor(%[[PRODUCTS]], 0, 0, -1)
# SIZES-DAG: : f32[3, 0] = aten.slice.Tensor(%{{.*}}, 1, 0, -1)
graph(%x : f32[s0], %e : f32[3, 0]) {
  %all : f32[] = aten.prod.default(%x)
  %rows : f32[3] = aten.prod.dim_int(%e, 1)
  return (%all, %rows)
}
