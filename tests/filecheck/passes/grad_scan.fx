# RUN: fxcpp grad %s | FileCheck %s
# RUN: fxcpp grad %s --mode forward --wrt x | FileCheck %s --check-prefix=FORWARD

# The forward loop also returns the values that it carries into each step.
# CHECK: graph @step_saved_0(%a : f32[3], %row : f32[3]{offset=u0}, %weight : f32[3])
# CHECK: %[[SAVED:.*]] : f32[3] = aten.clone.default(%a)
# CHECK: return [%mul, %sin, %[[SAVED]]]
# A step of the backward loop returns the gradient of %a, the sum for %weight, and the gradient of
# %row. The gradient of %sin is not computed, since no result depends on it.
# CHECK: graph @step_gradients_0(
# CHECK-NEXT: %tangents_1 : f32[3],
# CHECK-NEXT: %sum_3 : f32[3],
# CHECK-NEXT: %a : f32[3],
# CHECK-NEXT: %row : f32[3]{offset=u0},
# CHECK-NEXT: %weight : f32[3],
# CHECK-NEXT: ) {
# CHECK-NEXT: %add : f32[3] = aten.add.Tensor(%a, %row)
# CHECK-NEXT: %[[A:.*]] : f32[3] = aten.mul.Tensor(%tangents_1, %weight)
# CHECK-NEXT: %[[W:.*]] : f32[3] = aten.mul.Tensor(%tangents_1, %add)
# CHECK-NEXT: %[[SUM:.*]] : f32[3] = aten.add.Tensor(%sum_3, %[[W]])
# CHECK-NEXT: return [%[[A]], %[[SUM]], %[[A]]]
# CHECK: %[[LOOP:.*]] : (f32[3], f32[5, 3], f32[5, 3]) = higher_order.scan(%step_saved_0, [%h], [%x], [%w])
# CHECK: %[[STATES:.*]] : f32[5, 3] = operator.getitem(%[[LOOP]], 2)
# The backward loop runs from the last step to the first.
# CHECK: %[[FLIP:.*]] : f32[5, 3] = aten.flip.default(%[[STATES]], [0])
# CHECK: %[[XS:.*]] : f32[5, 3] = aten.flip.default(%x, [0])
# CHECK: %[[BACK:.*]] : (f32[3], f32[3], f32[5, 3]) = higher_order.scan(%step_gradients_0, [%{{.*}}, %{{.*}}], [%[[FLIP]], %[[XS]]], [%w])
# CHECK: %[[ROWS:.*]] : f32[5, 3] = operator.getitem(%[[BACK]], 2)
# CHECK: %[[X:.*]] : f32[5, 3] = aten.flip.default(%[[ROWS]], [0])
# CHECK: return (%[[X]], %

# FORWARD: graph @step_tangents_0(
# FORWARD: higher_order.scan(%step_tangents_0, [%h, %zeros_like], [%x, %tangents_1], [%w])
graph(%x : f32[5, 3], %h : f32[3], %w : f32[3]) {
  graph @step(%a, %row, %weight) {
    %add : f32[3] = aten.add.Tensor(%a, %row)
    %mul : f32[3] = aten.mul.Tensor(%add, %weight)
    %sin : f32[3] = aten.sin.default(%mul)
    return [%mul, %sin]
  }
  %step = get_attr step
  %scan = higher_order.scan(%step, [%h], [%x], [%w])
  %last = operator.getitem(%scan, -2)
  %loss = aten.sum.default(%last)
  return %loss
}
