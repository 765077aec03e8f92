# A call that writes to the tensors of a list does not change the list.
# RUN: fxcpp opt %s --passes propagate_types | FileCheck %s
graph(%a : f32[2, 3], %b : f32[4]) {
  %d = torch._foreach_sqrt([%a, %b])
  %e = torch._foreach_abs_(%d)
  # CHECK: %f : [f32[2, 3], f32[4]] = torch._foreach_exp_
  %f = torch._foreach_exp_(%d)
  # CHECK: %g : f32[2, 3] = operator.getitem
  %g = operator.getitem(%d, 0)
  %s = torch.split(%a, 1)
  %h = torch._foreach_neg_(%s)
  # CHECK: %i : f32[1, 3]{{.*}} = operator.getitem
  %i = operator.getitem(%s, 1)
  %l = torch._foreach_exp([%a, %b])
  %j = operator.setitem(%l, 0, %b)
  # CHECK: %k = operator.getitem
  %k = operator.getitem(%l, 0)
  return (%f, %g, %i, %k)
}
