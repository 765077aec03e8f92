# The in-place variants of copies of views change the strides of their operand, also if the types are
# equal: t_ of a square matrix is not row-major, as the result of t_copy is.
# RUN: fxcpp opt %s --passes propagate_types,reinplace --check-changed | FileCheck %s
# CHECK: %a : f32[3, 3] = aten.t_copy.default(%y)
# CHECK: %b : f32[3, 3] = aten.transpose_copy.int(%z, 0, 1)
# CHECK: %c : f32[3, 3] = aten.squeeze_copy.default(%w)
graph(%x : f32[3, 3]) {
  %y : f32[3, 3] = aten.relu.default(%x)
  %a = aten.t_copy.default(%y)
  %z : f32[3, 3] = aten.relu.default(%x)
  %b = aten.transpose_copy.int(%z, 0, 1)
  %w : f32[3, 3] = aten.relu.default(%x)
  %c = aten.squeeze_copy.default(%w)
  %d = aten.view.default(%a, [-1])
  return (%d, %b, %c)
}
