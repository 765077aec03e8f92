# RUN: fxcpp opt %s --passes propagate_types | FileCheck %s
# A method or a function of torch receives a dense copy of a lazy view, like the operator that it
# becomes (1004000027).
graph(%x : f32[16]) {
  %plain = aten.as_strided.default(%x, [2, 1, 2, 2], [8, 1, 4, 2])
  %lazy = aten._neg_view.default(%plain)
  # CHECK: %plain_method : f32[2, 1, 2, 2][4, 1, 2, 1] = call_method abs(%plain)
  %plain_method = call_method abs(%plain)
  # CHECK: %operator : f32[2, 1, 2, 2][?] = aten.abs.default(%lazy)
  %operator = aten.abs.default(%lazy)
  # CHECK: %method : f32[2, 1, 2, 2][?] = call_method abs(%lazy)
  %method = call_method abs(%lazy)
  # CHECK: %function : f32[2, 1, 2, 2][?] = torch.abs(%lazy)
  %function = torch.abs(%lazy)
  return (%plain_method, %operator, %method, %function)
}
