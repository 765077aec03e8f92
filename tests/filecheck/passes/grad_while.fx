# RUN: fxcpp grad %s --vjp --wrt x --wrt w -o %t.fx
# RUN: FileCheck %s < %t.fx
# RUN: fxcpp opt %t.fx --passes propagate_types --check-changed
# RUN: fxcpp grad %s --mode forward --wrt x | FileCheck %s --check-prefix FORWARD

# The forward loop saves its steps, and a backward loop runs from the last step to the first.
# CHECK: graph @condition_saved_0(%i : i64[], %a : f32[3], %count : i64[], %v : f32[3])
# CHECK: graph @body_gradients_0(
# CHECK-NEXT: %steps_left : i64[]
# CHECK-NEXT: %tangents_2 : f32[3]
# CHECK-NEXT: %sum_3 : f32[3]
# CHECK-NEXT: %saved_2 : f32[u0 + 1, 3]
# CHECK-NEXT: %v : f32[3]
# CHECK: higher_order.while_loop_stack_output(%condition_saved_0, %body_saved_0, [%n, %x, %full], [%w])
# CHECK: higher_order.while_loop(%condition_gradients_0, %body_gradients_0, [%{{.*}}, %tangents_1, %zeros_like], [%cat{{.*}}, %w])

# FORWARD: graph @condition_tangents_0(%i : i64[], %a : f32[3], %tangents_2 : f32[3], %v : f32[3])
# FORWARD: higher_order.while_loop(%condition_tangents_0, %body_tangents_0, [%n, %x, %tangents_1], [%w])
graph(%n : i64[], %x : f32[3], %w : f32[3]) {
  graph @test(%i : i64[], %a : f32[3], %v : f32[3]) {
    %g = aten.gt.Scalar(%i, 0)
    return %g
  }
  graph @body(%i : i64[], %a : f32[3], %v : f32[3]) {
    %j = aten.sub.Tensor(%i, 1)
    %b = aten.mul.Tensor(%a, %v)
    return (%j, %b)
  }
  %loop = higher_order.while_loop(@test, @body, [%n, %x], [%w])
  %y = operator.getitem(%loop, 1)
  return %y
}
