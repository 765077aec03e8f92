# RUN: fxcpp opt %s --passes propagate_types --check-changed | FileCheck %s
# If the body of a loop changes sizes or strides of an input in place (`squeeze_`), the next
# iteration sees the changes. The sizes are unknown, including those of other inputs with the same
# dtype, which may be the same tensor.
graph(%n : i64[], %x : f32[1, 3], %y : f32[2], %z : i64[2], %w : f32[1, 3], %m : i64[], %k : i64[2]) {
  # CHECK: graph @test(%i : i64[], %a : f32[*], %b : f32[*], %c : i64[2])
  graph @test(%i, %a, %b, %c) {
    %lt = aten.lt.Scalar(%i, 3)
    return %lt
  }
  # CHECK: graph @body(%i : i64[], %a : f32[*], %b : f32[*], %c : i64[2])
  graph @body(%i, %a, %b, %c) {
    # CHECK: %s = aten.squeeze_.default(%a)
    %s = aten.squeeze_.default(%a)
    %next = aten.add.Tensor(%i, 1)
    return (%next,)
  }
  # A step of a scan.
  # CHECK: graph @step(%i : i64[], %k : i64[]{offset=u0}, %a : f32[*])
  graph @step(%i, %k, %a) {
    %t = aten.t_.default(%a)
    %next = aten.add.Tensor(%i, 1)
    return (%next,)
  }
  # A graph that runs once.
  # CHECK: graph @once(%a : f32[1, 3])
  graph @once(%a) {
    # CHECK: %s : f32[3] = aten.squeeze_.default(%a)
    %s = aten.squeeze_.default(%a)
    %d = aten.neg.default(%s)
    return [%d]
  }
  %u = aten.neg.default(%x)
  %run = higher_order.wrap(@once, %u)
  %loop = higher_order.while_loop(@test, @body, (%n,), (%x, %y, %z))
  %v = aten.exp.default(%w)
  %scan = higher_order.scan(@step, [%m], [%k], [%v])
  return (%run, %loop, %scan)
}
