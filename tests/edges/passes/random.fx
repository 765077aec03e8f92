# faults/26-extract-random: random numbers are drawn once and in order.

graph(%p : f32[4, 6], %t : f32[4, 6]) {
  %d = aten.native_dropout.default(%p, 0.5, True)
  %y : f32[4, 6] = operator.getitem(%d, 0)
  %mask : b8[4, 6] = operator.getitem(%d, 1)
  %g : f32[4, 6] = aten.native_dropout_backward.default(%t, %mask, 2.0) !{region="bw"}
  return (%y, %g)
}
graph(%x : f32[4]) {
  %a = aten.rand_like.default(%x)
  %b = aten.rand_like.default(%x)
  %c = aten.neg.default(%a)
  %d = aten.neg.default(%b)
  %e = aten.sub.Tensor(%c, %d)
  %f = aten.bernoulli.default(%a)
  return (%e, %f)
}
graph(%x : f32[4]) {
  %u = aten.rand.default([4])
  %a = aten.randn.default([4])
  %b = aten.dropout.default(%a, 0.5, True)
  %c = aten.uniform_.default(%x)
  %d = aten.add.Tensor(%x, %b)
  %e = aten.randperm.default(4)
  %f = aten.randint.default(5, [2])
  return (%d, %e, %f)
}
graph(%p : b8[], %x : f32[3]) {
  graph @t(%x : f32[3]) {
    %a : f32[3] = aten.rand_like.default(%x)
    %b : f32[3] = aten.rand_like.default(%x)
    %c : f32[3] = aten.sub.Tensor(%a, %b)
    return (%c,)
  }
  graph @f(%x : f32[3]) {
    %a : f32[3] = aten.dropout.default(%x, 0.5, True)
    return (%a,)
  }
  %c : (f32[3],) = higher_order.cond(%p, @t, @f, (%x,))
  %a : f32[3] = operator.getitem(%c, 0)
  %d : (f32[3],) = higher_order.cond(%p, @t, @f, (%x,))
  %b : f32[3] = operator.getitem(%d, 0)
  return (%a, %b)
}
# pipeline: propagate_types,simplify,eliminate_common_subexpressions,eliminate_dead_code
# pipeline: propagate_types,decompose{set=all}
graph(%x : f32[4]) {
  %a = aten.dropout.default(%x, 0.5, True)
  %b = aten.neg.default(%a)
  %c = aten.neg.default(%a)
  %d = aten.dropout.default(%x, 0.5, True)
  return (%b, %c, %d)
}
# pipeline: propagate_types,simplify,eliminate_common_subexpressions,eliminate_dead_code
# pipeline: propagate_types,decompose{set=all}
graph(%x : f32[4]) {
  %s = aten.sigmoid.default(%x)
  %a = aten.bernoulli.default(%s)
  %b = aten.bernoulli.default(%s)
  %c = aten.rrelu.default(%x, 0.1, 0.3, True)
  %d = aten.multinomial.default(%s, 2, True)
  %e = aten.poisson.default(%s)
  %f = aten.normal.Tensor_float(%x)
  %g = aten.randperm.default(5)
  return (%a, %b, %c, %d, %e, %f, %g)
}
# pipeline: simplify,eliminate_common_subexpressions,eliminate_dead_code
graph(%x : f32[4]) {
  %a = torch.rand(4)
  %b = torch.nn.functional.dropout(%x, 0.5, True)
  %c = torch.rand_like(%x)
  %d = call_method bernoulli(%c)
  %e = call_method uniform_(%x)
  %f = torch.randint(5, (3,))
  %g = call_method normal_(%x)
  %h = call_method exponential_(%x)
  return (%a, %b, %d, %f, %x)
}
# pipeline: propagate_types,simplify,eliminate_common_subexpressions,eliminate_dead_code
# pipeline: propagate_types,decompose{set=all}
graph(%q : f32[1, 2, 3, 4]) {
  %a = aten.scaled_dot_product_attention.default(%q, %q, %q, None, 0.5)
  %b = aten.scaled_dot_product_attention.default(%q, %q, %q, None, 0.5)
  return (%a, %b)
}
# pipeline: simplify,eliminate_common_subexpressions
graph(%x : f32[4]) {
  graph @t(%x : f32[4]) {
    %a : f32[4] = aten.rand_like.default(%x)
    return (%a,)
  }
  %c : (f32[4],) = higher_order.wrap(@t, %x)
  %d : (f32[4],) = higher_order.wrap(@t, %x)
  %a = operator.getitem(%c, 0)
  %b = operator.getitem(%d, 0)
  return (%a, %b)
}
