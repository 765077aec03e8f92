# stack returns a row-major tensor. `cat` of operands of rank 4 or 5 returns one in channels-last order
# if their strides say so, and the strides of a matmul differ if eager mode computes gradients.
# RUN: fxcpp opt %s --passes decompose --check-changed | FileCheck %s
# CHECK:      %[[CAT:.*]] : f64[8, 2, 1] = aten.cat.default([%m, %m], 0)
# CHECK-NEXT: %a : f64[2, 4, 2, 1] = aten.view.default(%[[CAT]], [2, 4, 2, 1])
# CHECK:      %[[CAT:.*]] : f64[1, 1, 4, 2, 1, 2] = aten.cat.default([%{{.*}}, %{{.*}}], 5)
# CHECK-NEXT: %b : f64[4, 2, 1, 2] = aten.view.default(%[[CAT]], [4, 2, 1, 2])
# CHECK:      %[[CAT:.*]] : f64[1, 2, 2, 3, 4, 5] = aten.cat.default([%{{.*}}, %{{.*}}], 2)
# CHECK-NEXT: %c : f64[2, 2, 3, 4, 5] = aten.view.default(%[[CAT]], [2, 2, 3, 4, 5])
# CHECK:      %d : f64[2, 2, 3] = aten.cat.default([%{{.*}}, %{{.*}}], 1)
graph(%x : f64[2, 3], %y : f64[4, 3, 1], %z : f64[2, 3, 4, 5]) {
  %m : f64[4, 2, 1] = aten.matmul.default(%x, %y)
  %a : f64[2, 4, 2, 1] = aten.stack.default([%m, %m])
  %b : f64[4, 2, 1, 2] = aten.stack.default([%m, %m], 3)
  %c : f64[2, 2, 3, 4, 5] = aten.stack.default([%z, %z], 1)
  %d : f64[2, 2, 3] = aten.stack.default([%x, %x], 1)
  return (%a, %b, %c, %d)
}
