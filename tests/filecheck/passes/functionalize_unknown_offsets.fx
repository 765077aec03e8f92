# RUN: fxcpp opt %s --passes functionalize | FileCheck %s
# A write through as_strided to a value whose type does not state its offset: here, an item of
# unbind at offset 12 of a product with an untyped operand. as_strided_scatter counts from the start
# of the storage, so the pass writes to a copy, which has offset 0.
graph(%x, %y : f32[4, 6]) {
  %d : f32[4][7]{offset=1} = aten.diagonal.default(%x, 1, 0, 1)
  %w : f32[4][7]{offset=1} = aten.mul_.Tensor(%d, 3)
  %m : f32[4, 6] = aten.mul.Tensor(%x, 2)
  # CHECK: %[[LIST:.*]] : [f32[6][?], {{.*}}] = aten.unbind.int
  # CHECK: %[[ITEM:.*]] : f32[6][?] = operator.getitem(%[[LIST]], 2)
  %u : [f32[6], f32[6]{offset=6}, f32[6]{offset=12}, f32[6]{offset=18}] = aten.unbind.int(%m, 0)
  %g : f32[6]{offset=12} = operator.getitem(%u, 2)
  %f : f32[2, 2][3, 1]{offset=12} = aten.unfold.default(%g, 0, 2, 3)
  # CHECK: %[[MEMORY:.*]] = aten.new_empty_strided.default(%[[ITEM]], [6], [1])
  # CHECK: %[[COPY:.*]] : f32[6] = aten.copy.default(%[[MEMORY]], %[[ITEM]])
  # CHECK: aten.as_strided_scatter.default(%[[COPY]], %{{.*}}, [2, 2], [3, 1], 0)
  %n : f32[2, 2][3, 1]{offset=12} = aten.neg_.default(%f)
  return [%m]
}
