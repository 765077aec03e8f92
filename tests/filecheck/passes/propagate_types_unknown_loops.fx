# RUN: fxcpp opt %s --passes propagate_types --check-changed | FileCheck %s
# The type of a carried value is unknown if that of the body's result is.
graph(%n : i64[], %x : f32[2, 3], %u : tensor[3]) {
  # CHECK: graph @test(%i : i64[], %a : tensor[*], %b : tensor[3])
  graph @test(%i, %a, %b) {
    %lt = aten.lt.Scalar(%i, 3)
    return %lt
  }
  # CHECK: graph @body(%i : i64[], %a : tensor[*], %b : tensor[3])
  graph @body(%i, %a, %b) {
    %next = aten.add.Tensor(%i, 1)
    %c = aten._to_copy.default(%b, dtype=torch.float32)
    return (%next, %c)
  }
  %row = aten.select.int(%x, 0, 1)
  %loop = higher_order.while_loop(@test, @body, (%n, %row), (%u,))
  return %loop
}
