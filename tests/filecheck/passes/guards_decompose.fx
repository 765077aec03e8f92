# RUN: fxcpp opt %s --passes decompose{ops="aten.addmm"} --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes decompose{ops="aten.addmm"},decompose{ops="aten.addmm"} --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes lower_to_aten --check-changed | FileCheck %s --check-prefix=LOWER
# A pass that infers types adds its assumptions to the guards.
# CHECK: !guards = ["Eq(k, n)"
# LOWER: !guards = ["Eq(k, n)"
graph(%x : f32[m, k], %w : f32[n, 4], %b : f32[4]) {
  !symbols = {"m": {"min": 2}, "n": {"min": 2}, "k": {"min": 2}}
  %y = aten.addmm.default(%b, %x, %w)
  return %y
}
