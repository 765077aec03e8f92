# RUN: fxcpp opt %s --passes propagate_types | FileCheck %s
# The items of a list that a call returned before a call changed the sizes of its operand.
graph(%y : f32[3, 4], %o : f32[3, 4], %i : i64[3], %x : f32[3, 4], %v : f64[3, 4]) {
  graph @f(%a, %b) {
    return (%a, %b)
  }
  %k = torch.sort(%y, 1, out=(%o, %i))
  %t = call_method unsqueeze_(%o, 0)
  # CHECK: %g : tensor[*] = operator.getitem(%k, 0)
  # CHECK: %j : i64[3, 4] = operator.getitem(%k, 1)
  %g = operator.getitem(%k, 0)
  %j = operator.getitem(%k, 1)
  %w = higher_order.wrap(@f, %x, %v)
  %u = aten.unsqueeze_.default(%x, 0)
  # CHECK: %n = aten.neg.default(%h)
  # CHECK: %p : f64[3, 4] = aten.neg.default(%q)
  %h = operator.getitem(%w, 0)
  %n = aten.neg.default(%h)
  %q = operator.getitem(%w, 1)
  %p = aten.neg.default(%q)
  # The results of max are new tensors.
  %m = torch.max(%y, 1)
  %r = call_method unsqueeze_(%y, 0)
  # CHECK: %z : f32[3] = builtins.getattr(%m, "values")
  %z = builtins.getattr(%m, "values")
  return (%g, %j, %n, %p, %z)
}
