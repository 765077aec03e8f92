# RUN: not fxcpp opt %s --passes functionalize 2>&1 | FileCheck %s
# RUN: not fxcpp opt %s --passes propagate_types,functionalize 2>&1 | FileCheck %s
# An operator that returns its operand itself: unsqueeze_ changes the sizes of an input that shares memory (1020012142).
graph(%x : f32[4, 6] !{shared_memory=0}, %y : f32[2, 6]{offset=6} !{shared_memory=0}) {
  # CHECK: %unsqueeze_ (aten.unsqueeze_.default) changes the sizes or strides of input y
  %a = aten.lift_fresh.default(%y)
  %unsqueeze_ = aten.unsqueeze_.default(%a, 0)
  return (%unsqueeze_, %x)
}
