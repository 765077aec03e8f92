# A result of a nested graph has the type of the changed call inside, and so do views of it outside,
# even if the call to the graph has no type.
# RUN: fxcpp opt %s --passes set_training --check-changed | FileCheck %s
graph(%x : f64[4, 2][2, 8]) {
  # CHECK: graph @inner(%a : f64[4, 2][2, 8])
  graph @inner(%a : f64[4, 2][2, 8]) {
    # CHECK: %d : f64[4, 2][2, 8] = aten.dropout.default(%a, 0.5, False)
    %d : f64[4, 2][1, 4] = aten.dropout.default(%a, 0.5, True)
    return [%d]
  }
  graph @outer(%a : f64[4, 2][2, 8]) {
    graph @inner(%a : f64[4, 2][2, 8]) {
      %d : f64[4, 2][1, 4] = aten.dropout.default(%a, 0.5, True)
      return [%d]
    }
    # CHECK: %run : (f64[4, 2][2, 8],) = higher_order.wrap(@inner, %a)
    # CHECK: %item : f64[4, 2][2, 8] = operator.getitem(%run, 0)
    %run : (f64[4, 2][1, 4],) = higher_order.wrap(@inner, %a)
    %item : f64[4, 2][1, 4] = operator.getitem(%run, 0)
    return [%item]
  }
  %run = higher_order.wrap_with_set_grad_enabled(True, @inner, %x)
  # CHECK: %item : f64[4, 2][2, 8] = operator.getitem
  %item = operator.getitem(%run, 0)
  # CHECK: %part : f64[2, 2][2, 8] = aten.slice.Tensor(%item
  %part : f64[2, 2][1, 4] = aten.slice.Tensor(%item, 0, 0, 2)
  %twice = higher_order.wrap(@outer, %x)
  %second = operator.getitem(%twice, 0)
  # CHECK: %row : f64[2][8] = aten.select.int(%second
  %row : f64[2][4] = aten.select.int(%second, 0, 0)
  return (%part, %row)
}
