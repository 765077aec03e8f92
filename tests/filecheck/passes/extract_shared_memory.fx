# RUN: not fxcpp opt %s --passes 'extract_subgraph{inputs="x y",outputs="b"}' 2>&1 | FileCheck %s
# RUN: sed "s/shared_memory=1}, %y/shared_memory=2}, %y/" %s > %t.fx && fxcpp opt %t.fx --passes 'extract_subgraph{inputs="x y",outputs="b"}' | FileCheck %s --check-prefix=SEPARATE
# A write that is not part of the subgraph may change an input of the subgraph that shares memory
# with the written input.

# CHECK: %w may write to tensors of the subgraph but is not part of it; functionalize the graph first
# SEPARATE-NOT: add_
# SEPARATE: %b : f32[2] = aten.neg.default(%y)
# SEPARATE-NEXT: return %b
graph(%x : f32[2] !{shared_memory=1}, %y : f32[2] !{shared_memory=1}, %z : f32[2]) {
  %w : f32[2] = aten.add_.Tensor(%x, 1)
  %b : f32[2] = aten.neg.default(%y)
  %c : f32[2] = aten.add.Tensor(%w, %b)
  return [%b, %c, %z]
}
