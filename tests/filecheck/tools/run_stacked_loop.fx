# REQUIRES: torch
# RUN: fxcpp run %s --trace | FileCheck %s

# Returns the values of each step, or without steps, the carried values as one row.
# CHECK: steps = i64[4], from 0 to 3, mean 1.5
# CHECK: powers = i64[4, 2], from 3 to 81, mean 30
# CHECK: empty = i64[1] = 0
# CHECK: rows = i64[1, 2], from 1 to 1, mean 1
graph() {
  graph @test(%i, %a) {
    %g = aten.gt.Scalar(%i, 0)
    return %g
  }
  graph @body(%i, %a) {
    %j = aten.sub.Tensor(%i, 1)
    %b = aten.mul.Tensor(%a, 3)
    return (%j, %b)
  }
  %four = aten.full.default([], 4, dtype=torch.int64)
  %one = aten.full.default([2], 1, dtype=torch.int64)
  %loop = higher_order.while_loop_stack_output(@test, @body, (%four, %one), ())
  %steps = operator.getitem(%loop, 0)
  %powers = operator.getitem(%loop, 1)
  %zero = aten.full.default([], 0, dtype=torch.int64)
  %none = higher_order.while_loop_stack_output(@test, @body, (%zero, %one), ())
  %empty = operator.getitem(%none, 0)
  %rows = operator.getitem(%none, 1)
  return (%steps, %powers, %empty, %rows)
}
