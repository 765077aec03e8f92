# RUN: fxcpp opt %s --passes lower_to_aten --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes lower_to_aten,lower_to_aten --check-changed | FileCheck %s
# After a call that changes the sizes of a tensor, uses of the tensor become uses of the call's
# result. This counts as a change even if the graph has nothing else to lower.

# CHECK: %c : f32[3, 2][1, 3] = aten.neg.default(%t)
# CHECK: return (%t, %c)
graph(%x : f32[2, 3]) {
  %a : f32[2, 3] = aten.alias.default(%x)
  %b : f32[2, 3] = aten.neg.default(%a)
  %t : f32[3, 2][1, 3] = aten.t_.default(%a)
  %c : f32[3, 2][1, 3] = aten.neg.default(%a)
  return (%a, %c)
}
