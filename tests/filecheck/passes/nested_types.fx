# RUN: fxcpp opt %s --passes propagate_types,simplify --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes propagate_types,propagate_types,simplify --check-changed | FileCheck %s
# Two calls run a graph with operands of different types. Types inside the graph must hold for both
# calls, so the view is not removed. Each call has the type of its result.
graph(%x : f32[3, 2], %y : f32[2, 3], %n : f64[2, 3], %t : f32[2, 3][1, 2]) {
  # CHECK:      graph @body(%a : f32[*], %b : tensor[2, 3][?]) {
  # CHECK-NEXT: %v = aten.view.default(%a, [3, 2])
  # CHECK-NEXT: %s = aten.add.Tensor(%b, 1)
  graph @body(%a, %b) {
    %v = aten.view.default(%a, [3, 2])
    %s = aten.add.Tensor(%b, 1)
    return (%v, %s)
  }
  # CHECK:      graph @strides(%a : f32[2, 3][?]) {
  # CHECK-NEXT: %c = aten.contiguous.default(%a)
  graph @strides(%a) {
    %c = aten.contiguous.default(%a)
    return (%c,)
  }
  # CHECK:      %one : (f32[3, 2], f32[2, 3]) = higher_order.wrap(@body, %y, %y)
  # CHECK-NEXT: %two : (f32[3, 2], f64[2, 3]) = higher_order.wrap(@body, %x, %n)
  # CHECK-NEXT: %three : (f32[2, 3],) = higher_order.wrap(@strides, %t)
  # CHECK-NEXT: %four : (f32[2, 3],) = higher_order.wrap(@strides, %y)
  %one = higher_order.wrap(@body, %y, %y)
  %two = higher_order.wrap(@body, %x, %n)
  %three = higher_order.wrap(@strides, %t)
  %four = higher_order.wrap(@strides, %y)
  return (%one, %two, %three, %four)
}
