# RUN: fxcpp opt %s --passes functionalize --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes functionalize,functionalize --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes 'functionalize{copy_back=false}' --check-changed | FileCheck %s --check-prefix=VALUES
graph(%x : f32[2, 3], %b : f32[3]) {
  # A write through a view changes the source; later uses of other views use recomputed views.
  # CHECK:      %row : f32[3] = aten.select.int(%x, 0, 1)
  # CHECK-NEXT: %[[ADD:.*]] : f32[3] = aten.add.Tensor(%row, %b)
  # CHECK-NEXT: %[[X:.*]] : f32[2, 3] = aten.select_scatter.default(%x, %[[ADD]], 0, 1)
  # CHECK-NEXT: %[[FLAT:.*]] : f32[6] = aten.view.default(%[[X]], [6])
  # CHECK-NEXT: %sin : f32[6] = aten.sin.default(%[[FLAT]])
  %row : f32[3] = aten.select.int(%x, 0, 1)
  %flat : f32[6] = aten.view.default(%x, [6])
  %add_ : f32[3] = aten.add_.Tensor(%row, %b)
  %sin : f32[6] = aten.sin.default(%flat)
  # Memory that the graph allocates is not copied back; sizes that are changed in place become a
  # view.
  # CHECK-NEXT: %mul : f32[2, 3] = aten.mul.Tensor(%[[X]], 2)
  # CHECK-NEXT: %[[RELU:.*]] : f32[2, 3] = aten.relu.default(%mul)
  # CHECK-NEXT: %[[T:.*]] : f32[3, 2]{{.*}} = aten.t.default(%[[RELU]])
  %mul : f32[2, 3] = aten.mul.Tensor(%x, 2)
  %relu_ : f32[2, 3] = aten.relu_.default(%mul)
  %t_ : f32[3, 2][1, 3] = aten.t_.default(%relu_)
  # Must not change: calls without writes.
  # CHECK-NEXT: %exp : f32[3] = aten.exp.default(%b)
  # CHECK-NEXT: %rand : f32[2] = aten.rand.default([2])
  %exp : f32[3] = aten.exp.default(%b)
  %rand : f32[2] = aten.rand.default([2])
  # The input gets its final value at the end.
  # CHECK-NEXT: aten.copy_.default(%x, %[[X]])
  # CHECK-NEXT: return (%sin, %[[T]], %exp, %rand)
  # VALUES:     %sin
  # VALUES-NOT: copy_
  # VALUES:     return (%sin
  return (%sin, %t_, %exp, %rand)
}
