# RUN: fxcpp opt %s --passes functionalize --check-changed | FileCheck %s
# The functional form calls its operand `input`.
graph(%x : f32[4]) {
  # CHECK:      %exp : f32[4] = aten.exp.default(%x)
  # CHECK-NEXT: %[[A:.*]] : f32[4] = aten.dropout.default(%exp, 0.5, False)
  # CHECK-NEXT: %[[B:.*]] : f32[4] = aten.alpha_dropout.default(input=%[[A]], p=0.5, train=True)
  # CHECK-NEXT: return %[[B]]
  %exp : f32[4] = aten.exp.default(%x)
  %a : f32[4] = aten.dropout_.default(%exp, 0.5, False)
  %b : f32[4] = aten.alpha_dropout_.default(self=%a, p=0.5, train=True)
  return %b
}
