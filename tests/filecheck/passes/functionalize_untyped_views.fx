# An unused view without a type stays: eager mode may reject it, as this `expand` of a tensor that `out`
# has resized.
# RUN: fxcpp opt %s --passes functionalize --check-changed | FileCheck %s
# CHECK: aten.expand.default(%{{.*}}, [2, 3, 2, 4])
graph(%x : f32[3, 2, 4], %y : f32[6, 4][1, 6]) {
  %m : f32[3, 2, 4] = aten.mul.Tensor(%x, 2)
  %r : f32[6, 4][?] = aten.add.out(%y, %y, out=%m)
  %c = aten.contiguous.default(%m)
  %d = aten.detach.default(%c)
  %e = aten.expand.default(%d, [2, 3, 2, 4])
  return %r
}
