# RUN: fxcpp opt %s --passes propagate_types --check-changed | FileCheck %s
# The strides and the offset of a carried value are unknown if those of the body's result are.
graph(%n : i64[], %x : f32[2, 3], %u : tensor[3]) {
  # CHECK: graph @test(%i : i64[], %a : f32[3][?], %b : tensor[3])
  graph @test(%i, %a, %b) {
    %lt = aten.lt.Scalar(%i, 3)
    return %lt
  }
  # CHECK: graph @body(%i : i64[], %a : f32[3][?], %b : tensor[3])
  graph @body(%i, %a, %b) {
    %next = aten.add.Tensor(%i, 1)
    %c = aten._to_copy.default(%b, dtype=torch.float32)
    return (%next, %c)
  }
  %row = aten.select.int(%x, 0, 1)
  %loop = higher_order.while_loop(@test, @body, (%n, %row), (%u,))
  return %loop
}
