# A call changes the sizes of an input in a nested graph whose values have no types, or types that do not
# determine the sizes. The parts receive and return the input without a type.
# RUN: fxcpp opt %s --passes 'split_for_backend{ops=higher_order.wrap}' | FileCheck %s
# RUN: fxcpp opt %s --passes split_module | FileCheck %s
# CHECK: graph(%x : f32[3, 2, 4], %y : f64[4, 4])
# CHECK-NOT: %x :
# CHECK: graph @untyped(
# CHECK-NOT: %x :
graph(%x : f32[3, 2, 4], %y : f64[4, 4]) {
  graph @untyped(%a : tensor[*], %y : tensor[*]) {
    %b = aten.atleast_2d.default(%a)
    %o = aten.add.out(%y, %y, out=%b)
    return [%b]
  }
  graph @partly_typed(%a : tensor[*], %y : tensor[*]) {
    %b : tensor[*] = aten.atleast_2d.default(%a)
    %o : tensor[*] = aten.add.out(%y, %y, out=%b)
    return [%b]
  }
  %v = higher_order.wrap(@untyped, %x, %y) !{partition=0}
  %c : f64[4, 4] = aten.neg.default(%y) !{partition=1}
  %w = higher_order.wrap(@partly_typed, %x, %y) !{partition=2}
  %i = operator.getitem(%v, 0) !{partition=2}
  %k = operator.getitem(%w, 0) !{partition=2}
  return [%i, %k, %c]
}
