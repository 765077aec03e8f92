# RUN: not fxcpp opt %s --passes functionalize 2>&1 | FileCheck %s
# In the second step, the body returns %w as the second result. It returned %w as the third result of
# the first step.

# CHECK: node r2 (operator.getitem) may or may not share memory that is written before node output
graph(%a : f32[3], %b : f32[3], %w : f32[3], %n : i64[]) {
  graph @cond_fn(%i : i64[], %a : f32[3], %b : f32[3], %w : f32[3], %n : i64[]) {
    %lt : b8[] = aten.lt.Tensor(%i, %n)
    return %lt
  }
  graph @body_fn(%i : i64[], %a : f32[3], %b : f32[3], %w : f32[3], %n : i64[]) {
    %j : i64[] = aten.add.Tensor(%i, 1)
    return (%j, %b, %w)
  }
  %z : i64[] = aten.zeros.default([], dtype=torch.int64)
  %loop : (i64[], f32[3], f32[3]) = higher_order.while_loop(@cond_fn, @body_fn, (%z, %a, %b), (%w, %n))
  %r2 : f32[3] = operator.getitem(%loop, 1)
  %v : f32[3] = aten.add_.Tensor(%w, 100)
  return (%r2, %v)
}
