# Must not change: with beta 0, the quotient in the decomposition has no derivative, unlike
# softplus.
# RUN: fxcpp opt %s --passes decompose --check-changed | FileCheck %s
graph(%x : f32[2]) {
  # CHECK: %a : f32[2] = aten.softplus.default(%x, False)
  # CHECK-NEXT: %b : f32[2] = aten.softplus.default(%x, beta=inf)
  %a : f32[2] = aten.softplus.default(%x, False)
  %b : f32[2] = aten.softplus.default(%x, beta=inf)
  # CHECK: %c : f32[2] = aten.where.self(
  %c : f32[2] = aten.softplus.default(%x, 2)
  return (%a, %b, %c)
}
