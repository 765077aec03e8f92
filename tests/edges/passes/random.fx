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
