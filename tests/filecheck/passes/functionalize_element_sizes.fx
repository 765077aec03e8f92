# The new value of a tensor has the tensor's strides, including those of dimensions of size 1:
# libtorch rejects some strides for views with a different element size, and strides of operands
# determine strides of results.
# RUN: fxcpp opt %s --passes functionalize --check-changed | FileCheck %s
graph(%x : f64[4, 4, 2], %y : f32[1, 4, 2], %z : f64[1, 4][1, 1]) {
  %c : c128[4, 4, 1] = aten.view.dtype(%x, torch.complex128)
  %s : c128[4, 1, 4][4, 1, 1] = aten.transpose.int(%c, 2, 1)
  # CHECK: %tanh : c128[4, 1, 4] = aten.tanh.default(%s)
  # CHECK-NEXT: %copy : c128[4, 1, 4][4, 1, 1] = aten.copy.default(%s, %tanh)
  # CHECK-NEXT: %transpose : c128[4, 4, 1] = aten.transpose.int(%copy, 2, 1)
  # CHECK-NEXT: %view : f64[4, 4, 2] = aten.view.dtype(%transpose, torch.float64)
  %t : c128[4, 1, 4][4, 1, 1] = aten.tanh_.default(%s)
  # The strides already equal those of the tensor, so no copy is needed.
  # CHECK: %neg : c64[1, 4] = aten.neg.default
  # CHECK-NEXT: %view_as_real : f32[1, 4, 2] = aten.view_as_real.default(%neg)
  %p : c64[1, 4] = aten.view_as_complex.default(%y)
  %n : c64[1, 4] = aten.neg_.default(%p)
  # A view with the same element size.
  # CHECK: %exp : f64[1, 4] = aten.exp.default(%z)
  # CHECK-NEXT: %copy_1 : f64[1, 4][1, 1] = aten.copy.default(%z, %exp)
  %e : f64[1, 4][1, 1] = aten.exp_.default(%z)
  return (%t, %n, %e)
}
