# A mask of rank n indexes n dimensions, and the next item of the index applies to the dimension
# after them. Not lowered: an item that may be a tensor or a number, and a tensor of unknown type:
# if its rank is 0, the result is a view.
# RUN: fxcpp opt %s --passes lower_to_aten | FileCheck %s
# RUN: not fxcpp opt %s --passes "lower_to_aten{strict}" 2>&1 | FileCheck %s --check-prefix=STRICT

graph @index(%x : f32[2, 3, 4], %mask : b8[2, 3], %at : i64[5], %n : int, %unknown, %tensor) {
  # CHECK: %[[U:.*]] : f32[2, 3, 1, 4] = aten.unsqueeze.default(%x, 2)
  # CHECK-NEXT: aten.index.Tensor(%[[U]], [%mask, None])
  %a = operator.getitem(%x, (%mask, None))
  # CHECK-NEXT: %[[S:.*]] : f32[2, 3, 2]{{.*}} = aten.slice.Tensor(%x, 2, 1, 3, 1)
  # CHECK-NEXT: aten.index.Tensor(%[[S]], [%mask, None])
  %b = operator.getitem(%x, (%mask, slice(1, 3, None)))
  # CHECK-NEXT: %[[T:.*]] = aten.select.int(%x, 2, %n)
  # CHECK-NEXT: aten.index.Tensor(%[[T]], [%mask])
  %c = operator.getitem(%x, (%mask, ..., %n))
  # CHECK-NEXT: %[[V:.*]] : f32[2, 1, 3, 4] = aten.unsqueeze.default(%x, 1)
  # CHECK-NEXT: aten.index.Tensor(%[[V]], [None, None, %at])
  %d = operator.getitem(%x, (slice(None, None, None), None, %at))
  # CHECK-NEXT: %e = operator.getitem(%x, %unknown)
  # STRICT: node e (operator.getitem): %unknown may be a tensor or a number: its type is unknown
  %e = operator.getitem(%x, %unknown)
  %t = aten.relu.default(%tensor)
  # CHECK: operator.getitem(%x, (%tensor, None))
  # STRICT: node f (operator.getitem): the type of index tensor is unknown: propagate types first
  %f = operator.getitem(%x, (%tensor, None))
  # CHECK: operator.getitem(%x, %tensor)
  %g = operator.getitem(%x, %tensor)
  # CHECK: operator.setitem(%x, %unknown, 1.0)
  # STRICT: node h (operator.setitem): %unknown may be a tensor or a number
  %h = operator.setitem(%x, %unknown, 1.0)
  return (%a, %b, %c, %d, %e, %t, %f, %g)
}
