# RUN: not fxcpp opt %s --passes functionalize 2>&1 | FileCheck %s
# RUN: not fxcpp opt %s --passes lower_to_aten,functionalize 2>&1 | FileCheck %s --check-prefix=LOWERED
# Python operators on a tensor with unknown strides, dtype or rank: the type of the result is
# unknown.

# CHECK: node a (operator.iadd) may write to its arguments
# LOWERED: the type of node x (placeholder) is missing or incomplete
graph(%x : f32[3, 2][?], %y : tensor[3, 2][?], %z : tensor[*], %w : f32[3, 2]) {
  %a = operator.iadd(%x, 2)
  %b = operator.add(%y, %w)
  %c = operator.gt(%z, 0.5)
  %d = operator.neg(%x)
  return (%b, %c, %d)
}
