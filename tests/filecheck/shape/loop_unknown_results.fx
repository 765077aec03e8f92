# RUN: fxcpp opt %s --passes propagate_types | FileCheck %s
# Values of unknown sizes or dtype that a step returns may differ from those that it receives (1048083570).
# An unknown function may also change the sizes of its operand, and %m and %d may be one tensor.
# CHECK: graph @step(%n : i64[], %c : tensor[*], %v : f32[2]{offset=u0}) {
# CHECK: graph @body(%m : tensor[*], %d : tensor[*]) {
graph(%xs : f32[3, 2], %i : i64[], %z : f32[2]) {
  graph @step(%n, %c, %v) {
    %m = aten.add.Tensor(%n, 1)
    %d = my.unknown(%v)
    return [%m, %d]
  }
  graph @condition(%m, %d) {
    %l = aten.lt.Scalar(%m, 2)
    return %l
  }
  graph @body(%m, %d) {
    %o = aten.add.Tensor(%m, 1)
    %u = my.unknown(%d)
    return (%o, %u)
  }
  %s = higher_order.scan(@step, [%i, %z], [%xs], [])
  %w = higher_order.while_loop(@condition, @body, (%i, %z), ())
  return (%s, %w)
}
