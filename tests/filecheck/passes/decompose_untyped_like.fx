# RUN: fxcpp opt %s --passes decompose | FileCheck %s
# A decomposition that needs a type leaves the call, where the operand has none.
# CHECK: %a = aten.ones_like.default(%x)
# CHECK-NEXT: %b = aten.zeros_like.default(self=%x)
graph(%x) {
  %a = aten.ones_like.default(%x)
  %b = aten.zeros_like.default(self=%x)
  return (%a, %b)
}
