# Items of slices of a list are items of the list: out= resizes %a, which is also item 1 of %s
# (1012202932).
# RUN: fxcpp opt %s --passes propagate_types | FileCheck %s
graph(%x : f32[4, 6], %y : f32[3, 2, 4]) {
  %s = aten.tensor_split.sections(%x, 3, 1)
  %t = operator.getitem(%s, slice(1, None, None))
  %a = operator.getitem(%t, 0)
  %b = operator.getitem(%s, -2)
  %c = operator.getitem(%s, 0)
  %d = operator.getitem(%t, 1)
  %w = aten.add.out(%y, %y, out=%a)
  # CHECK: %b1 : f32[3, 2, 4] = aten.neg.default(%b)
  # CHECK: %c1 : f32[4, 2]{{.*}} = aten.neg.default(%c)
  # CHECK: %d1 : f32[4, 2]{{.*}} = aten.neg.default(%d)
  %b1 = aten.neg.default(%b)
  %c1 = aten.neg.default(%c)
  %d1 = aten.neg.default(%d)
  # CHECK: %e1 : f32[3, 2, 4] = aten.neg.default(%e)
  # CHECK: %f1 : f32[3, 2, 4] = aten.neg.default(%f)
  %e = operator.getitem(%s, 1)
  %e1 = aten.neg.default(%e)
  %f = operator.getitem(%t, -2)
  %f1 = aten.neg.default(%f)
  return (%a, %b1, %c1, %d1, %e1, %f1)
}
# The number of items of %l is unknown, so -3 may be item 3, which then is not f32[4] (1013237128). %c has a type that
# differs from that of %a.
graph @unknown_count(%x : f32[4], %y : f32[4]) {
  graph @part(%p : f32[4]) {
    return [%p, %p]
  }
  %l = higher_order.wrap(@part, %x)
  %a : f32[*] = operator.getitem(%l, -3)
  %b : f32[1] = operator.getitem(%l, 3)
  %w : f32[4] = aten.add_.Tensor(%a, %y)
  # CHECK-LABEL: @unknown_count
  # CHECK: %n{{( : tensor[^ ]*)?}} = aten.neg.default(%b)
  %n = aten.neg.default(%b)
  return (%w, %n)
}
