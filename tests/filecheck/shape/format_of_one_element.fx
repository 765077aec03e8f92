# RUN: fxcpp opt %s --passes propagate_types | FileCheck %s
# RUN: fxcpp shape %s | FileCheck --check-prefix=GUARDS %s
# A channels-last tensor whose examples have one element is also contiguous: kernels then return
# contiguous tensors. A guard excludes these sizes, unless a size is more than 1.

# GUARDS: guard Ne(c*h*w, 1)
# GUARDS-NOT: guard
graph(%x : f32[n, c, h, w][c*h*w, 1, c*w, c], %y : f32[n, 3, h, w][3*h*w, 1, 3*w, 3]) {
  !symbols = {"n": {"min": 1}, "c": {"min": 1}, "h": {"min": 1}, "w": {"min": 1}}
  # CHECK: %one : f32[n, c, 4, 4][16*c, 1, 4*c, c] =
  %one = aten.upsample_nearest2d.default(%x, [4, 4])
  # CHECK: %three : f32[n, 3, 4, 4][48, 1, 12, 3] =
  %three = aten.upsample_nearest2d.default(%y, [4, 4])
  return (%one, %three)
}
