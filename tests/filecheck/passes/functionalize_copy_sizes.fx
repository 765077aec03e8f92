# RUN: not fxcpp opt %s --passes functionalize 2>&1 | FileCheck %s
# The strides of %o, after add.out has changed its sizes, are unknown. Its sizes show that eager mode
# rejects the copy, even if no result depends on it (1039015054).
# CHECK: node c (aten._foreach_copy_.default): {{.*}}f64[2, 2] cannot be broadcast to f64[1, 1]
graph(%x : f32[2, 2][4, 9], %y : f64[4, 4]) {
  %o : f64[] = aten.sum.default(%y)
  %w : f64[2, 2][?] = aten.add.out(%x, %x, out=%o)
  %v : f64[1, 1] = aten.as_strided.default(%y, [1, 1], [1, 1], 3)
  %m : f64[1, 1] = aten.clone.default(%v)
  %c = aten._foreach_copy_.default([%v, %m], [%m, %o])
  return (%o, %v)
}
