# REQUIRES: torch
# RUN: fxcpp opt %s --passes fold_constants --check-changed | FileCheck %s
# Must not change: a graph that writes to memory.
# CHECK:      graph @writes() {
# CHECK-NEXT:   %zeros : f32[2] = aten.zeros.default([2])
# CHECK-NEXT:   %add_ : f32[2] = aten.add_.Tensor(%zeros, 1)
# CHECK-NEXT:   return %add_
graph @writes() {
  %zeros : f32[2] = aten.zeros.default([2])
  %add_ : f32[2] = aten.add_.Tensor(%zeros, 1)
  return %add_
}
