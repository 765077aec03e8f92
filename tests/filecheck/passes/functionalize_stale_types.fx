# After a call that resizes its `out`, recorded types may be outdated. Types of views use the new
# size, and calls that eager mode rejects at this size are rejected.
# RUN: fxcpp opt %s --passes functionalize --check-changed | FileCheck %s
# RUN: sed 's/\[2, 4, 2\]/[2, 4, 3]/g' %s > %t.fx && not fxcpp opt %t.fx --passes functionalize 2>&1 | FileCheck %s --check-prefix=REJECTED

graph(%x : f32[4, 6], %y : f32[4, 4]) {
  %m : f32[4, 6] = aten.mul.Tensor(%x, 2)
  %out : f32[4, 4] = aten.add.out(%y, %y, out=%m)
  # CHECK: %parts : [f32[4, 2][4, 1], f32[4, 2][4, 1]{offset=2}] = aten.tensor_split.sections(%add, 2, 1)
  # CHECK-NEXT: %part : f32[4, 2][4, 1] = operator.getitem(%parts, 0)
  # CHECK-NEXT: %wide : f32[2, 4, 2][0, 4, 1] = aten.expand.default(%part, [2, 4, 2])
  %parts : [f32[4, 3][6, 1], f32[4, 3][6, 1]{offset=3}] = aten.tensor_split.sections(%m, 2, 1)
  %part : f32[4, 3][6, 1] = operator.getitem(%parts, 0)
  # REJECTED: node wide (aten.expand.default)
  # REJECTED-SAME: size 2 of dimension 2 cannot be expanded to 3
  %wide : f32[2, 4, 2][0, 6, 1] = aten.expand.default(%part, [2, 4, 2])
  return [%wide]
}
