# RUN: fxcpp opt %s --passes simplify --check-changed | FileCheck %s
# The first reshape may copy, because its dtype is unknown, so the second one is merged late, and the
# copy is removed after that (1041032831).
# CHECK-LABEL: graph @late(
# CHECK-NEXT: %e : f32[3] = aten.floor.default(%x)
# CHECK-NEXT: return %e
graph @late(%x : f32[3]) {
  %a : tensor[3] = aten.reshape.default(%x, [-1])
  %b : f32[3] = aten.reshape.default(%a, [3])
  %c : f32[3] = aten.clone.default(%b)
  %e : f32[3] = aten.floor.default(%c)
  return %e
}
