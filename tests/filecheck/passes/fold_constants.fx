# REQUIRES: torch
# RUN: fxcpp opt %s --passes fold_constants --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes 'fold_constants{max_bytes=4}' --check-changed | FileCheck %s --check-prefix=STAYS
# RUN: fxcpp opt %s --passes 'fold_constants{fold_factories=false}' --check-changed | FileCheck %s --check-prefix=STAYS
graph(%x : f32[2]) {
  # Two calls are folded to one constant, with the name and type of the second call.
  # CHECK:      graph(%x : f32[2]) {
  # CHECK-NEXT:   %_folded_0 : f32[2] = get_attr _folded_0
  # STAYS:        %ones : f32[2] = aten.ones.default([2])
  # STAYS-NEXT:   %two : f32[2] = aten.add.Tensor(%ones, 1)
  %ones : f32[2] = aten.ones.default([2])
  %two : f32[2] = aten.add.Tensor(%ones, 1)
  # Must not change: random calls, and calls that depend on them or on an input.
  # CHECK-NEXT:   %rand : f32[2] = aten.rand.default([2])
  # CHECK-NEXT:   %noise : f32[2] = aten.add.Tensor(%rand, %_folded_0)
  # CHECK-NEXT:   %mul : f32[2] = aten.mul.Tensor(%_folded_0, %x)
  # CHECK-NEXT:   return (%mul, %noise)
  %rand : f32[2] = aten.rand.default([2])
  %noise : f32[2] = aten.add.Tensor(%rand, %two)
  %mul : f32[2] = aten.mul.Tensor(%two, %x)
  return (%mul, %noise)
}
