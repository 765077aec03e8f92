# RUN: fxcpp opt %s --passes functionalize --check-changed | FileCheck %s
# Must not change: nothing is written; a random operator and a view are not writes.
# CHECK-LABEL: graph @pure(
# CHECK-NEXT:    %t : f32[3, 2]{{.*}} = aten.t.default(%x)
# CHECK-NEXT:    %rand : f32[2] = aten.rand.default([2])
# CHECK-NEXT:    %mm : f32[3] = aten.mv.default(%t, %rand)
# CHECK-NEXT:    return %mm
graph @pure(%x : f32[2, 3]) {
  %t : f32[3, 2][1, 3] = aten.t.default(%x)
  %rand : f32[2] = aten.rand.default([2])
  %mm : f32[3] = aten.mv.default(%t, %rand)
  return %mm
}
