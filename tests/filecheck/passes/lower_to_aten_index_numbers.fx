# An integer in a tensor of rank 0 selects, as a number does; the offset of the view depends on data. A
# flag of rank 0 adds a dimension. An index that selects everything returns a new tensor, a view.
# RUN: fxcpp opt %s --passes lower_to_aten | FileCheck %s
graph(%x : f32[4, 6, 5], %i : i64[], %j : i64[2], %m : b8[], %s : tensor[], %r : i64[*]) {
  # CHECK: %[[N:.*]] : {{.*}} = aten.item.default(%i)
  # CHECK-NEXT: : f32[6, 5]{offset=u{{[0-9]+}}} = aten.select.int(%x, 0, %[[N]])
  %a = operator.getitem(%x, %i)
  # CHECK: %[[N:.*]] : {{.*}} = aten.item.default(%i)
  # CHECK-NEXT: %[[S:.*]] : f32[6, 5]{{.*}} = aten.select.int(%x, 0, %[[N]])
  # CHECK-NEXT: : f32[6, 2] = aten.index.Tensor(%[[S]], [None, %j])
  %b = operator.getitem(%x, (%i, slice(None, None, None), %j))
  # CHECK: %[[U:.*]] : f32[1, 4, 6, 5] = aten.unsqueeze.default(%x, 0)
  # CHECK-NEXT: %[[M:.*]] : b8[1] = aten.unsqueeze.default(%m, 0)
  # CHECK-NEXT: aten.index.Tensor(%[[U]], [%[[M]], %j])
  %c = operator.getitem(%x, (%m, %j))
  # CHECK: %[[N:.*]] : {{.*}} = aten.item.default(%i)
  # CHECK-NEXT: %[[S:.*]] : f32[6, 5]{{.*}} = aten.select.int(%x, 0, %[[N]])
  # CHECK-NEXT: aten.fill_.Scalar(%[[S]], 2)
  %d = operator.setitem(%x, %i, 2)
  # CHECK: aten.alias.default(%x)
  # CHECK-NEXT: aten.alias.default(%x)
  %g = operator.getitem(%x, ...)
  %h = operator.getitem(%x, slice(None, None, None))
  # CHECK: operator.getitem(%x, %s)
  %e = operator.getitem(%x, %s)
  # CHECK: operator.getitem(%x, %r)
  %f = operator.getitem(%x, %r)
  return (%a, %b, %c, %e, %f, %g, %h)
}
