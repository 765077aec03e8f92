# REQUIRES: torch
# RUN: fxcpp opt %s --passes fold_constants --check-changed | FileCheck %s
# Must not change: a call that cannot be evaluated, and a tensor without data. Others are folded.
# CHECK:      graph(%x : f32[5]) {
# CHECK-NEXT:   %c = builtins.max(2, 4)
# CHECK-NEXT:   %m = aten.zeros.default([2], device=device(meta))
# CHECK-NEXT:   %_folded_0 : f32[5] = get_attr _folded_0
# CHECK-NEXT:   %z = aten.mul.Tensor(%_folded_0, %c)
# CHECK-NEXT:   %y = aten.mul.Tensor(%x, %z)
# CHECK-NEXT:   return (%y, %m)
graph(%x : f32[5]) {
  %c = builtins.max(2, 4)
  %m = aten.zeros.default([2], device=device(meta))
  %o = aten.ones.default([5])
  %z = aten.mul.Tensor(%o, %c)
  %y = aten.mul.Tensor(%x, %z)
  return (%y, %m)
}
