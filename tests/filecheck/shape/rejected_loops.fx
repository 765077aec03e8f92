# RUN: not fxcpp shape %s | FileCheck %s
# faults/64-while-body-types: torch.while_loop rejects a body whose result types differ from its
# input types, and a condition that does not return one bool.

# CHECK: error at %w1 {{.*}}the body must not change the dtype, sizes or strides of a value: it returns f32[6] for value 1, which is f32[3]
# CHECK: error at %w2 {{.*}}the body must not change the dtype, sizes or strides of a value: it returns f64[3] for value 1, which is f32[3]
# CHECK: error at %w3 {{.*}}the body must return as many values as it receives: it returns 1 and receives 2
# CHECK: error at %w4 {{.*}}the condition must return a bool scalar tensor or a bool, not b8[3]
# CHECK: error at %rank {{.*}}the body must not change the dtype, sizes or strides of a value: it returns f32[1, 3] for value 1, which is f32[3]
# CHECK: error at %strides {{.*}}the body must not change the dtype, sizes or strides of a value: it returns f32[2, 3][1, 2] for value 1, which is f32[2, 3]
# CHECK: error at %more {{.*}}the body must return as many values as it receives: it returns 3 and receives 2
# CHECK: error at %int {{.*}}the body must not change the dtype, sizes or strides of a value: it returns i32[] for value 0, which is i64[]
# CHECK: error at %number {{.*}}the condition must return a bool scalar tensor or a bool, not i64[]
# CHECK: error at %one {{.*}}the condition must return a bool scalar tensor or a bool, not b8[1]
# CHECK: error at %given {{.*}}a graph with 2 inputs receives 1 value
# CHECK-NOT: error at %ok
graph(%i : i64[], %x : f32[3], %m : f32[2, 3]) {
  graph @cond(%i : i64[], %x : f32[3]) { %l : b8[] = aten.lt.Scalar(%i, 3) return %l }
  graph @body(%i : i64[], %x : f32[3]) { %j : i64[] = aten.add.Tensor(%i, 1) %k = aten.cat.default([%x, %x]) return (%j, %k) }
  graph @body2(%i : i64[], %x : f32[3]) { %j : i64[] = aten.add.Tensor(%i, 1) %k = aten.to.dtype(%x, torch.float64) return (%j, %k) }
  graph @body3(%i : i64[], %x : f32[3]) { %j : i64[] = aten.add.Tensor(%i, 1) return (%j,) }
  graph @body4(%i : i64[], %x : f32[3]) { %j : i64[] = aten.add.Tensor(%i, 1) %k = aten.mul.Tensor(%x, 2) return (%j, %k) }
  graph @cond2(%i : i64[], %x : f32[3]) { %l = aten.lt.Scalar(%x, 3) return %l }
  graph @body_rank(%i : i64[], %x : f32[3]) { %j : i64[] = aten.add.Tensor(%i, 1) %k = aten.unsqueeze.default(%x, 0) return (%j, %k) }
  graph @body_more(%i : i64[], %x : f32[3]) { %j : i64[] = aten.add.Tensor(%i, 1) %k = aten.mul.Tensor(%x, 2) return (%j, %k, %k) }
  graph @body_int(%i : i64[], %x : f32[3]) { %j = aten.to.dtype(%i, torch.int32) %k = aten.mul.Tensor(%x, 2) return (%j, %k) }
  graph @body_strides(%i : i64[], %x : f32[2, 3]) { %j : i64[] = aten.add.Tensor(%i, 1) %t = aten.t.default(%x) %c = aten.clone.default(%t, memory_format=torch.contiguous_format) %k = aten.t.default(%c) return (%j, %k) }
  graph @cond_matrix(%i : i64[], %x : f32[2, 3]) { %l : b8[] = aten.lt.Scalar(%i, 3) return %l }
  graph @cond_number(%i : i64[], %x : f32[3]) { %l : i64[] = aten.add.Tensor(%i, 3) return %l }
  graph @cond_one(%i : i64[], %x : f32[3]) { %l = aten.lt.Scalar(%x, 3) %s = aten.slice.Tensor(%l, 0, 0, 1) return %s }
  %w1 = higher_order.while_loop(@cond, @body, (%i, %x), ())
  %w2 = higher_order.while_loop(@cond, @body2, (%i, %x), ())
  %w3 = higher_order.while_loop(@cond, @body3, (%i, %x), ())
  %w4 = higher_order.while_loop(@cond2, @body4, (%i, %x), ())
  %rank = higher_order.while_loop(@cond, @body_rank, (%i, %x), ())
  %strides = higher_order.while_loop(@cond_matrix, @body_strides, (%i, %m), ())
  %more = higher_order.while_loop(@cond, @body_more, (%i, %x), ())
  %int = higher_order.while_loop(@cond, @body_int, (%i, %x), ())
  %number = higher_order.while_loop(@cond_number, @body4, (%i, %x), ())
  %one = higher_order.while_loop(@cond_one, @body4, (%i, %x), ())
  %given = higher_order.while_loop(@cond, @body4, (%i,), ())
  %ok = higher_order.while_loop(@cond, @body4, (%i, %x), ())
  return %ok
}
