# RUN: fxcpp opt %s --passes propagate_types | FileCheck %s
# polygamma converts integers to float32 first, to a dense tensor, which determines the strides of the
# dimensions of size 1 of the result. The first power of matrices is a row-major copy.
graph(%i : i64[1, 3, 1, 1][1, 3, 6, 1], %x : f32[1, 3, 1, 1][1, 3, 6, 1], %m : f32[3, 2, 2][4, 1, 2]) {
  # CHECK: %a : f32[1, 3, 1, 1] = aten.polygamma.default(1, %i)
  # CHECK: %b : f32[1, 3, 1, 1] = aten.special_polygamma.default(1, %i)
  # CHECK: %c : f32[1, 3, 1, 1]
  %a = aten.polygamma.default(1, %i)
  %b = aten.special_polygamma.default(1, %i)
  %c = aten.polygamma.default(1, %x)
  # CHECK: %d : f32[3, 2, 2] = aten.matrix_power.default(%m, 1)
  %d = aten.matrix_power.default(%m, 1)
  return (%a, %b, %c, %d)
}
