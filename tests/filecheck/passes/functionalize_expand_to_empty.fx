# RUN: fxcpp opt %s --passes functionalize | FileCheck %s
# A write through an expansion to size 0 writes nothing.

# CHECK: graph(
graph(%x : f64[3, 1]) {
  # CHECK-NEXT: %s : f64[3, 1] = aten.sin.default(%x)
  %s : f64[3, 1] = aten.sin.default(%x)
  %e : f64[3, 0][1, 0] = aten.expand.default(%s, [3, 0])
  %w : f64[3, 0][1, 0] = aten.add_.Tensor(%e, 1)
  # CHECK-NOT: slice
  # CHECK: return %s
  return %s
}
