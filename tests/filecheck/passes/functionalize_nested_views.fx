# RUN: fxcpp opt %s --passes functionalize -o %t.fx
# RUN: FileCheck %s < %t.fx
# RUN: fxcpp opt %t.fx --passes functionalize | FileCheck %s
# The results of nested graphs are views of operands. A new value that a nested graph returns is in
# new memory, and a second run changes nothing. A result that is an attribute does not share memory
# with an operand either.
graph(%z : f32[3], %y : f32[3]) {
  graph @view(%g : f32[3]) {
    %s : f32[3][0] = aten.as_strided.default(%g, [3], [0], 0)
    return [%s]
  }
  graph @other(%g : f32[3]) {
    %a : f32[3] = get_attr weight
    return [%a]
  }
  # CHECK: %[[FILL:.*]] : f32[3] = aten.fill.Scalar(%z, 3)
  # CHECK: higher_order.wrap(@view, %[[FILL]])
  %w : f32[3] = aten.fill_.Scalar(%z, 3)
  %c = higher_order.wrap(@view, %z)
  %i = operator.getitem(%c, 0)
  # CHECK: %[[NEG:.*]] : f32[3] = aten.neg.default(%y)
  %n : f32[3] = aten.neg_.default(%y)
  %d = higher_order.wrap(@other, %y)
  %k = operator.getitem(%d, 0)
  # CHECK: aten.copy_.default(%z, %[[FILL]])
  # CHECK: aten.copy_.default(%y, %[[NEG]])
  return (%i, %k)
}
