# A part writes to memory and receives multiple views of one tensor. The views are marked as inputs
# that share memory, so that passes on the part handle this. Other inputs, and inputs of parts that
# do not write, are not marked.
# RUN: fxcpp opt %s --passes split_module | FileCheck %s
# RUN: fxcpp opt %s --passes 'partition{ops="aten.add_.Tensor aten.sum.default aten.mul_.Tensor"}' | FileCheck %s
# RUN: fxcpp opt %s --passes 'split_for_backend{ops="aten.add_.Tensor aten.sum.default aten.mul_.Tensor"}' | FileCheck %s
# RUN: fxcpp opt %s --passes 'extract_subgraph{inputs="c r h n",outputs="w y z"}' | FileCheck %s

# CHECK-NOT: %n : {{.*}}shared_memory
# CHECK-DAG: %r : f32[6]{offset=6} {{.*}}shared_memory=0
# CHECK-DAG: %c : f32[4, 6] {{.*}}shared_memory=0
# CHECK-DAG: %h : f32[2, 6]{offset=12} {{.*}}shared_memory=0
graph(%x : f32[4, 6], %k : f32[6]) {
  %c : f32[4, 6] = aten.clone.default(%x) !{partition=0}
  %r : f32[6]{offset=6} = aten.select.int(%c, 0, 1) !{partition=0}
  %l : [f32[2, 6], f32[2, 6]{offset=12}] = aten.split.Tensor(%c, 2) !{partition=0}
  %h : f32[2, 6]{offset=12} = operator.getitem(%l, 1) !{partition=0}
  %n : f32[6] = aten.neg.default(%k) !{partition=0}
  %w : f32[6]{offset=6} = aten.add_.Tensor(%r, %n) !{partition=1}
  %y : f32[] = aten.sum.default(%c) !{partition=1}
  %z : f32[2, 6]{offset=12} = aten.mul_.Tensor(%h, 2) !{partition=1}
  return (%w, %y, %z)
}
