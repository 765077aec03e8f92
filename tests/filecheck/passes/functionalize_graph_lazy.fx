# RUN: fxcpp opt %s --passes functionalize | FileCheck %s
# An input of a graph that a call runs may be a lazily negated view, and so may the result of the call. The
# strides of calls that read it, with new operands, are unknown (1047097057).
# CHECK: %b : u8[3, 1, 2][?] = aten.abs.default(%g)
graph(%x : u8[3], %y : f32[2]) {
  graph @part(%a : u8[3]) {
    %s : u8[3, 1, 2][1, 3, 0] = aten.as_strided.default(%a, [3, 1, 2], [1, 3, 0], 0)
    return [%s]
  }
  %m : u8[3] = aten.mul.Tensor(%x, 2)
  %n : u8[3] = aten._neg_view.default(%m)
  %c : (u8[3, 1, 2][1, 3, 0],) = higher_order.wrap(@part, %n)
  %g : u8[3, 1, 2][1, 3, 0] = operator.getitem(%c, 0)
  %h : u8[3, 1, 2][1, 3, 0] = aten.atleast_2d.default(%g)
  %b : u8[3, 1, 2][?] = aten.abs.default(%h)
  %w : f32[2] = aten.mul_.Tensor(%y, 2)
  return (%b, %w)
}
