# The strides of an empty tensor depend on how it is computed: where() with a 0-dimensional tensor sorts
# dimensions by size, masked_fill does not.
# RUN: fxcpp shape %s | FileCheck %s --check-prefix=SHAPE
# SHAPE: w : f64[0, 1][1, 0]
# RUN: fxcpp opt %s --passes 'decompose{set=all},propagate_types' | FileCheck %s
# CHECK: %v : i32[0, 2] = aten.view.dtype
graph(%x : f64[0, 1], %s : f64[]) {
  %e : b8[0, 1] = aten.eq.Scalar(%x, 0)
  %m : f64[0, 1] = aten.masked_fill.Scalar(%x, %e, -1)
  %v : i32[0, 2] = aten.view.dtype(%m, torch.int32)
  %w = aten.where.self(%e, %s, %x)
  return (%v, %w)
}
