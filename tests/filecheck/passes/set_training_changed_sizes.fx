# RUN: fxcpp opt %s --passes set_training --check-changed | FileCheck %s
# After a call that changes sizes, all types are inferred again. Dropout in evaluation mode returns its
# operand, whose type is unknown here, so the input of a nested graph does not keep the type that it
# had in training mode (1036015494).
graph(%x : bf16[2, 1], %y : f32[*]) {
  # CHECK: graph @body(%a) {
  graph @body(%a : f32[1, 1, 1]) {
    %b : f32[1, 1, 1] = aten.add.Tensor(%a, 1.5)
    return [%b]
  }
  %u : bf16[1, 2, 1] = aten.unsqueeze_.default(%x, 0)
  %n = aten.narrow.default(%y, 1, 1, 1)
  %d = aten.dropout.default(%n, 0.5, True)
  %v = aten.alias.default(%d)
  # CHECK: %c = higher_order.wrap(@body, %v)
  %c : (f32[1, 1, 1],) = higher_order.wrap(@body, %v)
  return (%c,)
}
