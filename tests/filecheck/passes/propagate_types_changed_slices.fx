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
