# RUN: fxcpp opt %s --passes lower_to_aten | FileCheck %s
# RUN: fxcpp opt %s --passes propagate_types,lower_to_aten | FileCheck %s
# `...` before another item requires the rank; a tensor of unknown type or rank is not lowered (1023014097).
graph(%x, %y : f32[*], %i : i64[]) {
  %a = aten.relu.default(%x)
  # CHECK: operator.setitem(%a, (..., %i), 3)
  %b = operator.setitem(%a, (..., %i), 3)
  # CHECK: operator.getitem(%y, (..., 0))
  %c = operator.getitem(%y, (..., 0))
  return (%a, %c)
}
