# REQUIRES: torch
# RUN: fxcpp opt %s --passes fold_constants --check-changed | FileCheck %s
# The folded value of a call without a type has offset 0, and the types of its views are inferred
# again.
# CHECK: %r : f32[2] = aten.view_as.default(%_folded_{{[0-9]}}, %x)
graph(%x : f32[2]) {
  graph @yes(%a : f32[4]) {
    %part : f32[2]{offset=2} = aten.narrow.default(%a, 0, 2, 2)
    return [%part]
  }
  graph @no(%a : f32[4]) {
    %part : f32[2]{offset=2} = aten.narrow.default(%a, 0, 2, 2)
    return [%part]
  }
  %ones : f32[4] = aten.ones.default([4])
  %sum : f32[] = aten.sum.default(%ones)
  %positive : b8[] = aten.gt.Scalar(%sum, 0)
  %run = higher_order.cond(%positive, @yes, @no, [%ones])
  %part = operator.getitem(%run, 0)
  %r : f32[2]{offset=2} = aten.view_as.default(%part, %x)
  %y : f32[2] = aten.add.Tensor(%r, %x)
  return %y
}
