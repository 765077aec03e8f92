# RUN: fxcpp opt %s --passes decompose | FileCheck %s
# A call that runs a graph changes the sizes of an operand without a type, which is the same tensor as %a (1023018255).
graph(%x : f64[1, 3], %p : b8[]) {
  graph @part(%y) {
    %s = aten.squeeze_.default(%y)
    return [%s]
  }
  %a : f64[1, 3] = aten.clone.default(%x)
  %b = aten.real.default(%a)
  %c = higher_order.cond(%p, @part, @part, [%b])
  # CHECK: aten.unbind.int(%a, 0)
  %d = aten.unbind.int(%a, 0)
  return (%d, %b)
}
