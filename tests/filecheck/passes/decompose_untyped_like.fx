# RUN: fxcpp opt %s --passes decompose | FileCheck %s
# If a decomposition requires the type of an operand and the operand has none, the call is kept.
# CHECK: %a = aten.ones_like.default(%x)
# CHECK-NEXT: %b = aten.zeros_like.default(self=%x)
# CHECK-NEXT: %c : tensor[2, 3] = aten.view_as.default(%y, %z)
graph(%x, %y : tensor[3, 2], %z : f64[2, 3]) {
  %a = aten.ones_like.default(%x)
  %b = aten.zeros_like.default(self=%x)
  %c : tensor[2, 3] = aten.view_as.default(%y, %z)
  return (%a, %b, %c)
}
