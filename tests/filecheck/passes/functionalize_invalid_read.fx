# RUN: not fxcpp opt %s --passes functionalize 2>&1 | FileCheck %s
# A call that eager mode rejects is an error, not a call without uses that the pass removes (1056010596).
# CHECK: node s (aten.select.int): {{.*}}-3
graph(%x : f32[3, 2, 4]) {
  %m : f32[3, 2, 4] = aten.mul_.Tensor(%x, 2)
  %s = aten.select.int(%x, 1, -3)
  return %m
}
