# RUN: fxcpp opt %s --passes 'eliminate_common_subexpressions{commutative}' | FileCheck %s
# The result of a product has the strides of its first operand. If a call changes an operand in
# place, the type of the operand's node states the strides before that call.
graph(%y : f64[2, 2]) {
  %alias : f64[2, 2] = aten.alias.default(%y)
  %t_ : f64[2, 2][1, 2] = aten.t_.default(%alias)
  %stack : f64[2, 2, 2] = aten.stack.default([%y, %y], 0)
  # CHECK: aten.mul.Tensor(%stack, %alias)
  %mul : f64[2, 2, 2] = aten.mul.Tensor(%stack, %alias)
  %sum : f64[2, 2, 2] = aten.add.Tensor(%stack, %stack)
  return (%mul, %sum)
}
