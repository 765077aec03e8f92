# RUN: fxcpp opt %s --passes functionalize | FileCheck %s
# RUN: sed 's/slice(0, None, None)/slice(%%n, None, None)/' %s > %t.0 && not fxcpp opt %t.0 --passes functionalize 2>&1 | FileCheck --check-prefix=UNKNOWN %s
# An item of a slice of a list is the item of the list itself, so a call that changes its sizes changes
# both (1047048667).
# CHECK: %[[U:[a-z]+]] : f32[1, 2, 6] = aten.unsqueeze.default(%a, 0)
# CHECK: return [%[[U]], %[[U]]]
# UNKNOWN: node u (aten.unsqueeze_.default) changes sizes or strides, and node s (operator.getitem) may or may not return its operand itself
graph(%x : f32[4, 6], %n : int) {
  %c : [f32[2, 6], f32[2, 6]{offset=12}] = aten.chunk.default(%x, 2)
  %a : f32[2, 6] = operator.getitem(%c, 0)
  %s : [f32[2, 6], f32[2, 6]{offset=12}] = operator.getitem(%c, slice(0, None, None))
  %b : f32[2, 6] = operator.getitem(%s, 0)
  %r : f32[2, 6] = aten.real.default(%a)
  %u : f32[1, 2, 6] = aten.unsqueeze_.default(%r, 0)
  return [%a, %b]
}
