# RUN: fxcpp opt %s --passes propagate_types | FileCheck %s
# isfinite and isinf compare the absolute value with a number, which changes the strides of dimensions
# of size 1 (1000982775, 1001040158). For integers the result is a constant with the strides of the operand.
graph(%x : f32[4, 4, 1][1, 4, 0], %y : c64[4, 4, 1][1, 4, 0], %i : i64[4, 4, 1][1, 4, 0], %z : f64[2, 1, 3][3, 7, 1]) {
  # CHECK: %a : b8[4, 4, 1][1, 4, 1] = aten.isfinite.default(%x)
  # CHECK: %b : b8[4, 4, 1][1, 4, 1] = aten.isfinite.default(%y)
  # CHECK: %c : b8[4, 4, 1][1, 4, 0] = aten.isfinite.default(%i)
  # CHECK: %d : b8[4, 4, 1][1, 4, 1] = aten.isinf.default(%x)
  # CHECK: %e : b8[4, 4, 1][1, 4, 0] = aten.isinf.default(%i)
  # CHECK: %f : b8[2, 1, 3] = aten.isinf.default(%z)
  %a = aten.isfinite.default(%x)
  %b = aten.isfinite.default(%y)
  %c = aten.isfinite.default(%i)
  %d = aten.isinf.default(%x)
  %e = aten.isinf.default(%i)
  %f = aten.isinf.default(%z)
  return (%a, %b, %c, %d, %e, %f)
}
