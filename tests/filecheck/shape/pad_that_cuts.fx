# RUN: not fxcpp shape %s | FileCheck %s
# faults/31-pad-negative-strides: a pad that only removes elements copies the remaining part and
# preserves the order of strides.

# CHECK: p : f32[2, 3, 4, 4][1, 32, 2, 8]
# CHECK: last : f32[2, 3, 4, 5]
# CHECK: both : f32[1, 3, 4, 5][1, 20, 1, 4]
# CHECK: none : f32[2, 3, 4, 5][1, 40, 2, 8]
# CHECK: grows : f32[2, 3, 4, 6]
# CHECK: wide : f32[3, 2][1, 3]
# CHECK: z : ?
# CHECK: error at %z (aten.view.default): f32[2, 3, 4, 4][1, 32, 2, 8] cannot be viewed as [96]
graph(%x : f32[2, 3, 4, 5][1, 40, 2, 8], %t : f32[4, 2][1, 4]) {
  %p = aten.constant_pad_nd.default(%x, [-1, 0], 0)
  # One dimension grows: the suggested memory format is row-major.
  %last = aten.constant_pad_nd.default(%x, [-1, 1], 0)
  %both = aten.constant_pad_nd.default(%x, [0, 0, 0, 0, 0, 0, -1, 0], 0)
  %none = aten.constant_pad_nd.default(%x, [0, 0], 0)
  %grows = aten.constant_pad_nd.default(%x, [0, 1], 0)
  %wide = aten.constant_pad_nd.default(%t, [0, 0, 0, -1], 0)
  %z = aten.view.default(%p, [96])
  return (%p, %last, %both, %none, %grows, %wide, %z)
}
