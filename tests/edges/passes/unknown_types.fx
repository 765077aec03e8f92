# faults/02-unknown-rank: incomplete types are not equal to any type.

# pipeline: simplify
graph(%x : f32[2, 3]) {
  %c : f32[*] = aten.clone.default(%x)
  %v : f32[*] = aten.reshape.default(%c, [-1])
  %t : f32[*] = aten.expand.default(%v, [3, -1])
  %y : f32[*] = aten.relu.default(%t)
  return %y
}
# An unknown dtype: casts, products and quotients.
# pipeline: simplify
graph(%x : i64[3]) {
  %c : tensor[3] = aten.clone.default(%x)
  %q : tensor[3] = aten.div.Tensor(%c, 1)
  %d : tensor[3] = aten.mul.Tensor(%c, 1.0)
  %e : tensor[3] = aten.add.Tensor(%c, 0.0)
  %f : tensor[3] = aten.to.dtype(%c, torch.float32)
  %g : tensor[3] = aten._to_copy.default(%c, dtype=torch.float64)
  %h : tensor[3] = aten.view.dtype(%c, torch.float64)
  %i : tensor[3] = aten.pow.Tensor_Scalar(%c, 1.0)
  return (%q, %d, %e, %f, %g, %h, %i)
}
# Unknown strides: calls that copy, and calls that cannot be views.
# pipeline: simplify
graph(%x : f32[3, 2][1, 3]) {
  %c : f32[3, 2][?] = aten.alias.default(%x)
  %k : f32[3, 2][?] = aten.contiguous.default(%c)
  %r : f32[6] = aten.reshape.default(%k, [6])
  %b : f32[3, 2][?] = aten.reshape.default(%r, [3, 2])
  %n : f32[3, 2][?] = aten.clone.default(%c, memory_format=torch.contiguous_format)
  %m : f32[3, 2][?] = aten.mul.Tensor(%n, 1)
  return (%b, %m)
}
# Unknown sizes of lists and their items.
# pipeline: simplify,eliminate_common_subexpressions
graph(%x : f32[4, 2]) {
  %c : f32[*] = aten.clone.default(%x)
  %p = aten.split.Tensor(%c, 2)
  %a : f32[*] = operator.getitem(%p, 0)
  %b : f32[*] = operator.getitem(%p, 1)
  %s : f32[*] = aten.squeeze.default(%a)
  %q : f32[*] = aten.permute.default(%s, [1, 0])
  %t : f32[*] = aten.transpose.int(%b, 0, 1)
  return (%q, %t)
}
# Broadcasts: a product with a tensor of a different size.
# pipeline: simplify
graph(%x : f32[1, 3]) {
  %c : f32[*] = aten.clone.default(%x)
  %o : f32[*] = aten.ones.default([2, 3])
  %m : f32[*] = aten.mul.Tensor(%c, %o)
  %z : f32[*] = aten.zeros.default([2, 1])
  %a : f32[*] = aten.add.Tensor(%c, %z)
  %e : f32[*] = aten.expand_as.default(%c, %o)
  %v : f32[*] = aten.view_as.default(%e, %o)
  return (%m, %a, %e, %v)
}
# Calls without types at all.
# pipeline: simplify,eliminate_common_subexpressions
graph(%x : f32[2, 3]) {
  %c = aten.clone.default(%x)
  %r = aten.reshape.default(%c, [3, 2])
  %s = aten.reshape.default(%c, [3, 2])
  %t = aten.t.default(%r)
  %u = aten.t.default(%t)
  %m = aten.mul.Tensor(%u, 1)
  %n = aten.to.dtype(%m, torch.float32)
  %w = aten.add_.Tensor(%s, 1)
  return (%m, %n, %r)
}
