# RUN: not fxcpp grad %s --vjp --wrt x 2>&1 | FileCheck %s
# RUN: not fxcpp grad %s --mode forward --wrt x 2>&1 | FileCheck %s

# The derivative of a step recomputes the values of the step, but with different random numbers.
# CHECK: higher_order.while_loop (%loop): %r (aten.rand_like.default) in a nested graph may draw random numbers
graph(%n : i64[], %x : f32[3]) {
  graph @test(%i : i64[], %a : f32[3]) {
    %g = aten.gt.Scalar(%i, 0)
    return %g
  }
  graph @body(%i : i64[], %a : f32[3]) {
    %j = aten.sub.Tensor(%i, 1)
    %r = aten.rand_like.default(%a)
    %b = aten.mul.Tensor(%a, %r)
    return (%j, %b)
  }
  %loop = higher_order.while_loop(@test, @body, [%n, %x], [])
  %y = operator.getitem(%loop, 1)
  return %y
}
