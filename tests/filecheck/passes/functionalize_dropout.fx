# RUN: fxcpp opt %s --passes functionalize --check-changed | FileCheck %s
# A call that drops no elements writes nothing, and returns its operand. The functional form has the
# operand as argument `input`.
graph(%x : f32[4], %e : f32[0]) {
  # CHECK:      %exp : f32[4] = aten.exp.default(%x)
  # CHECK-NEXT: %[[A:.*]] : f32[4] = aten.dropout.default(%exp, 0.5, True)
  # CHECK-NEXT: %[[B:.*]] : f32[4] = aten.alpha_dropout.default(input=%[[A]], p=1, train=True)
  # CHECK-NEXT: %add : f32[4] = aten.add.Tensor(%[[B]], 1)
  # CHECK-NEXT: return [%add, %add, %e]
  %exp : f32[4] = aten.exp.default(%x)
  %a : f32[4] = aten.dropout_.default(%exp, 0.5, True)
  %b : f32[4] = aten.alpha_dropout_.default(self=%a, p=1, train=True)
  %c : f32[4] = aten.dropout_.default(%b, 0.5, False)
  %d : f32[4] = aten.feature_dropout_.default(%exp, 0, True)
  %add : f32[4] = aten.add_.Tensor(%c, 1)
  %f : f32[0] = aten.dropout_.default(%e, 0.5, True)
  return [%d, %exp, %f]
}
