# faults/27-size-after-t_, 51-size-arithmetic, 51-len-arithmetic, 54-normalize-args, 05-iadd-trace: calls of
# Python functions and methods, lowered and normalized.

# pipeline: lower_to_aten
graph(%x : f32[3, 4]) {
  %c = aten.clone.default(%x)
  %u = call_method t_(%c)
  %n = call_method size(%c, 0)
  %k = call_method size(%c)
  %d = call_method dim(%c)
  %st = call_method stride(%c)
  %i = call_method is_contiguous(%c)
  %y = call_method sum(%c, 0)
  return (%n, %k, %st, %i, %y)
}
# pipeline: lower_to_aten
graph(%x : f32[3, 4], %y : f32[2, 1, 3]) {
  %c = torch.clone(%x)
  %u = call_method unsqueeze_(%c, 0)
  %a = builtins.getattr(%c, "shape")
  %b = operator.getitem(%a, 0)
  %d = torch.clone(%y)
  %e = call_method squeeze_(%d, 1)
  %f = call_method size(%d, -1)
  %g = builtins.len(%d)
  %h = builtins.getattr(%d, "ndim")
  %i = call_method numel(%d)
  %v = call_method view(%d, %f, -1)
  return (%b, %f, %g, %h, %i, %v)
}
# pipeline: lower_to_aten
graph(%x : f32[2, 3, 4]) {
  %c = torch.clone(%x)
  %u = call_method transpose_(%c, 0, 2)
  %s = call_method size(%c, 0)
  %w = call_method swapaxes_(%c, 0, 1)
  %t = call_method size(%c, 0)
  %z = operator.mul(%s, %t)
  %q = call_method reshape(%c, %z, -1)
  return (%s, %t, %q)
}
# pipeline: lower_to_aten
graph(%x : f32[2, 3]) {
  %s = call_method size(%x, 0)
  %a = operator.add(%s, 1)
  %b = operator.mul(%a, 2)
  %c = operator.floordiv(%b, 4)
  %d = operator.truediv(%b, 4)
  %e = operator.neg(%s)
  %f = operator.pow(%s, 2)
  %g = operator.mod(%b, 4)
  %h = operator.lt(%s, 5)
  %i = builtins.float(%s)
  %j = math.sqrt(%s)
  %k = builtins.max(%s, 7)
  %z = torch.zeros(%s, %a)
  return (%b, %c, %d, %e, %f, %g, %h, %i, %j, %k, %z)
}
# pipeline: lower_to_aten
graph(%x : f32[2, 3]) {
  %l = builtins.len(%x)
  %g = builtins.getattr(%x, "shape")
  %i = operator.getitem(%g, 0)
  %a = operator.add(%i, %l)
  %d = call_method dim(%x)
  %e = operator.mul(%d, 2)
  %n = builtins.len(%g)
  %s = operator.getitem(%g, slice(None, 1, None))
  %t = builtins.getattr(%x, "dtype")
  %z = torch.ones(%g, dtype=%t)
  return (%a, %e, %n, %z)
}
# pipeline: normalize_args
# pipeline: normalize_args{only_kwargs}
# pipeline: lower_to_aten
graph(%x : f32[2, 3], %w : f32[3], %b : f32[3]) {
  %z = torch.zeros_like(%x)
  %n = torch.nn.functional.layer_norm(%x, [3], %w, %b)
  %y = operator.add(%z, %n)
  return %y
}
# pipeline: normalize_args
# pipeline: normalize_args{only_kwargs}
# pipeline: lower_to_aten
graph(%x : f32[2, 3], %w : f32[3], %i : i64[2]) {
  %a = torch.full_like(%x, 2)
  %b = torch.nn.functional.group_norm(%x, 3, %w)
  %c = torch.nn.functional.linear(%x, %x)
  %d = torch.nn.functional.gelu(%x)
  %e = torch.nn.functional.softmax(%x, 1)
  %f = torch.sum(%x, 1)
  %g = torch.nn.functional.embedding(%i, %x)
  %h = torch.cat((%x, %x), 1)
  %j = torch.nn.functional.pad(%x, [1, 1])
  %k = torch.clamp(%x, min=0)
  %l = torch.nn.functional.batch_norm(%x, None, None, training=True)
  %m = torch.nn.functional.dropout(%x, 0.5, False)
  %n = torch.ones_like(%x, dtype=torch.float64)
  %o = torch.std(%x, 1)
  %p = torch.nn.functional.leaky_relu(%x, 0.2)
  %q = torch.max(%x, 1)
  %r = operator.getitem(%q, 0)
  %s = torch.nn.functional.cross_entropy(%x, %i)
  return (%a, %b, %c, %d, %e, %f, %g, %h, %j, %k, %l, %m, %n, %o, %p, %r, %s)
}
# pipeline: lower_to_aten
# pipeline: lower_to_aten,functionalize
graph(%buf : f32[3], %g : f32[3]) {
  %iadd = operator.iadd(%buf, %g)
  %out = operator.mul(%iadd, 2)
  return %out
}
# pipeline: lower_to_aten,functionalize
graph(%buf : f32[3], %g : f32[3]) {
  %v = operator.getitem(%buf, slice(0, 2, None))
  %a = operator.imul(%v, 2)
  %b = operator.setitem(%buf, 2, 5.0)
  %c = operator.setitem(%buf, slice(0, 1, None), 7)
  %d = call_method add_(%g, %buf)
  %e = torch.relu_(%g)
  %f = call_method fill_(%v, 3)
  return (%buf, %d)
}
# The assigned value is an item of the tensor: setitem is lowered to fill_, not copy_.
# pipeline: lower_to_aten
# pipeline: lower_to_aten,propagate_types,functionalize
graph(%x : f32[4], %y : f32[2, 3]) {
  %a = operator.getitem(%x, 2)
  %b = operator.setitem(%x, ..., %a)
  %c = operator.getitem(%y, (1, 2))
  %d = operator.setitem(%y, (slice(None, None, None), 1), %c)
  %e = operator.setitem(%y, (0, 0), %c)
  return (%x, %y)
}
# A value in the same memory with fewer dimensions; values with leading dimensions of size 1, or that are expanded.
# pipeline: lower_to_aten
# pipeline: lower_to_aten,propagate_types,functionalize
graph(%x : f32[4], %y : f32[2, 3], %z : f32[1, 1, 3]) {
  %a = aten.atleast_2d.default(%x)
  %b = operator.setitem(%a, ..., %x)
  %c = operator.setitem(%y, 0, %z)
  %d = operator.setitem(%x, slice(1, None, None), %z)
  %e = operator.setitem(%y, ..., %z)
  %f = operator.add(%y, 1)
  return (%x, %y, %f)
}
# torch._foreach_add_ returns its list, and aten._foreach_add_ returns None.
# pipeline: lower_to_aten
# pipeline: lower_to_aten,propagate_types,functionalize
graph(%x : f32[4], %y : f32[4]) {
  %c = aten.clone.default(%x)
  %t = torch._foreach_add_([%c, %y], 2.0)
  %u = operator.getitem(%t, 1)
  %v = aten.mul.Tensor(%u, 3)
  %n = aten._foreach_neg_.default([%c])
  return (%v, %t, %n)
}
# An integer in a tensor of rank 0 selects, as a number does: the result is a view, and the dimensions of
# other tensors stay in place.
# pipeline: lower_to_aten
# pipeline: propagate_types,lower_to_aten,eliminate_common_subexpressions,eliminate_dead_code
graph(%x : f32[4, 6], %i : i64[]) {
  %c = aten.clone.default(%x)
  %a = operator.getitem(%c, %i)
  %b = operator.getitem(%c, (..., %i))
  %d = operator.getitem(%c, (%i, None, slice(0, 2, None)))
  %e = operator.getitem(%x, (%i, %i))
  %w = aten.add_.Tensor(%a, 1)
  %v = aten.mul_.Tensor(%b, 2)
  %u = aten.neg_.default(%d)
  %n = call_method storage_offset(%b)
  %z = aten.mul.Tensor(%c, 2)
  return (%z, %a, %b, %e, %n)
}
# pipeline: lower_to_aten
# pipeline: propagate_types,lower_to_aten,eliminate_common_subexpressions,eliminate_dead_code
graph(%x : f32[4, 6, 5], %i : i64[], %j : i64[2]) {
  %a = operator.getitem(%x, (%i, slice(None, None, None), [0, 1]))
  %b = operator.getitem(%x, (%j, slice(None, None, None), %i))
  %c = operator.setitem(%x, (%i, slice(None, None, None), [0, 1]), 2)
  %d = operator.setitem(%x, %i, 3)
  return (%a, %b)
}
# Flags and index tensors.
# pipeline: lower_to_aten
# pipeline: lower_to_aten,functionalize
graph(%x : f32[4, 6, 5], %m : b8[], %f : u8[], %j : i64[2]) {
  %a = operator.getitem(%x, %m)
  %b = operator.getitem(%x, (%j, slice(None, None, None), %m))
  %c = operator.getitem(%x, (%m, %j))
  %d = operator.getitem(%x, (..., %m))
  %e = operator.getitem(%x, (%f, %j))
  %g = operator.setitem(%x, (%m, %j), 2)
  return (%a, %b, %c, %d, %e)
}
# An index that selects everything returns a new tensor: t_ does not change the sizes of %c and %d.
# pipeline: lower_to_aten
# pipeline: propagate_types,lower_to_aten,propagate_types,functionalize
graph(%x : f32[2, 3]) {
  %c = aten.clone.default(%x)
  %a = operator.getitem(%c, ...)
  %t = aten.t_.default(%a)
  %d = aten.clone.default(%x)
  %b = operator.getitem(%d, slice(None, None, None))
  %u = aten.t_.default(%b)
  return (%a, %b, %c, %d)
}
# Pooling with and without indices, by position and by keyword. `return_indices=0` is False.
# pipeline: lower_to_aten
# pipeline: propagate_types,lower_to_aten
graph(%x : f32[1, 2, 8], %y : f32[2, 6, 6], %z : f32[1, 1, 4, 4, 4]) {
  %a = torch.nn.functional.max_pool1d(%x, 2, return_indices=True)
  %b = torch.nn.functional.max_pool1d(%x, 3, None, 1, 1, True, True)
  %c = torch.nn.functional.max_pool1d(%x, 3, 2, 1, 1, True, 0)
  %d = torch.nn.functional.max_pool2d(%y, 2, return_indices=True)
  %e = torch.nn.functional.max_pool2d(%y, (3, 2), (1, 2), (1, 0), 1, False, True)
  %f = torch.nn.functional.max_pool3d(%z, 2, stride=1, return_indices=True)
  %g = torch.nn.functional.adaptive_max_pool1d(%x, 3, True)
  %h = torch.nn.functional.adaptive_max_pool2d(%y, (2, None), return_indices=True)
  %i = torch.nn.functional.adaptive_max_pool3d(%z, 2, return_indices=False)
  %b0 = operator.getitem(%b, 0)
  %d1 = operator.getitem(%d, 1)
  %f0 = operator.getitem(%f, 0)
  return (%a, %b0, %c, %d, %e, %f0, %g, %h, %i)
}
# `out` may be a positional argument of Python functions.
# pipeline: eliminate_dead_code
graph(%x : f32[3, 4], %y : f32[4, 3], %p : f32[3, 3], %q : f32[3]) {
  %n = torch.norm(%x, 2, 1, False, %q)
  %t = torch.tensordot(%x, %y, 1, %p)
  return (%p, %q)
}
# `out` is written, and returned.
# pipeline: eliminate_dead_code
# pipeline: lower_to_aten
# pipeline: propagate_types,lower_to_aten,eliminate_common_subexpressions
graph(%x : f32[3, 4], %o : f32[3, 4]) {
  %a = torch.nn.functional.normalize(%x)
  %b = torch.nn.functional.normalize(%x, 1.0, 0, out=%o)
  %c = torch.nn.functional.normalize(%x, p=2.0, dim=-1, out=None)
  %d = torch.nn.functional.normalize(%o, 2.0, 1, 1e-12, %o)
  return (%a, %b, %c, %o)
}
