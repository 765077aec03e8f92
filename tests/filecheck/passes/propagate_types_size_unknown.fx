# RUN: fxcpp opt %s --passes propagate_types | FileCheck %s
# size() and stride() of a tensor whose type a call has made unknown are valid; their types are unknown.
graph(%x : f32[3, 1]) {
  %c = aten.clone.default(%x)
  %i = operator.iadd(%c, 1)
  %a = call_method unsqueeze_(%i, 0)
  # CHECK: %n = call_method size(%c)
  %n = call_method size(%c)
  # CHECK: %s = call_method stride(%c)
  %s = call_method stride(%c)
  return (%n, %s)
}
