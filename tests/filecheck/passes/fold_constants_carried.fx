# REQUIRES: torch
# RUN: fxcpp opt %s --passes fold_constants --check-changed | FileCheck %s
# The loop addresses the storage of %a. %a is %second in the second step and %first in the third, so
# both must remain parts of %all. A value that no step addresses by position is a constant.
# CHECK: %[[ALL:.*]] : f32[8] = get_attr _folded_{{[0-9]}}
# CHECK: %[[FIRST:.*]] : f32[2] = aten.slice.Tensor(%[[ALL]], 0, 0, 2)
# CHECK: %[[SECOND:.*]] : f32[2]{offset=2} = aten.slice.Tensor(%[[ALL]], 0, 2, 4)
# CHECK: %[[OTHER:.*]] : f32[2] = get_attr _folded_{{[0-9]}}
# CHECK: higher_order.while_loop(@more, @step, [%n, %sum, %start, %[[SECOND]], %[[FIRST]], %[[OTHER]]], [])
graph(%n : i64[], %sum : f32[4]) {
  graph @more(%i : i64[], %s : f32[4], %a : f32[2], %b : f32[2], %c : f32[2], %d : f32[2]) {
    %m : b8[] = aten.gt.Scalar(%i, 0)
    return [%m]
  }
  graph @step(%i : i64[], %s : f32[4], %a : f32[2], %b : f32[2][?], %c : f32[2][?], %d : f32[2]) {
    %j : i64[] = aten.sub.Tensor(%i, 1)
    %v : f32[4] = aten.as_strided.default(%a, [4], [1], 0)
    %t : f32[4] = aten.add.Tensor(%s, %v)
    %e : f32[2][?] = aten.alias.default(%b)
    %f : f32[2] = aten.neg.default(%d)
    return [%j, %t, %e, %c, %c, %f]
  }
  %all : f32[8] = aten.arange.default(8, dtype=torch.float32)
  %first : f32[2] = aten.slice.Tensor(%all, 0, 0, 2)
  %second : f32[2]{offset=2} = aten.slice.Tensor(%all, 0, 2, 4)
  %rest : f32[4] = aten.arange.default(4, dtype=torch.float32)
  %other : f32[2] = aten.slice.Tensor(%rest, 0, 0, 2)
  %start : f32[2] = aten.slice.Tensor(%sum, 0, 0, 2)
  %run : (i64[], f32[4], f32[2][?], f32[2][?], f32[2][?], f32[2]) = higher_order.while_loop(@more, @step, [%n, %sum, %start, %second, %first, %other], [])
  %y : f32[4] = operator.getitem(%run, 1)
  %z : f32[4] = aten.neg.default(%y)
  return (%z,)
}
