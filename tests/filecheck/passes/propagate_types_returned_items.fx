# An operator on a list may return a tensor of the list itself, whose sizes later change.
# RUN: fxcpp opt %s --passes propagate_types | FileCheck %s
graph(%x : f32[3]) {
  # CHECK: %y : f32[1, 3] = aten.unsqueeze_.default(%b, 0)
  # CHECK-NEXT: %z = aten.add.Tensor(%a, 1)
  %a = aten.clone.default(%x)
  %l = aten.broadcast_tensors.default([%a])
  %b = operator.getitem(%l, 0)
  %y = aten.unsqueeze_.default(%b, 0)
  %z = aten.add.Tensor(%a, 1)
  # CHECK: %y1 : f32[1, 3] = aten.unsqueeze_.default(%b1, 0)
  # CHECK-NEXT: %z1 = aten.add.Tensor(%a1, 1)
  %a1 = aten.clone.default(%x)
  %b1 = aten.cartesian_prod.default([%a1])
  %y1 = aten.unsqueeze_.default(%b1, 0)
  %z1 = aten.add.Tensor(%a1, 1)
  # Items of a list of new tensors.
  # CHECK: %y2 : f32[1, 1, 3] = aten.unsqueeze_.default(%b2, 0)
  # CHECK-NEXT: %z2 : f32[3] = aten.add.Tensor(%a2, 1)
  %a2 = aten.clone.default(%x)
  %b2 = aten.stack.default([%a2])
  %y2 = aten.unsqueeze_.default(%b2, 0)
  %z2 = aten.add.Tensor(%a2, 1)
  return (%z, %z1, %z2)
}
