# RUN: not fxcpp vmap %s 2>&1 | FileCheck %s
# RUN: not fxcpp grad %s --vjp 2>&1 | FileCheck %s
# RUN: sed 's/\[6, 6\], \[\]/[3, 3], [1, 3, 6, 6]/' %s > %t.fx
# RUN: fxcpp vmap %t.fx | FileCheck %s --check-prefix=VALID
# Rules rely on types, so recorded types that the operands contradict are not used.
# CHECK: up (aten.upsample_nearest2d_backward.default)
# VALID: = aten.upsample_nearest2d_backward.default(
graph(%x : f32[1, 3, 3, 3]) {
  %up : f32[] = aten.upsample_nearest2d_backward.default(%x, [6, 6], [], 2.0, 2.0)
  return %up
}
