# RUN: fxcpp grad %s --vjp | FileCheck %s
# RUN: fxcpp grad %s --mode forward | FileCheck %s
# RUN: fxcpp grad %s --jacobian | FileCheck %s
# The graph to differentiate is itself a derivative. Its sums with zeros and products with ones remain:
# -0.0 + 0.0 is 0.0, and the results are new memory. Those of the new derivative are removed.
# CHECK: %y : f32[3] = aten.add.Tensor(%x, %z)
# CHECK: aten.mul.Tensor(%y, %o)
# CHECK-NOT: aten.zeros_like
# CHECK-NOT: aten.ones_like
graph(%x : f32[3]) {
  %z : f32[3] = aten.zeros_like.default(%x) !{region="bw"}
  %o : f32[3] = aten.ones_like.default(%x) !{region="bw"}
  %y : f32[3] = aten.add.Tensor(%x, %z) !{region="bw"}
  %t : f32[3] = aten.mul.Tensor(%y, %o) !{region="bw"}
  %s : f32[3] = aten.sin.default(%t) !{region="bw"}
  return (%s,)
}
