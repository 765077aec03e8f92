# RUN: fxcpp opt %s --passes functionalize --check-changed | FileCheck %s
# Must not change: the write that functionalize added is kept even if a view comes after it, since
# the view uses only the size of the written input.
# CHECK-LABEL: graph @copied_back(
# CHECK-NEXT:    %less
# CHECK-NEXT:    %wide
# CHECK-NEXT:    %flat
# CHECK-NEXT:    %n : f32[1, 4] = aten.neg.default(%z)
# CHECK-NEXT:    %copied : f32[1, 4] = aten.copy_.default(%z, %n)
# CHECK-NEXT:    return %flat
graph @copied_back(%z : f32[1, 4]) {
  %less : f32[1, 4] = aten.sub.Tensor(%z, 1.0)
  %wide : f32[1, 4] = aten.expand_as.default(%less, %z)
  %flat : f32[4] = aten.reshape.default(%wide, [-1])
  %n : f32[1, 4] = aten.neg.default(%z)
  %copied : f32[1, 4] = aten.copy_.default(%z, %n)
  return %flat
}
