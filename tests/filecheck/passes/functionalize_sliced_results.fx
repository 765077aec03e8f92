# RUN: fxcpp opt %s --passes functionalize | FileCheck %s
# RUN: fxcpp opt %s --passes functionalize,functionalize | FileCheck %s
# The results of a call to a graph have separate memory, also through a slice of their list: a second run must not copy
# the value of %y before it copies it back, because %a does not share its memory.
# CHECK: graph(%x : f32[4], %y : f32[4]) {
# CHECK: %s : [f32[4], f32[4]] = operator.getitem(%c, slice(None, None, None))
# CHECK-NEXT: %a : f32[4] = operator.getitem(%s, 0)
# CHECK-NEXT: %copy_ : f32[4] = aten.copy_.default(%y, %mul)
# CHECK-NEXT: return (%a, %mul)
graph(%x : f32[4], %y : f32[4]) {
  graph @part(%u : f32[4], %v : f32[4]) {
    %p : f32[4] = aten.view.default(%u, [4])
    %q : f32[4] = aten.view.default(%v, [4])
    return (%p, %q)
  }
  %m : f32[4] = aten.mul_.Tensor(%y, 2)
  %c : (f32[4], f32[4]) = higher_order.cond(True, @part, @part, [%x, %m])
  %s : [f32[4], f32[4]] = operator.getitem(%c, slice(None, None, None))
  %a : f32[4] = operator.getitem(%s, 0)
  return (%a, %m)
}
