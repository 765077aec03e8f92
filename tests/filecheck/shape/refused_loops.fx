# RUN: not fxcpp shape %s | FileCheck %s
# faults/64-while-body-types: torch.while_loop refuses bodies that return other types than they
# receive, and conditions that are not one bool.

# CHECK: error at %w1 {{.*}}the body must not change dtype or sizes of a value: returns f32[6] for value 1, which is f32[3]
# CHECK: error at %w2 {{.*}}the body must not change dtype or sizes of a value: returns f64[3] for value 1, which is f32[3]
# CHECK: error at %w3 {{.*}}the body must return as many values as it receives: returns 1, receives 2
# CHECK: error at %w4 {{.*}}the condition must return a bool scalar tensor or a bool, not b8[3]
# CHECK-NOT: error at %ok
graph(%i : i64[], %x : f32[3]) {
  graph @cond(%i : i64[], %x : f32[3]) { %l : b8[] = aten.lt.Scalar(%i, 3) return %l }
  graph @body(%i : i64[], %x : f32[3]) { %j : i64[] = aten.add.Tensor(%i, 1) %k = aten.cat.default([%x, %x]) return (%j, %k) }
  graph @body2(%i : i64[], %x : f32[3]) { %j : i64[] = aten.add.Tensor(%i, 1) %k = aten.to.dtype(%x, torch.float64) return (%j, %k) }
  graph @body3(%i : i64[], %x : f32[3]) { %j : i64[] = aten.add.Tensor(%i, 1) return (%j,) }
  graph @body4(%i : i64[], %x : f32[3]) { %j : i64[] = aten.add.Tensor(%i, 1) %k = aten.mul.Tensor(%x, 2) return (%j, %k) }
  graph @cond2(%i : i64[], %x : f32[3]) { %l = aten.lt.Scalar(%x, 3) return %l }
  %w1 = higher_order.while_loop(@cond, @body, (%i, %x), ())
  %w2 = higher_order.while_loop(@cond, @body2, (%i, %x), ())
  %w3 = higher_order.while_loop(@cond, @body3, (%i, %x), ())
  %w4 = higher_order.while_loop(@cond2, @body4, (%i, %x), ())
  %ok = higher_order.while_loop(@cond, @body4, (%i, %x), ())
  return %ok
}
