# RUN: fxcpp opt %s --passes propagate_types | FileCheck %s
# RUN: fxcpp shape %s | FileCheck --check-prefix=GUARDS %s
# A tensor is channels-last if its strides ascend in this order; equal strides also ascend. The type
# assumes that %x is not channels-last, which a guard states. A row-major tensor needs no guard.

# GUARDS: guard c >= s
# GUARDS-NEXT: guard Ne(c, s)
# GUARDS-NOT: guard
graph(%x : f32[2, c, 4, 5][20*s, 1, 5*s, s], %y : f32[n, c, h, w]) {
  !symbols = {"n": {"min": 1}, "c": {"min": 1}, "h": {"min": 1}, "w": {"min": 1}, "s": {"min": 1}}
  # CHECK: %a : f32[2, c, 8, 8] =
  %a = aten.upsample_nearest2d.default(%x, [8, 8])
  # CHECK: %b : f32[n, c, 8, 8] =
  %b = aten.upsample_nearest2d.default(%y, [8, 8])
  return (%a, %b)
}
