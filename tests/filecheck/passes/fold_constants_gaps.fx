# REQUIRES: torch
# RUN: fxcpp opt %s --passes fold_constants --check-changed | FileCheck %s
# A nested graph addresses an element in a gap of its input. A constant with the strides of %part would
# not contain this element, so %part remains a view.
# CHECK: %[[ALL:.*]] : f32[4] = get_attr _folded_{{[0-9]}}
# CHECK: %[[PART:.*]] : f32[2][2] = aten.slice.Tensor(%[[ALL]], 0, 0, 4, 2)
# CHECK: higher_order.wrap(@gap, %[[PART]])
graph() {
  graph @gap(%a : f32[2][2]) {
    %s : f32[1]{offset=1} = aten.as_strided.default(%a, [1], [1], 1)
    %c : f32[1] = aten.neg.default(%s)
    return [%c]
  }
  %all : f32[4] = aten.arange.default(4, dtype=torch.float32)
  %part : f32[2][2] = aten.slice.Tensor(%all, 0, 0, 4, 2)
  %run : (f32[1],) = higher_order.wrap(@gap, %part)
  %y : f32[1] = operator.getitem(%run, 0)
  return (%y,)
}
