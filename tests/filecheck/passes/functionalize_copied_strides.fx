# RUN: fxcpp opt %s --passes functionalize | FileCheck %s
# A new value must have the strides of the memory, even if they are unknown. Like a scatter, a copy
# has the strides of the tensor.
graph(%x : f64[3][?], %y : f64[2], %i : i64[2], %z : f32[4, 6][?]) {
  # CHECK: %index_add : f64[3][?] = aten.index_add.default(%x, 0, %i, %y)
  # CHECK-NEXT: %copy : f64[3][?] = aten.copy.default(%x, %index_add)
  %w : f64[3][2] = aten.index_add_.default(%x, 0, %i, %y)
  # CHECK: %[[PART:.*]] : f32[6][?] = aten.fill.Scalar(
  # CHECK-NEXT: %select_scatter : f32[4, 6][?] = aten.select_scatter.default(%z, %[[PART]], 0, 0)
  # CHECK-NOT: aten.copy.default
  %parts : [f32[6], f32[6]{offset=6}, f32[6]{offset=12}, f32[6]{offset=18}] = aten.unbind.int(%z, 0)
  %part : f32[6] = operator.getitem(%parts, 0)
  %fill : f32[6] = aten.fill_.Scalar(%part, 2)
  # CHECK: return [%copy, %{{.*}}]
  return [%w, %part]
}
