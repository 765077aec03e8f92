# RUN: fxcpp opt %s --passes propagate_types | FileCheck %s
# The imaginary part of a conjugate is a view of the same memory with the negative bit.
# CHECK: %part : f32[2, 3][6, 2]{offset=1} = aten.select.int
# CHECK: %negative : f32[2, 3][6, 2]{offset=1} = aten._neg_view.default(%part)
graph(%x : c64[2, 3]) {
  %real = aten.view_as_real.default(%x)
  %part = aten.select.int(%real, 2, 1)
  %negative = aten._neg_view.default(%part)
  return %negative
}
