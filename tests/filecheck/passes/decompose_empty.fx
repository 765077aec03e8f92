# RUN: fxcpp opt %s --passes 'propagate_types,decompose{set=all}' | FileCheck %s
# Tensors without elements do not have a maximum.
# CHECK-LABEL: graph @empty(
# CHECK-NOT: amax
graph @empty(%z : f32[4, 0], %y : f32[0, 3]) {
  %s = aten._softmax.default(%z, 1, False)
  %l = aten._log_softmax.default(%z, 1, False)
  %t = aten._softmax.default(%y, 1, False)
  %n = aten.logsumexp.default(%z, [0])
  return (%s, %l, %t, %n)
}
