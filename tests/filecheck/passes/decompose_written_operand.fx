# RUN: fxcpp opt %s --passes decompose --check-changed | FileCheck %s
# `copy_` changes neither sizes nor strides, although its operand has no type (1013266441): the type of %x remains
# known in the outer graph.
graph(%x : i64[1, 2], %y : i64[1]) {
  graph @part(%x : i64[1, 2], %y : i64[1]) {
    %reshape = aten.reshape.default(%x, [1, 2])
    %copy : i64[1, 2] = aten.copy_.default(%reshape, %y)
    return [%copy]
  }
  %call = higher_order.wrap(@part, %x, %y)
  %getitem : i64[1, 2] = operator.getitem(%call, 0)
  # CHECK: %rsub : i64[1, 2] = aten.sub.Tensor(%y, %x)
  %rsub : i64[1, 2] = aten.rsub.Tensor(%x, %y)
  return (%rsub, %getitem)
}
