# RUN: fxcpp opt %s --passes functionalize | FileCheck %s
# The functional form has the arguments of polygamma_ in another order.
# CHECK:      %polygamma : f32[3] = aten.polygamma.default(2, %x)
# CHECK-NEXT: %polygamma_1 : f32[3] = aten.polygamma.default(3, %polygamma)
# CHECK-NEXT: %copy_ : f32[3] = aten.copy_.default(%x, %polygamma_1)
# CHECK-NEXT: return %polygamma_1
graph(%x : f32[3]) {
  %a = aten.polygamma_.default(%x, 2)
  %b = aten.polygamma_.default(%a, n=3)
  return %b
}
