# RUN: fxcpp opt %s --passes propagate_types --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes propagate_types,propagate_types --check-changed | FileCheck %s
# A result of unknown rank, stacked, has an unknown rank. A result of unknown dtype or sizes does not
# differ from that of the other branch, or from the value that a loop carries.
graph(%x : f32[2, 3], %o, %v : f32[3], %b : b8[], %i : i64[]) {
  graph @step(%a, %p) {
    %b = aten.add.out(%a, 1, out=%p)
    return (%b,)
  }
  graph @then(%p) {
    %s = aten.sum.dim_IntList(%p, [0], True)
    %r = aten.add.out(%p, 1, out=%s)
    return [%r]
  }
  graph @else(%p) {
    return [%p]
  }
  graph @test(%k, %c) {
    %lt = aten.lt.Scalar(%k, 3)
    return %lt
  }
  graph @body(%k, %c) {
    %next = aten.add.Tensor(%k, 1)
    %s = aten.sum.dim_IntList(%c, [0], True)
    %r = aten.add.out(%c, 1, out=%s)
    return (%next, %r)
  }
  # CHECK: %m : (tensor[*],) = higher_order.map_impl
  %m = higher_order.map_impl(@step, [%x], [%o])
  # CHECK-NEXT: %c : (tensor[*],) = higher_order.cond
  %c = higher_order.cond(%b, @then, @else, (%v,))
  # CHECK-NEXT: %w : (i64[], tensor[*]) = higher_order.while_loop
  %w = higher_order.while_loop(@test, @body, (%i, %v), ())
  return (%m, %c, %w)
}
