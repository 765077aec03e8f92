# RUN: fxcpp opt %s --passes functionalize | FileCheck %s
# The functional form of a write returns a value with its own strides. They may differ from the
# strides of the written view, if those are unknown. Later calls, whose results depend on strides,
# therefore use a view that is recomputed from the new base.
graph(%x : f32[3, 2, 4][?]) {
  %parts : [f32[3, 4][8, 1], f32[3, 4][8, 1]{offset=4}] = aten.unbind.int(%x, 1)
  %item : f32[3, 4][8, 1]{offset=4} = operator.getitem(%parts, 1)
  %t : f32[4, 3][1, 8]{offset=4} = aten.t.default(%item)
  %clone : f32[4, 3][?] = aten.clone.default(%t)
  # CHECK: %mul : f32[4, 3][?] = aten.mul.Tensor(%{{.*}}, %clone)
  # CHECK: %[[NEW:.*]] : f32[3, 2, 4][?] = aten.select_scatter.default(%x, %{{.*}}, 1, 1)
  # CHECK: %[[ITEM:.*]] : f32[3, 4][?] = aten.select.int(%[[NEW]], 1, 1)
  # CHECK: return %[[ITEM]]
  %mul_ : f32[4, 3][1, 8]{offset=4} = aten.mul_.Tensor(%t, %clone)
  return %item
}
