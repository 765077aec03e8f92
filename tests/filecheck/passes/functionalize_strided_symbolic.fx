# as_strided with symbolic sizes after a write: functionalize cannot determine whether the new value of
# the tensor has these elements, and must not write symbolic numbers into arguments.
# RUN: not fxcpp opt %s --passes functionalize 2>&1 | FileCheck %s
# RUN: sed 's/[%]s, 4/2, 4/; s/%v : f32.n + 1, 4./%v : f32[2, 4]/; s/%r : f32.n + 1, 4./%r : f32[2, 4]/' %s > %t.1
# RUN: fxcpp opt %t.1 --passes functionalize | FileCheck %s --check-prefix=NUMBERS
# CHECK: node v (aten.as_strided.default) has a symbolic size, stride or offset, so the elements
# NUMBERS: aten.as_strided.default(%add, [2, 4], [4, 1], 0)
graph(%x : f32[n + 1, 4]) {
  !guards = ["n >= 1"]
  %s = aten.sym_size.int(%x, 0)
  %v : f32[n + 1, 4] = aten.as_strided.default(%x, [%s, 4], [4, 1], 0)
  %w : f32[n + 1, 4] = aten.add_.Tensor(%x, 1)
  %r : f32[n + 1, 4] = aten.neg.default(%v)
  return %r
}
