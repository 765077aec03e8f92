# RUN: fxcpp opt %s --passes 'decompose{set=all}' | FileCheck %s
# A slice of a list that contains a changed tensor may have no type (1088005000 crashed).
graph(%x : f32[4, 2]) {
  # CHECK: %s : [f32[4, 2], f32[4, 2]] = torch.broadcast_tensors(%x, %x)
  %s : [f32[4, 2], f32[4, 2]] = torch.broadcast_tensors(%x, %x)
  %part = operator.getitem(%s, slice(None, 1, None))
  %item = operator.getitem(%part, 0)
  # CHECK: aten.t_.default(%x)
  %t : f32[2, 4][1, 2] = aten.t_.default(%x)
  # CHECK: aten.t_.default(%item)
  %u = aten.t_.default(%item)
  %y : f32[2, 4][1, 2] = aten.silu.default(%t)
  return (%y, %part)
}
