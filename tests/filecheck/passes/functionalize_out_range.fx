# RUN: not fxcpp opt %s --passes functionalize 2>&1 | FileCheck %s
# A range keeps the sizes of out= if that has the same number of elements; the functional form is a vector.
# CHECK: functionalize: node a (aten.linspace.out) writes to c, which has other sizes: pass a tensor with the size of the result
graph(%x : f32[2, 3]) {
  %c : f32[2, 3] = aten.clone.default(%x)
  %a : f32[2, 3] = aten.linspace.out(0, 1, 6, out=%c)
  %t : f32[3] = aten.sum.dim_IntList(%c, [0])
  return %t
}
