# RUN: not fxcpp emit %s --to onnx -o %t.onnx 2>&1 | FileCheck %s
# Calls that eager mode rejects, and calls whose recorded types are wrong, are errors.
# CHECK: node put (aten._unsafe_index_put.default): {{.*}}too many indices
# CHECK: node scatter (aten.scatter.src):
# CHECK: node slice (aten.slice_scatter.default): {{.*}}step
# CHECK: node up (aten.upsample_nearest2d.vec): its type is f32[], but its operands determine f32[2, 3, 5, 5]
# CHECK: node norm (aten.batch_norm.default): the input must have at least 2 dimensions
graph(%x : f32[], %i : i64[5], %v : f32[2, 3, 5, 5], %r : f32[2], %j : i64[1], %w : f32[2, 1], %e : f32[0]) {
  %put = aten._unsafe_index_put.default(%x, [None, None, %i, %i], %v, True)
  %scatter = aten.scatter.src(%r, 0, %j, %w)
  %slice = aten.slice_scatter.default(%v, %v, 0, 0, 2, -1)
  %up : f32[] = aten.upsample_nearest2d.vec(%v, [5, 5], None)
  %norm : f32[0] = aten.batch_norm.default(%e, None, None, %e, %e, False, 0.0, 1e-05, True)
  return (%put, %scatter, %slice, %up, %norm)
}
