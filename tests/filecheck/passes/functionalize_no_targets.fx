# RUN: fxcpp opt %s --passes functionalize --check-changed | FileCheck %s
# A call that writes to the tensors of an empty list writes to nothing. Eager mode rejects it.
# CHECK: %a = aten._foreach_add_.List([], [%x])
# CHECK-NEXT: %b = aten.unbind_copy.int_out(%x, out=[])
# CHECK-NEXT: %sin : f32[2] = aten.sin.default(%x)
graph(%x : f32[2]) {
  %a = aten._foreach_add_.List([], [%x])
  %b = aten.unbind_copy.int_out(%x, out=[])
  %c : f32[2] = aten.sin_.default(%x)
  return (%a, %b, %c)
}
