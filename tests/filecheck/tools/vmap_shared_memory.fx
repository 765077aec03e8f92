# RUN: fxcpp vmap %s --in x=none,rows=none,y=0 --size 2 | FileCheck %s
# RUN: not fxcpp vmap %s --in x=0,rows=none --size 2 2>&1 | FileCheck %s --check-prefix=BATCHED
# RUN: not fxcpp vmap %s --in x=none,rows=0 --size 2 2>&1 | FileCheck %s --check-prefix=BATCHED
# RUN: sed 's/mul_/mul/' %s > %t.fx
# RUN: fxcpp vmap %t.fx --size 2 | FileCheck %s --check-prefix=READ
# The positions of the examples in shared memory are unknown.
# BATCHED: the inputs x and rows share memory, and the graph writes to memory: they must not have a batch dimension

# CHECK: %x : f32[5, 4] !{shared_memory=0}
# CHECK-NEXT: %rows : f32[3, 4]{offset=8} !{shared_memory=0}
# READ: graph(%x : f32[2, 5, 4], %rows : f32[2, 3, 4], %y : f32[2, 3, 4]) {
graph(
    %x : f32[5, 4] !{shared_memory=0},
    %rows : f32[3, 4]{offset=8} !{shared_memory=0},
    %y : f32[3, 4],
) {
  %mul : f32[5, 4] = aten.mul_.Tensor(%x, 3)
  %sum : f32[3, 4] = aten.add.Tensor(%rows, %y)
  return (%mul, %sum)
}
