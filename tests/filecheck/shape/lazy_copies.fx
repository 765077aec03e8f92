# RUN: fxcpp opt %s --passes propagate_types | FileCheck %s
# copy and scatters receive a dense copy of a lazy view: at the start of its storage, without gaps
# (1002096640). Of a plain tensor they keep strides and offset.
graph(%x : f32[4, 6], %w : f32[3, 2, 4][8, 1, 2], %y : f32[3], %z : f32[2, 3], %u : f32[2, 6]) {
  %gaps = aten.slice.Tensor(%x, 1, 0, 6, 2)
  %part = aten.slice.Tensor(%x, 0, 2, 4)
  # CHECK: %plain : f32[4, 3][6, 2] = aten.copy.default(%gaps, %y)
  %plain = aten.copy.default(%gaps, %y)
  # CHECK: %moved : f32[2, 6]{offset=12} = aten.copy.default(%part, %u)
  %moved = aten.copy.default(%part, %u)
  # An item of a list of plain views is a plain view.
  %parts = aten.unbind.int(%w, 2)
  %item = operator.getitem(%parts, 1)
  # CHECK: %of_item : f32[3, 2][8, 1]{offset=2} = aten.copy.default(%item, %item)
  %of_item = aten.copy.default(%item, %item)
  %lazy = aten._neg_view.default(%gaps)
  # CHECK: %dense : f32[4, 3][?] = aten.copy.default(%lazy, %y)
  %dense = aten.copy.default(%lazy, %y)
  %lazy_part = aten._neg_view.default(%part)
  # CHECK: %start : f32[2, 6][?] = aten.copy.default(%lazy_part, %u)
  %start = aten.copy.default(%lazy_part, %u)
  # CHECK: %scattered : f32[2, 6][?] = aten.select_scatter.default(%lazy_part,
  %row = aten.select.int(%u, 0, 0)
  %scattered = aten.select_scatter.default(%lazy_part, %row, 0, 0)
  # CHECK: %sum : f32[2, 6] = aten.add.Tensor(%lazy_part, %u)
  %sum = aten.add.Tensor(%lazy_part, %u)
  # CHECK: %list : [f32[2, 6][?]] = aten._foreach_copy.default([%lazy_part], [%u])
  %list = aten._foreach_copy.default([%lazy_part], [%u])
  return (%plain, %moved, %of_item, %dense, %start, %scattered, %sum, %list)
}
