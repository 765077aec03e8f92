# RUN: fxcpp opt %s --passes simplify --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes simplify,simplify --check-changed | FileCheck %s
# A reshape of a reshape that copies is merged after all other steps, so that a second run finds
# nothing more to change. %v shares memory with %m, which a result uses, so it is kept.

# CHECK-LABEL: graph(
graph(%z : f32[2, 2][1, 2], %y : f32[2, 3][1, 2]) {
  # CHECK-NEXT: %r : f32[4] = aten.reshape.default(%z, [-1])
  # CHECK-NEXT: %v : f32[1, 4] = aten.reshape.default(%r, [1, -1])
  # CHECK-NEXT: %m : f32[2, 2] = aten.reshape.default(%r, [2, 2])
  # CHECK-NEXT: %e : f32[1, 4] = aten.exp.default(%v)
  %r : f32[4] = aten.reshape.default(%z, [-1])
  %v : f32[1, 4] = aten.reshape.default(%r, [1, -1])
  %m : f32[2, 2] = aten.reshape.default(%r, [2, 2])
  %e : f32[1, 4] = aten.exp.default(%v)
  %n : f32[2, 2] = aten.neg.default(%m)
  %nn : f32[2, 2] = aten.neg.default(%n)
  # CHECK-NEXT: %b : f32[3, 2] = aten.reshape.default(%y, [3, 2])
  # CHECK-NEXT: %c : f32[1, 6] = aten.reshape.default(%y, [1, 6])
  # CHECK-NEXT: %s : f32[3, 2] = aten.sin.default(%b)
  # CHECK-NEXT: %t : f32[1, 6] = aten.sin.default(%c)
  # CHECK-NEXT: return (%m, %e, %s, %t, %y)
  %a : f32[6] = aten.reshape.default(%y, [-1])
  %b : f32[3, 2] = aten.reshape.default(%a, [3, 2])
  %c : f32[1, 6] = aten.reshape.default(%a, [1, 6])
  %s : f32[3, 2] = aten.sin.default(%b)
  %t : f32[1, 6] = aten.sin.default(%c)
  return (%nn, %e, %s, %t, %y)
}
