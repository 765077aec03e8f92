# RUN: fxcpp opt %s --passes functionalize --check-changed | FileCheck %s
# Must not change: a nested graph reads the input before the write, and returns new memory.
# CHECK:      %copied : f32[4] = aten.copy_.default(%z, %n)
# CHECK-NEXT: return (%n, %part)
graph(%z : f32[4]) {
  graph @body(%a : f32[4]) {
    %s : f32[4] = aten.sin.default(%a)
    return [%s]
  }
  %run = higher_order.wrap(@body, %z)
  %part : f32[4] = operator.getitem(%run, 0)
  %n : f32[4] = aten.neg.default(%z)
  %copied : f32[4] = aten.copy_.default(%z, %n)
  return (%n, %part)
}
