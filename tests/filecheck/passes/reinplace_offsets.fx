# RUN: fxcpp opt %s --passes reinplace --check-changed | FileCheck %s
# A result that is written into a part of a tensor has the offset of that part, and so do its
# views.

# CHECK-LABEL: graph(
graph(%x : f32[3, 4], %y : f32[4], %p : b8[]) {
  graph @t(%r : f32[4]) {
    return (%r,)
  }
  %m : f32[3, 4] = aten.neg.default(%x)
  %row : f32[4]{offset=4} = aten.select.int(%m, 0, 1)
  # CHECK: %sin : f32[4]{offset=4} = aten.sin_.default(%row)
  # CHECK: %part : f32[2]{offset=6} = aten.slice.Tensor(%sin, 0, 2, 4)
  %sin : f32[4] = aten.sin.default(%row)
  %part : f32[2]{offset=2} = aten.slice.Tensor(%sin, 0, 2, 4)
  # Must not change: as_strided counts from the start of the storage.
  # CHECK: %cos : f32[4] = aten.cos.default(%other)
  # CHECK: %strided : f32[2][2] = aten.as_strided.default(%cos, [2], [2], 0)
  %n : f32[3, 4] = aten.exp.default(%x)
  %other : f32[4]{offset=4} = aten.select.int(%n, 0, 1)
  %cos : f32[4] = aten.cos.default(%other)
  %strided : f32[2][2] = aten.as_strided.default(%cos, [2], [2], 0)
  # Must not change: the types of a nested graph's inputs are fixed.
  # CHECK: %abs : f32[4] = aten.abs.default(%third)
  %k : f32[3, 4] = aten.tanh.default(%x)
  %third : f32[4]{offset=8} = aten.select.int(%k, 0, 2)
  %abs : f32[4] = aten.abs.default(%third)
  %cond : (f32[4],) = higher_order.cond(%p, @t, @t, (%abs,))
  %item : f32[4] = operator.getitem(%cond, 0)
  # A part of a part that is written.
  # CHECK: %whole : f32[4]{offset=4} = aten.select.int(%w, 0, 1)
  # CHECK: %front : f32[2]{offset=4} = aten.slice.Tensor(%whole, 0, 0, 2)
  %w : f32[3, 4] = aten.sigmoid.default(%x)
  %whole : f32[4]{offset=4} = aten.select.int(%w, 0, 1)
  %two : f32[2] = aten.ones.default([2])
  %new : f32[4] = aten.slice_scatter.default(%whole, %two, 0, 0, 2)
  %front : f32[2] = aten.slice.Tensor(%new, 0, 0, 2)
  return (%part, %strided, %item, %front)
}
