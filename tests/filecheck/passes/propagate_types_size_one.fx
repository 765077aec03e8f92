# RUN: fxcpp opt %s --passes propagate_types --check-changed | FileCheck %s
# torch does not compare the strides of dimensions of size 1 in branches and loops, so these strides may differ between
# branches and steps (1016105840).
graph(%p : b8[], %y : f64[1][2], %z : f64[1], %stack : f64[3, 1]) {
  # CHECK: graph @cond(%step : i64[], %a : f64[1][?], %b : f64[1])
  graph @cond(%step : i64[], %a, %b) {
    %lt = aten.lt.Scalar(%step, 0)
    return %lt
  }
  graph @body(%step : i64[], %a, %b) {
    %c = aten.clone.default(%b)
    %d = aten.neg.default(%b)
    %s = aten.add.Tensor(%step, 1)
    return (%s, %c, %d)
  }
  graph @then(%a) {
    %b = aten.clone.default(%a)
    return [%b]
  }
  graph @else(%a) {
    %b = aten.clone.default(%a, memory_format=torch.contiguous_format)
    return [%b]
  }
  # A step receives a slice that starts at another element, and a copy keeps this offset (1016021456).
  # CHECK: graph @step(%carried : f64[1], %slice : f64[1]{offset=[[OFFSET:u[0-9]+]]}, %y : f64[1][2])
  graph @step(%carried, %slice, %y) {
    # CHECK: %c : f64[1]{offset=[[OFFSET]]} = aten.copy.default(%slice, %y)
    %c : f64[1][2] = aten.copy.default(%slice, %y)
    # CHECK: %e : f64[1]{offset=[[OFFSET]]} = aten.copy.default(%slice, %y)
    %e : f64[1] = aten.copy.default(%slice, %y)
    %d = aten.neg.default(%c)
    return (%d, %d)
  }
  %zero = aten.zeros.default([], dtype=torch.int64)
  # A loop without steps returns its inputs.
  # CHECK: %loop : (i64[], f64[1][?], f64[1]) = higher_order.while_loop
  %loop = higher_order.while_loop(@cond, @body, [%zero, %y, %z], [])
  # CHECK: %branch : (f64[1][?],) = higher_order.cond
  %branch = higher_order.cond(%p, @then, @else, [%y])
  # CHECK: %scan : (f64[1], f64[3, 1]) = higher_order.scan
  %scan = higher_order.scan(@step, [%z], [%stack], [%y])
  return (%loop, %branch, %scan)
}
