# The types of values whose functional form has no inferred type: only a scatter has the strides of
# its source, and an item of a list that a functional form returns may have a different offset from
# the written item.
# RUN: fxcpp opt %s --passes functionalize --check-changed | FileCheck %s
graph(%x : tensor[4, 6], %y) {
  %p : f32[*] = aten.permute.default(%x, [1, 0])
  %g : b8[6, 4] = aten.gt.Scalar(%p, 0)
  # CHECK: %masked_fill : f32[*] = aten.masked_fill.Scalar(%p
  # CHECK-NEXT: %permute : tensor[4, 6][?] = aten.permute.default(%masked_fill, [1, 0])
  # CHECK-NEXT: %copy : tensor[4, 6] = aten.copy.default(%x, %permute)
  %m : f32[6, 4][1, 6] = aten.masked_fill_.Scalar(%p, %g, -1)
  %parts = aten.unbind.int(%y, 1)
  %a : f64[4][4]{offset=3} = operator.getitem(%parts, 3)
  %b : f64[4][4]{offset=3} = operator.getitem(%parts, 3)
  # CHECK: %[[FIRST:.*]] : [f64[4]] = aten._foreach_mul.Scalar([%a], 3)
  # CHECK: %[[SECOND:.*]] = aten._foreach_mul.Scalar([%{{.*}}], 3)
  # CHECK-NEXT: : f64[4][?] = operator.getitem(%[[SECOND]], 0)
  %f : none = aten._foreach_mul_.Scalar([%a, %b], 3)
  return (%m, %a)
}
