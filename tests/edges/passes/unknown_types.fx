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
# Calls without any types.
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
# pipeline: simplify,eliminate_common_subexpressions
graph(%x : f32[2, 3]) {
  %c : f32[*] = aten.clone.default(%x)
  %u : f32[*] = aten.unsqueeze.default(%c, 0)
  %s : f32[*] = aten.squeeze.dim(%u, 0)
  %e : f32[*] = aten.expand.default(%c, [4, 2, 3])
  %f : f32[*] = aten.flatten.using_ints(%c)
  %g : f32[*] = aten.repeat.default(%c, [1, 2, 1])
  %h : f32[*] = aten.broadcast_to.default(%c, [2, 2, 3])
  %i : f32[*] = aten.narrow.default(%c, 1, 0, 2)
  %j : f32[*] = aten.slice.Tensor(%c, 1, 0, 2)
  %k : f32[*] = aten.permute.default(%c, [1, 0])
  %l : f32[*] = aten.transpose.int(%c, -1, -2)
  %m : f32[*] = aten.select.int(%c, 0, 0)
  %n : f32[*] = aten.diagonal.default(%c)
  %o : f32[*] = aten.view.default(%c, [3, 2])
  %p : f32[*] = aten.sum.dim_IntList(%c, [0])
  %q : f32[*] = aten.movedim.int(%c, 0, 1)
  %r : f32[*] = aten.t.default(%c)
  return (%s, %e, %f, %g, %h, %i, %j, %k, %l, %m, %n, %o, %p, %q, %r)
}
# pipeline: simplify,eliminate_common_subexpressions
# pipeline: propagate_types,lower_to_aten,simplify
graph(%x : f32[2, 3]) {
  %c : tensor[2, 3] = aten.to.dtype(%x, torch.float64)
  %d : tensor[2, 3] = aten.to.dtype(%c, torch.float32)
  %e : tensor[2, 3] = aten.to.dtype(%d, torch.int64)
  %f : tensor[2, 3] = aten.type_as.default(%e, %x)
  %g : tensor[2, 3] = aten.to.other(%e, %c)
  %h : tensor[2, 3] = call_method float(%e)
  %i : tensor[2, 3] = call_method double(%h)
  %j : tensor[2, 3] = call_method long(%i)
  %k : tensor[2, 3] = aten.mul.Tensor(%j, 1)
  %l : tensor[2, 3] = aten.mul.Tensor(%j, True)
  %m : tensor[2, 3] = aten.floor_divide.Scalar(%h, 1)
  %n : tensor[2, 3] = aten.div.Tensor_mode(%h, 1, rounding_mode="trunc")
  %o : tensor[2, 3] = aten.bitwise_not.default(%j)
  %p : tensor[2, 3] = aten.real.default(%c)
  %q : tensor[2, 3] = aten.abs.default(%c)
  %r : tensor[2, 3] = aten.conj.default(%c)
  return (%c, %d, %e, %f, %g, %h, %i, %j, %k, %l, %m, %n, %o, %p, %q, %r)
}
# pipeline: simplify,eliminate_common_subexpressions
graph(%x : c64[2, 3]) {
  %c : tensor[2, 3] = aten.clone.default(%x)
  %r : tensor[2, 3] = aten.conj.default(%c)
  %s : tensor[2, 3] = aten.resolve_conj.default(%r)
  %t : tensor[2, 3] = aten.abs.default(%c)
  %u : tensor[2, 3] = aten.real.default(%c)
  %v : tensor[2, 3] = aten.add.Tensor(%u, 0)
  %w : tensor[2, 3] = aten.mul.Tensor(%u, 1.0)
  return (%s, %t, %v, %w)
}
# pipeline: simplify,eliminate_common_subexpressions
graph(%x : i64[2, 3]) {
  %c = aten.clone.default(%x)
  %a = aten.add.Tensor(%c, 0.0)
  %b = aten.sub.Tensor(%c, 0.0)
  %d = aten.mul.Tensor(%c, 1.0)
  %e = aten.div.Tensor(%c, 1)
  %f = aten.pow.Tensor_Scalar(%c, 1.0)
  return (%a, %b, %d, %e, %f)
}
# pipeline: simplify,eliminate_common_subexpressions
# pipeline: propagate_types,lower_to_aten,simplify
graph(%x : i64[2, 3]) {
  %c = aten.clone.default(%x)
  %a = aten.add.Tensor(%c, 0.0)
  %b = aten.sub.Tensor(%c, 0.0)
  %d = aten.mul.Tensor(%c, 1.0)
  %e = aten.div.Tensor(%c, 1)
  %f = aten.pow.Tensor_Scalar(%c, 1.0)
  %g = operator.add(%c, 0.0)
  %h = operator.mul(%c, 1.0)
  %i = operator.truediv(%c, 1)
  %j = operator.pow(%c, 1.0)
  return (%a, %b, %d, %e, %f, %g, %h, %i, %j)
}
# pipeline: simplify,eliminate_common_subexpressions
graph(%x : f32[3, 2][1, 3]) {
  %c : f32[3, 2][?] = aten.alias.default(%x)
  %k : f32[3, 2][?] = aten.clone.default(%c, memory_format=torch.contiguous_format)
  %v : f32[6] = aten.view.default(%k, [6])
  %s : f32[3, 2][?] = aten.as_strided.default(%k, [3, 2], [2, 1])
  %t : f32[3, 2][?] = aten.as_strided.default(%x, [3, 2], [1, 3])
  %u : f32[3, 2][?] = aten.contiguous.default(%t)
  %w : f32[3, 2][?] = aten.to.dtype_layout(%t, dtype=torch.float32, memory_format=torch.contiguous_format)
  %y : f32[3, 2][?] = aten.empty_like.default(%t, memory_format=torch.contiguous_format)
  %z : f32[3, 2][?] = aten.copy_.default(%y, %t)
  %q : f32[6] = aten.reshape.default(%t, [-1])
  return (%v, %s, %u, %w, %z, %q)
}
# Equal calls on values with unknown types, whose sizes change in place between the calls.
# pipeline: simplify,eliminate_common_subexpressions
graph(%x : f32[2, 3]) {
  %c = aten.clone.default(%x)
  %a = aten.sum.dim_IntList(%c, [0])
  %t = aten.t_.default(%c)
  %b = aten.sum.dim_IntList(%c, [0])
  return (%a, %b)
}
# pipeline: simplify,eliminate_common_subexpressions
graph(%x : f32[2, 3]) {
  %c : f32[*] = aten.clone.default(%x)
  %a : f32[*] = aten.view.default(%c, [-1])
  %t : f32[*] = aten.unsqueeze_.default(%c, 0)
  %b : f32[*] = aten.view.default(%c, [-1])
  %d : f32[*] = aten.reshape.default(%c, [-1])
  %e : f32[*] = aten.view.default(%t, [1, 2, 3])
  return (%a, %b, %d, %e)
}
# pipeline: simplify,eliminate_common_subexpressions
# pipeline: propagate_types,lower_to_aten,simplify
graph(%x : f32[2, 3]) {
  %n = call_method size(%x)
  %c = call_method view(%x, %n)
  %d = call_method expand(%x, %n)
  %e = call_method reshape(%d, -1, 3)
  %f = call_method to(%e, torch.float64)
  %g = call_method to(%f, %x)
  %h = call_method type(%g, torch.int64)
  %i = call_method contiguous(%h)
  %j = call_method expand(%i, 4, -1, -1)
  return (%c, %d, %e, %g, %h, %i, %j)
}
# pipeline: simplify,eliminate_common_subexpressions
graph(%x : f32[2, 1, 3]) {
  %c : f32[*] = aten.clone.default(%x)
  %s : f32[*] = aten.sum.dim_IntList(%c, [2])
  %q : f32[*] = aten.squeeze.default(%c)
  %r : f32[*] = aten.expand.default(%c, [2, 4, 3])
  %t : f32[*] = aten.reshape.default(%c, [2, 3])
  return (%s, %q, %r, %t)
}
# pipeline: simplify,eliminate_common_subexpressions
graph(%p : b8[], %x : f32[2, 3]) {
  graph @t(%x : f32[*]) {
    %a : f32[*] = aten.clone.default(%x)
    %b : f32[*] = aten.reshape.default(%a, [-1])
    %c : f32[*] = aten.expand.default(%b, [2, -1])
    return (%c,)
  }
  graph @f(%x : f32[*]) {
    %a : f32[*] = aten.cat.default([%x, %x], 1)
    return (%a,)
  }
  %c = higher_order.cond(%p, @t, @f, (%x,))
  %a : f32[*] = operator.getitem(%c, 0)
  return %a
}
