# RUN: fxcpp opt %s --passes propagate_types --check-changed | FileCheck %s
# Later iterations of a loop receive the results of its body, whose storage offset may differ from
# that of the first operand. The inputs of the body have no strides and no offset, unless the
# operand is dense.
graph(%n : i64[], %x : f32[2, 3], %y : f32[3]) {
  # CHECK: graph @test(%i : i64[], %a : f32[3][?], %b : f32[3])
  graph @test(%i, %a, %b) {
    %lt = aten.lt.Scalar(%i, 3)
    return %lt
  }
  # CHECK: graph @body(%i : i64[], %a : f32[3][?], %b : f32[3])
  graph @body(%i, %a, %b) {
    %next = aten.add.Tensor(%i, 1)
    %c = aten.add.Tensor(%b, 1)
    %d = aten.mul.Tensor(%b, 2)
    %e = aten.clone.default(%c, memory_format=torch.contiguous_format)
    return (%next, %e, %d)
  }
  %row = aten.select.int(%x, 0, 1)
  # CHECK: %loop : (i64[], f32[3], f32[3]) = higher_order.while_loop
  %loop = higher_order.while_loop(@test, @body, (%n, %row, %y), ())
  return %loop
}
