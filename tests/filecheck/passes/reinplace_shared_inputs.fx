# The inputs share memory: a write to one of them would change the other, which is used later.
# RUN: fxcpp opt %s --passes 'reinplace{inputs}' --check-changed | FileCheck %s

graph(%x : f32[4] !{shared_memory=0}, %part : f32[2]{offset=2} !{shared_memory=0}, %y : f32[4]) {
  # CHECK: %a : f32[4] = aten.neg.default(%x)
  # CHECK-NEXT: %b : f32[4] = aten.exp_.default(%y)
  # CHECK-NEXT: %c : f32[2]{offset=2} = aten.sin_.default(%part)
  %a : f32[4] = aten.neg.default(%x)
  %b : f32[4] = aten.exp.default(%y)
  %c : f32[2] = aten.sin.default(%part)
  return (%a, %b, %c)
}
