# RUN: fxcpp grad %s --vjp | FileCheck %s
# RUN: fxcpp grad %s --mode forward | FileCheck %s --check-prefix=FORWARD
# RUN: fxcpp grad %s --jacobian | FileCheck %s --check-prefix=JACOBIAN
# RUN: fxcpp vmap %s --in x=0,w=none --size 5 | FileCheck %s --check-prefix=BATCH
# RUN: not fxcpp vmap %s --in x=0,w=none --size 5 --out 0,1,0,1,0 2>&1 | FileCheck %s --check-prefix=DIMS

# A result that is a node with a list of tensors: each item has its own tangent, derivative and
# batch dimension.
# CHECK: graph(%x : f64[4], %w : f64[4], %tangents_1 : f64[2], %tangents_2 : f64[2], %tangents_3 : f64[1]) {
# CHECK: %[[CAT:.*]] = aten.cat.default([%tangents_1, %tangents_2]
# CHECK: return (([%{{.*}}, %{{.*}}], {"best": (%{{.*}}, %{{.*}})}), (%{{.*}}, %{{.*}}))
# FORWARD: return (([%{{.*}}, %{{.*}}], {"best": (%{{.*}}, %{{.*}})}), (%{{.*}}, %{{.*}}, %{{.*}}, None))
# JACOBIAN: return ((%{{[a-z_0-9]+}}, %{{[a-z_0-9]+}}), (%{{[a-z_0-9]+}}, %{{[a-z_0-9]+}}), (%{{[a-z_0-9]+}}, %{{[a-z_0-9]+}}), (None, None))
# BATCH: return ([%{{.*}}, %{{.*}}], {"best": (%{{.*}}, %{{.*}})})
# DIMS: the graph has 4 results that are tensors, but 5 out_dims
graph(%x : f64[4], %w : f64[4]) {
  %a : f64[4] = aten.mul.Tensor(%x, %w)
  %halves : [f64[2], f64[2]{offset=2}] = aten.chunk.default(%a, 2)
  %best : (f64[1], i64[1]) = aten.topk.default(%a, 1)
  return (%halves, {"best": %best})
}
