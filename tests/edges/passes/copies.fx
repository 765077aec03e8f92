# faults/02-simplify-two-results, 02-simplify-view-of-input, 03-cse-two-results: additional forms of
# copies, of identities, and of equal calls.

# pipeline: simplify,eliminate_common_subexpressions
# pipeline: propagate_types,simplify,eliminate_common_subexpressions
graph(%x : f32[4, 6]) {
  %a = aten.add.Tensor(%x, 0, alpha=3)
  %b = aten.sub.Tensor(%x, 1, alpha=0)
  %c = aten.mul.Scalar(%x, 1)
  %d = aten.div.Tensor_mode(%x, 1, rounding_mode=None)
  %e = aten.clone.default(%x, memory_format=torch.preserve_format)
  %f = aten.positive.default(%x)
  %g = aten.to.dtype_layout(%x, dtype=torch.float32, copy=True)
  %h = aten.to.other(%x, %x, False, True)
  %i = aten.stack.default([%x])
  %j = aten.squeeze.dim(%i, 0)
  return (%a, %b, %c, %d, %e, %f, %g, %h, %j)
}
# pipeline: simplify,eliminate_common_subexpressions
# pipeline: propagate_types,simplify,eliminate_common_subexpressions
graph(%x : f32[4, 6]) {
  %a = aten.view_copy.default(%x, [4, 6])
  %b = aten.permute_copy.default(%x, [0, 1])
  %c = aten.expand_copy.default(%x, [4, 6])
  %d = aten.slice_copy.Tensor(%x, 0)
  %e = aten.detach_copy.default(%x)
  %f = aten.alias_copy.default(%x)
  %g = aten.t_copy.default(%x)
  %h = aten.t_copy.default(%g)
  %i = aten.squeeze_copy.default(%x)
  %j = aten.unsqueeze_copy.default(%x, 0)
  %k = aten.select_copy.int(%j, 0, 0)
  %l = aten.as_strided_copy.default(%x, [4, 6], [6, 1])
  %m = aten.narrow_copy.default(%x, 0, 0, 4)
  %n = aten.diagonal_copy.default(%x)
  return (%a, %b, %c, %d, %e, %f, %h, %i, %k, %l, %m, %n)
}
# pipeline: simplify,eliminate_common_subexpressions
# pipeline: propagate_types,simplify,eliminate_common_subexpressions
graph(%x : f32[4, 6]) {
  %a = aten.abs.default(%x)
  %b = aten.abs.default(%a)
  %c = aten.relu.default(%a)
  %d = aten.relu.default(%c)
  %e = aten.clamp.default(%a, 0)
  %f = aten.hardtanh.default(%d, 0, 100)
  %g = aten.maximum.default(%a, %a)
  %h = aten.minimum.default(%x, %x)
  %i = aten.fmax.default(%x, %x)
  %j = aten.flip.default(%x, [])
  %k = aten.flip.default(%x, [0])
  %l = aten.flip.default(%k, [0])
  %m = aten.roll.default(%x, [0], [0])
  %n = aten.constant_pad_nd.default(%x, [0, 0], 0)
  %o = aten.constant_pad_nd.default(%x, [], 0)
  %p = aten.tile.default(%x, [1])
  return (%a, %b, %c, %d, %e, %f, %g, %h, %i, %j, %l, %m, %n, %o, %p)
}
# Identities that return the operand or a view.
# pipeline: simplify,eliminate_common_subexpressions
# pipeline: propagate_types,simplify,eliminate_common_subexpressions
graph(%x : f32[4, 6], %o : f32[1]) {
  %a = aten.dropout.default(%x, 0.0, True)
  %b = aten.feature_dropout.default(%x, 0.5, False)
  %c = aten.alpha_dropout.default(%x, 0.5, False)
  %d = aten.type_as.default(%x, %x)
  %e = aten.resolve_conj.default(%x)
  %f = aten.resolve_neg.default(%x)
  %g = aten.real.default(%x)
  %h = aten.conj.default(%x)
  %i = aten.movedim.int(%x, 0, 0)
  %j = aten.swapaxes.default(%x, 0, 0)
  %k = aten.chunk.default(%x, 1)
  %l = operator.getitem(%k, 0)
  %m = aten.narrow.default(%x, 0, 0, 4)
  %n = aten.flatten.using_ints(%o)
  %p = aten.ravel.default(%o)
  %q = aten.atleast_1d.default(%o)
  %r = aten.view_as.default(%x, %x)
  %s = aten.reshape_as.default(%x, %x)
  %t = aten.expand_as.default(%x, %x)
  %u = aten._reshape_alias.default(%x, [4, 6], [6, 1])
  %v = aten.unflatten.int(%x, 0, [4])
  %w = aten.squeeze.dims(%x, [0, 1])
  return (%a, %b, %c, %d, %e, %f, %g, %h, %i, %j, %l, %m, %n, %p, %q, %r, %s, %t, %u, %w)
}
# pipeline: simplify,eliminate_common_subexpressions
# pipeline: propagate_types,simplify,eliminate_common_subexpressions
graph(%x : i64[4], %b : b8[4], %c : c64[3]) {
  %a = aten.floor.default(%x)
  %d = aten.ceil.default(%x)
  %e = aten.round.default(%x)
  %f = aten.trunc.default(%x)
  %g = aten.bitwise_not.default(%x)
  %h = aten.bitwise_not.default(%g)
  %i = aten.logical_not.default(%b)
  %j = aten.logical_not.default(%i)
  %k = aten.bitwise_or.Scalar(%x, 0)
  %l = aten.bitwise_and.Scalar(%x, -1)
  %m = aten.bitwise_xor.Scalar(%x, 0)
  %n = aten.bitwise_left_shift.Tensor_Scalar(%x, 0)
  %o = aten.floor_divide.Scalar(%x, 1)
  %p = aten.conj.default(%c)
  %q = aten.conj.default(%p)
  %r = aten.conj_physical.default(%c)
  %s = aten.conj_physical.default(%r)
  %t = aten.bitwise_and.Tensor(%b, %b)
  %u = aten.mul.Tensor(%b, True)
  %v = aten.add.Tensor(%b, False)
  %w = aten.mul.Tensor(%x, True)
  %y = aten.pow.Tensor_Scalar(%x, 1)
  return (%a, %d, %e, %f, %h, %j, %k, %l, %m, %n, %o, %q, %s, %t, %u, %v, %w, %y)
}
# Two results of equal constant factories.
# pipeline: simplify,eliminate_common_subexpressions
# pipeline: propagate_types,simplify,eliminate_common_subexpressions
graph(%n : f32[5]) {
  %a = aten.zeros.default([5])
  %b = aten.zeros.default([5])
  %c = aten.full.default([5], 2)
  %d = aten.full.default([5], 2)
  %e = aten.arange.default(5)
  %f = aten.arange.default(5)
  %g = aten.scalar_tensor.default(3)
  %h = aten.scalar_tensor.default(3)
  %i = aten.ones_like.default(%n)
  %j = aten.ones_like.default(%n)
  %k = aten.eye.default(3)
  %l = aten.eye.default(3)
  %m = aten.new_zeros.default(%n, [2])
  %o = aten.new_zeros.default(%n, [2])
  return (%a, %b, %c, %d, %e, %f, %g, %h, %i, %j, %k, %l, %m, %o)
}
# Equal values within lists and nested results, dict results.
# pipeline: simplify,eliminate_common_subexpressions
# pipeline: propagate_types,simplify,eliminate_common_subexpressions
graph(%x : f32[3]) {
  %a = aten.neg.default(%x)
  %b = aten.neg.default(%x)
  return ([%a, %b], (%b, [%a]))
}
# pipeline: simplify,eliminate_common_subexpressions
# pipeline: propagate_types,simplify,eliminate_common_subexpressions
graph(%x : f32[3, 4]) {
  %a = aten.neg.default(%x)
  %b = aten.neg.default(%x)
  %c = aten.select.int(%a, 0, 0)
  %d = aten.select.int(%b, 0, 0)
  return (%c, %d)
}
# pipeline: simplify,eliminate_common_subexpressions
# pipeline: propagate_types,simplify,eliminate_common_subexpressions
graph(%x : f32[3, 4]) {
  %a = aten.split.Tensor(%x, 1)
  %b = aten.split.Tensor(%x, 1)
  %c = operator.getitem(%a, 0)
  %d = operator.getitem(%b, 0)
  %e = aten.neg_.default(%c)
  return (%c, %d)
}
# pipeline: simplify,eliminate_common_subexpressions
# pipeline: propagate_types,simplify,eliminate_common_subexpressions
graph(%x : f32[3, 4]) {
  %a = aten._foreach_neg.default([%x])
  %b = aten._foreach_neg.default([%x])
  %c = operator.getitem(%a, 0)
  %d = operator.getitem(%b, 0)
  return (%c, %d)
}
# pipeline: simplify,eliminate_common_subexpressions
# pipeline: propagate_types,simplify,eliminate_common_subexpressions
graph(%x : f32[3, 4]) {
  %a = aten.unbind_copy.int(%x)
  %b = aten.unbind_copy.int(%x)
  %c = operator.getitem(%a, 0)
  %d = operator.getitem(%b, 0)
  %e = aten.neg_.default(%d)
  return (%c, %d)
}
# pipeline: propagate_types,lower_to_aten,simplify,eliminate_common_subexpressions
graph(%x : f32[3, 4]) {
  %a = torch.zeros_like(%x)
  %b = torch.zeros_like(%x)
  %c = call_method clone(%x)
  %d = call_method clone(%x)
  %e = operator.mul(%x, 1)
  %f = operator.add(%x, 0)
  %g = operator.pos(%x)
  %h = operator.neg(%x)
  %i = operator.neg(%h)
  return (%a, %b, %c, %d, %e, %f, %g, %i)
}
# A write through one of the results of a removed copy.
# pipeline: simplify,eliminate_common_subexpressions
# pipeline: propagate_types,simplify,eliminate_common_subexpressions
graph(%x : f32[3, 4]) {
  %a = aten.neg.default(%x)
  %b = aten.clone.default(%a)
  %c = aten.t.default(%b)
  %d = aten.zero_.default(%c)
  return %a
}
# pipeline: simplify,eliminate_common_subexpressions
# pipeline: propagate_types,simplify,eliminate_common_subexpressions
graph(%x : f32[3, 4]) {
  %a = aten.neg.default(%x)
  %b = aten.mul.Tensor(%a, 1)
  %d = aten.zero_.default(%a)
  return %b
}
# pipeline: simplify,eliminate_common_subexpressions
# pipeline: propagate_types,simplify,eliminate_common_subexpressions
graph(%x : f32[3, 4]) {
  %b = aten.contiguous.default(%x)
  %c = aten.t.default(%b)
  %d = aten.contiguous.default(%c)
  %e = aten.add_.Tensor(%d, 1)
  %f = aten.add_.Tensor(%b, 1)
  return (%x, %d)
}
# pipeline: simplify,eliminate_common_subexpressions
# pipeline: propagate_types,simplify,eliminate_common_subexpressions
graph(%x : f32[3, 4][1, 3]) {
  %b = aten.contiguous.default(%x)
  %c = aten.reshape.default(%x, [12])
  %d = aten.flatten.using_ints(%x)
  %e = aten.add_.Tensor(%c, 1)
  %f = aten.add_.Tensor(%b, 1)
  return (%x, %b, %c, %d)
}
# A call writes to the inner result between two calls of neg, or of reshape.
# pipeline: simplify
# pipeline: propagate_types,simplify
# pipeline: propagate_types,simplify,eliminate_common_subexpressions
graph(%x : f32[3, 4]) {
  %a = aten.cos.default(%x)
  %b = aten.neg.default(%a)
  %c = aten.sub_.Tensor(%b, %x)
  %d = aten.neg.default(%b)
  %e = operator.neg(%x)
  %f = aten.t.default(%e)
  %g = call_method mul_(%f, 3)
  %h = operator.neg(%e)
  %i = aten.neg.default(%h)
  return (%d, %h, %i)
}
# pipeline: simplify
# pipeline: propagate_types,simplify
graph(%x : f32[3, 4]) {
  %t = aten.t.default(%x)
  %a = aten.reshape.default(%t, [12])
  %b = aten.add_.Tensor(%a, 1)
  %c = aten.reshape.default(%a, [4, 3])
  return (%x, %c)
}
