# RUN: fxcpp opt %s --passes propagate_types | FileCheck %s
# A call that is typed by lowering: the operand has the type of the result. In a nested graph, the
# operand of the call to the graph has no type.
graph(%x : f32[2, 2], %y : f32[6], %z : f32[6], %v : f32[6], %n : f32[6], %i : i64[6]) {
  graph @body(%a : f32[2, 2], %b : f32[6]) {
    %w = torch.add(%a, 1, out=%b)
    return (%a,)
  }
  # CHECK: %y2 : f32[2, 2] = aten.neg.default(%y)
  %y1 = torch.add(%x, 1, out=%y)
  %y2 = aten.neg.default(%y)
  # CHECK: %v2 : f32[2] = aten.neg.default(%v)
  # CHECK: %n2 : i64[2] = aten.neg.default(%i)
  %v1 = torch.max(%x, 1, out=(%v, %i))
  %v2 = aten.neg.default(%v)
  %n2 = aten.neg.default(%i)
  # CHECK: %z2 = aten.neg.default(%z)
  %z1 = higher_order.wrap(@body, %x, %z)
  %z2 = aten.neg.default(%z)
  return (%y2, %z2, %v2, %n2)
}
