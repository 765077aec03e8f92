# The new value of a tensor has offset 0, and may have different strides. Types of views that are
# created in place (`t_`) and of functional forms state only what is known.
# RUN: fxcpp opt %s --passes functionalize --check-changed | FileCheck %s
graph(%x : f32[4, 6], %y : tensor[3, 2][8, 1]{offset=1}, %z : tensor[3, 2][1, 3], %i : i64[1]) {
  %part : f32[2, 6]{offset=6} = aten.slice.Tensor(%x, 0, 1, 3)
  %sum : f32[2, 6]{offset=6} = aten.cumsum_.default(%part, 0)
  %a : f32[2, 6]{offset=6} = aten.alias.default(%part)
  # CHECK: %t : f32[6, 2][1, 6] = aten.t.default(%a)
  %t : f32[6, 2][1, 6]{offset=6} = aten.t_.default(%a)
  # The types of these functional forms cannot be inferred; a copy has the tensor's strides. %y may be
  # complex and lazily conjugated: a copy of it could be dense.
  # CHECK: %index_fill : tensor[3, 2][?] = aten.index_fill.int_Scalar(%y, 1, %i, -1)
  # CHECK: %[[MEMORY:.*]] = aten.new_empty_strided.default(%index_fill, [3, 2], [8, 1])
  # CHECK: %copy : tensor[3, 2][8, 1] = aten.copy.default(%[[MEMORY]], %index_fill)
  # CHECK: %index_fill_1 : tensor[3, 2][?] = aten.index_fill.int_Scalar(%z, 1, %i, -1)
  # CHECK: %copy_1 : tensor[3, 2][1, 3] = aten.copy.default(%z, %index_fill_1)
  %b = aten.index_fill_.int_Scalar(%y, 1, %i, -1)
  %c = aten.index_fill_.int_Scalar(%z, 1, %i, -1)
  return (%t, %b, %c)
}
