# RUN: fxcpp opt %s --passes propagate_types | FileCheck %s
# isfinite compares the absolute value with a number, which changes the strides of dimensions of size
# 1 (1000982775). For integers the result is a constant with the strides of the operand.
graph(%x : f32[4, 4, 1][1, 4, 0], %y : c64[4, 4, 1][1, 4, 0], %i : i64[4, 4, 1][1, 4, 0]) {
  # CHECK: %a : b8[4, 4, 1][1, 4, 1] = aten.isfinite.default(%x)
  # CHECK: %b : b8[4, 4, 1][1, 4, 1] = aten.isfinite.default(%y)
  # CHECK: %c : b8[4, 4, 1][1, 4, 0] = aten.isfinite.default(%i)
  %a = aten.isfinite.default(%x)
  %b = aten.isfinite.default(%y)
  %c = aten.isfinite.default(%i)
  return (%a, %b, %c)
}
