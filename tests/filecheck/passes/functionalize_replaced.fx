# A call that is replaced by several calls may use one that returned its operand.
# RUN: fxcpp opt %s --passes functionalize | FileCheck %s
graph(%y : f32[2], %z : f32[2]) {
  # CHECK-NOT: aten.dropout
  # CHECK: %[[A:.*]] : [f32[2]] = aten._foreach_mul.List([%y], [%y])
  # CHECK: %[[I:.*]] : f32[2] = operator.getitem(%[[A]], 0)
  # CHECK: aten._foreach_mul.List([%[[I]]], [%z])
  %d : f32[2] = aten.dropout_.default(%y, 0.5, False)
  %m = aten._foreach_mul_.List([%d, %y], [%d, %z])
  return %y
}
