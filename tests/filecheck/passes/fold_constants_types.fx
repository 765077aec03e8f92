# REQUIRES: torch
# Types determine which values share memory, so calls on constants without types get types first. A
# second run then changes nothing.
# RUN: fxcpp opt %s --passes fold_constants --check-changed -o %t.fx && FileCheck %s < %t.fx
# RUN: fxcpp opt %s --passes fold_constants,fold_constants --check-changed | FileCheck %s
# CHECK:      %[[C:.*]] : f64[2] = get_attr _folded_0
# CHECK-NEXT: %[[D:.*]] : f64[2] = aten.clone.default(%[[C]])
# CHECK-NEXT: return %[[D]]
graph(%x : f32[2]) {
  %ones = aten.ones.default([2])
  %not = aten.logical_not.default(%ones)
  %c : f64[2] = aten.to.dtype(%not, torch.float64, False, True)
  return %c
}
