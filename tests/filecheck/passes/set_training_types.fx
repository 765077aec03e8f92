# Dropout in evaluation mode returns its operand: the result and its views have the operand's
# strides and offset.
# RUN: fxcpp opt %s --passes set_training --check-changed | FileCheck %s
graph(%x : f64[3, 2][1, 3]{offset=3}, %y : f64[2]) {
  # The input of a nested graph, even if the call has no type.
  # CHECK: graph @body(%a : f64[3, 2][1, 3]{offset=3}) {
  graph @body(%a : f64[3, 2][1, 3]) {
    %s : f64[3, 2][1, 3] = aten.sin.default(%a)
    # CHECK: %m : f64[3, 2][1, 3]{offset=3} = call_method add_(%a, 1)
    # CHECK-NEXT: %n : f64[2][3]{offset=3} = call_method select(%m, 0, 0)
    %m : f64[3, 2][1, 3] = call_method add_(%a, 1)
    %n : f64[2][3] = call_method select(%m, 0, 0)
    return [%s, %n]
  }
  # CHECK: %drop : f64[3, 2][1, 3]{offset=3} = aten.dropout.default(%x, 0.5, False)
  %drop : f64[3, 2][1, 3] = aten.dropout.default(%x, 0.5, True)
  # CHECK-NEXT: %row : f64[2][3]{offset=4} = aten.select.int(%drop, 0, 1)
  %row : f64[2][3]{offset=1} = aten.select.int(%drop, 0, 1)
  # A value without a type may have changed, so the type of its view is unknown.
  # CHECK-NEXT: %a = aten.alias.default(%drop)
  # CHECK-NEXT: %b = aten.alias.default(%a)
  %a = aten.alias.default(%drop)
  %b : f64[3, 2][1, 3] = aten.alias.default(%a)
  # Methods, parts of tensors, and partially known types.
  # CHECK-NEXT: %m : f64[3, 2][1, 3]{offset=3} = call_method detach(%drop)
  # CHECK-NEXT: %parts : [f64[3, 1][1, 3]{offset=3}, f64[3, 1][1, 3]{offset=6}] = aten.split.Tensor(%drop, 1, 1)
  # CHECK-NEXT: %part : f64[3, 1][1, 3]{offset=6} = operator.getitem(%parts, 1)
  %m : f64[3, 2][1, 3] = call_method detach(%drop)
  %parts : [f64[3, 1][1, 3], f64[3, 1][1, 3]{offset=3}] = aten.split.Tensor(%drop, 1, 1)
  %part : f64[*]{offset=3} = operator.getitem(%parts, 1)
  # A new tensor does not change.
  # CHECK-NEXT: %new : f64[3, 2][1, 3] = aten.neg.default(%drop)
  %new : f64[3, 2][1, 3] = aten.neg.default(%drop)
  %run = higher_order.wrap(@body, %drop)
  return (%row, %b, %m, %part, %new, %run)
}
