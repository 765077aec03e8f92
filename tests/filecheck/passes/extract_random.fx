# RUN: not fxcpp opt %s --passes 'extract_subgraph{inputs="p t",outputs="g"}' 2>&1 | FileCheck %s
# RUN: not fxcpp opt %s --passes 'extract_subgraph{inputs="p",outputs="y"}' 2>&1 | FileCheck %s --check-prefix=MASK
# RUN: not fxcpp opt %s --passes 'extract_subgraph{inputs="p t",outputs="n"}' 2>&1 | FileCheck %s --check-prefix=NOISE
# RUN: fxcpp opt %s --passes 'extract_subgraph{inputs="mask u",outputs="g"}' | FileCheck %s --check-prefix=CUT
# RUN: fxcpp opt %s --passes 'extract_subgraph{inputs="p",outputs="d"}' | FileCheck %s --check-prefix=OUT
# faults/26-extract-random: an extracted part must not draw random numbers a second time.

# CHECK: %d draws random numbers, but %y, outside the subgraph, uses %d; make %d an input or an output of the subgraph
# MASK: %d draws random numbers, but %mask, outside the subgraph, uses %d
# NOISE: %r draws random numbers, but %u, outside the subgraph, uses %s
# CUT: graph(%mask : b8[4, 6], %u : f32[4, 6]) {
# CUT-NEXT: %g : f32[4, 6] = aten.native_dropout_backward.default(%u, %mask, 2.0)
# OUT: %d = aten.native_dropout.default(%p, 0.5, True)
# OUT-NEXT: return %d
graph(%p : f32[4, 6], %t : f32[4, 6]) {
  %d = aten.native_dropout.default(%p, 0.5, True)
  %y : f32[4, 6] = operator.getitem(%d, 0)
  %mask : b8[4, 6] = operator.getitem(%d, 1)
  %r : f32[4, 6] = aten.rand_like.default(%t)
  %s : f32[4, 6] = aten.mul.Tensor(%r, 2)
  %n : f32[4, 6] = aten.add.Tensor(%s, %p)
  %u : f32[4, 6] = aten.mul.Tensor(%t, %s)
  %g : f32[4, 6] = aten.native_dropout_backward.default(%u, %mask, 2.0) !{region="bw"}
  return (%y, %g, %n)
}
