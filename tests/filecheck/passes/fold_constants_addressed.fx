# REQUIRES: torch
# RUN: fxcpp opt %s --passes fold_constants --check-changed | FileCheck %s
# A nested graph addresses the storage of its input: as_strided counts from the start of the storage
# and reads elements that are not elements of %part. A constant would have no such elements, so
# %part remains a view of one. %start is a constant: the graph reads only its elements (1000764606).
# CHECK: %[[ALL:.*]] : f32[4] = get_attr _folded_{{[0-9]}}
# CHECK: %[[PART:.*]] : f32[2] = aten.slice.Tensor(%[[ALL]], 0, 0, 2)
# CHECK: %[[START:.*]] : f32[2] = get_attr _folded_{{[0-9]}}
# CHECK: higher_order.cond(%p, @more, @less, [%[[PART]], %[[START]]])
graph(%p : b8[]) {
  graph @more(%a : f32[2], %b : f32[2]) {
    %v : f32[2] = aten.alias.default(%a)
    %s : f32[4] = aten.as_strided.default(%v, [4], [1], 0)
    %c : f32[4] = aten.neg.default(%s)
    return [%c]
  }
  graph @less(%a : f32[2], %b : f32[2]) {
    %s : f32[2, 2][0, 1] = aten.as_strided.default(%b, [2, 2], [0, 1], 0)
    %c : f32[4] = aten.reshape.default(%s, [4])
    return [%c]
  }
  %all : f32[4] = aten.arange.default(4, dtype=torch.float32)
  %part : f32[2] = aten.slice.Tensor(%all, 0, 0, 2)
  %start : f32[2] = aten.ones.default([2])
  %run : (f32[4],) = higher_order.cond(%p, @more, @less, [%part, %start])
  %y : f32[4] = operator.getitem(%run, 0)
  return (%y,)
}
