# RUN: fxcpp opt %s --passes propagate_types --check-changed | FileCheck %s
# The body changes the sizes of %b, which the next step receives, so the sizes of its results may
# differ in each step (1034002119).
graph(%i : i64[], %c : f32[3, 2, 1, 4], %x : f32[3, 2, 4]) {
  # CHECK: graph @test(%n : tensor[*], %a : tensor[*], %b : f32[*])
  graph @test(%n : i64[], %a : f32[3, 2, 1, 4], %b : f32[3, 2, 4]) {
    %lt = aten.lt.Scalar(%n, 2)
    return %lt
  }
  # CHECK: graph @step(%n : tensor[*], %a : tensor[*], %b : f32[*])
  graph @step(%n : i64[], %a : f32[3, 2, 1, 4], %b : f32[3, 2, 4]) {
    # CHECK: %u = aten.unsqueeze.default
    # CHECK: %k = aten.clone.default
    %u = aten.unsqueeze.default(%b, -2)
    %t = aten.transpose_.default(%b, 0, -1)
    %m = aten.add.Tensor(%n, 1)
    %k = aten.clone.default(%u)
    return (%m, %k)
  }
  # CHECK: %loop = higher_order.while_loop
  %loop = higher_order.while_loop(@test, @step, [%i, %c], [%x])
  return %loop
}
