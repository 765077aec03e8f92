# faults/23-write-through-expand, 23-functionalize-segfault, 65-functionalize-method, 66-foreach-shared,
# 05-iadd-trace: additional views that are written, lists that share memory, and Python's writes.

# pipeline: functionalize
# pipeline: propagate_types,functionalize,reinplace
graph(%q : f32[3]) {
  %c = aten.clone.default(%q)
  %y = aten.expand.default(%c, [2, 3])
  %r = aten.select.int(%y, 0, 1)
  %s = aten.slice.Tensor(%r, 0, 1, 3)
  %w = aten.fill_.Scalar(%s, 4)
  %v = aten.sum.default(%y)
  return (%c, %v)
}
# pipeline: functionalize
# pipeline: propagate_types,functionalize,reinplace
graph(%q : f32[3]) {
  %c = aten.clone.default(%q)
  %y = aten.broadcast_to.default(%c, [2, 2, 3])
  %r = aten.select.int(%y, 0, 1)
  %s = aten.select.int(%r, 0, 0)
  %w = aten.mul_.Scalar(%s, 4)
  return (%c, %y)
}
# pipeline: lower_to_aten,functionalize
# pipeline: propagate_types,lower_to_aten,functionalize,reinplace
graph(%q : f32[1, 3]) {
  %c = torch.clone(%q)
  %y = call_method expand(%c, 2, 3)
  %r = operator.getitem(%y, 0)
  %w = operator.imul(%r, 2)
  return %c
}
# pipeline: functionalize
# pipeline: propagate_types,functionalize,reinplace
graph(%q : f32[3], %i : i64[2]) {
  %c = aten.clone.default(%q)
  %y = aten.expand.default(%c, [2, 3])
  %t = aten.t.default(%y)
  %r = aten.select.int(%t, 1, 1)
  %w = aten.index_fill_.int_Scalar(%r, 0, %i, 2)
  return %c
}
# pipeline: functionalize
# pipeline: propagate_types,functionalize,reinplace
graph(%q : f32[2, 2]) {
  %c = aten.clone.default(%q)
  %y = aten.expand.default(%c, [3, 2, 2])
  %d = aten.diagonal.default(%y, 0, 1, 2)
  %r = aten.select.int(%d, 0, 2)
  %w = aten.add_.Tensor(%r, 2)
  return (%c, %y)
}
# pipeline: functionalize
# pipeline: propagate_types,functionalize,reinplace
graph(%q : f32[4]) {
  %c = aten.clone.default(%q)
  %s = aten.as_strided.default(%c, [3, 2], [1, 1])
  %r = aten.select.int(%s, 1, 1)
  %w = aten.mul_.Tensor(%r, 2)
  return (%c, %s)
}
# pipeline: functionalize
# pipeline: propagate_types,functionalize,reinplace
graph(%q : f32[4]) {
  %c = aten.clone.default(%q)
  %s = aten.unfold.default(%c, 0, 2, 1)
  %r = aten.select.int(%s, 0, 1)
  %w = aten.zero_.default(%r)
  return (%c, %s)
}
# pipeline: functionalize
# pipeline: propagate_types,functionalize,reinplace
graph(%q : f32[6]) {
  %v = aten.view.default(%q, [2, 3])
  %w = aten.view.default(%v, [3, 2])
  %a = aten.t.default(%w)
  %b = aten.select.int(%a, 0, -1)
  %c = aten.mul_.Tensor(%b, 3)
  return (%q, %c)
}
# pipeline: functionalize
# pipeline: propagate_types,functionalize,reinplace
graph(%q : f32[6]) {
  %v = aten.unflatten.int(%q, 0, [2, 3])
  %a = aten.unbind.int(%v, 1)
  %b = operator.getitem(%a, -1)
  %c = aten.exp_.default(%b)
  return %q
}
# pipeline: functionalize
# pipeline: propagate_types,functionalize,reinplace
graph(%q : c64[3]) {
  %v = aten.view_as_real.default(%q)
  %a = aten.select.int(%v, 1, 1)
  %c = aten.neg_.default(%a)
  return %q
}
# pipeline: functionalize
# pipeline: propagate_types,functionalize,reinplace
graph(%q : c64[3]) {
  %v = aten.real.default(%q)
  %c = aten.add_.Tensor(%v, 1)
  %d = aten.imag.default(%q)
  %e = aten.mul_.Tensor(%d, 2)
  return %q
}
# pipeline: functionalize
# pipeline: propagate_types,functionalize,reinplace
graph(%q : f32[4]) {
  %v = aten.view.dtype(%q, torch.int32)
  %c = aten.bitwise_and_.Scalar(%v, 255)
  return %q
}
# pipeline: functionalize
# pipeline: propagate_types,functionalize,reinplace
graph(%q : f32[2, 3, 4]) {
  %a = aten.hsplit.int(%q, 3)
  %b = operator.getitem(%a, 1)
  %c = aten.add_.Tensor(%b, 1)
  %d = aten.vsplit.int(%q, 2)
  %e = operator.getitem(%d, 0)
  %f = aten.mul_.Tensor(%e, 2)
  %g = aten.dsplit.array(%q, [1])
  %h = operator.getitem(%g, 1)
  %i = aten.neg_.default(%h)
  return %q
}
# pipeline: functionalize
# pipeline: propagate_types,functionalize,reinplace
graph(%q : f32[2, 3, 4]) {
  %a = aten.tensor_split.sections(%q, 2, 2)
  %b = operator.getitem(%a, 1)
  %c = aten.add_.Tensor(%b, 1)
  %d = aten.chunk.default(%q, 2, 1)
  %e = operator.getitem(%d, 1)
  %f = aten.mul_.Tensor(%e, 2)
  %g = aten.split_with_sizes.default(%q, [1, 3], 2)
  %h = operator.getitem(%g, 0)
  %i = aten.neg_.default(%h)
  %j = aten.movedim.intlist(%q, [0, 1], [1, 0])
  %k = aten.select.int(%j, 0, 0)
  %l = aten.sub_.Tensor(%k, 3)
  return %q
}
# Foreach: lists whose items share memory.
# pipeline: functionalize
# pipeline: propagate_types,functionalize,reinplace
graph(%z : f32[4, 4]) {
  %a = aten.select.int(%z, 0, 1)
  %b = aten.select.int(%z, 1, 1)
  %n = aten._foreach_mul_.ScalarList([%a, %b], [2.0, 3.0])
  return %z
}
# pipeline: functionalize
# pipeline: propagate_types,functionalize,reinplace
graph(%z : f32[4, 4]) {
  %n = aten._foreach_add_.Scalar([%z, %z, %z], 1)
  return %z
}
# pipeline: functionalize
# pipeline: propagate_types,functionalize,reinplace
graph(%z : f32[4, 4], %y : f32[4, 4]) {
  %n = aten._foreach_lerp_.Scalar([%z, %y], [%y, %z], 0.5)
  return (%z, %y)
}
# pipeline: functionalize
# pipeline: propagate_types,functionalize,reinplace
graph(%z : f32[4], %s : f32[]) {
  %n = aten._foreach_mul_.Tensor([%z, %s], %s)
  return (%z, %s)
}
# pipeline: functionalize
# pipeline: propagate_types,functionalize,reinplace
graph(%p : f32[4], %g : f32[4], %m : f32[4], %v : f32[4], %s : f32[]) {
  %a = aten._fused_sgd_.default([%p], [%g], [%m], weight_decay=0.0, momentum=0.9, lr=0.1, dampening=0.0, nesterov=False, maximize=False, is_first_step=False)
  return (%p, %m)
}
# pipeline: functionalize
# pipeline: propagate_types,functionalize,reinplace
graph(%p : f32[4], %g : f32[4], %m : f32[4], %v : f32[4], %s : f32[]) {
  %a = aten._fused_adam_.default([%p], [%g], [%m], [%v], [], [%s], lr=0.1, beta1=0.9, beta2=0.99, weight_decay=0.0, eps=1e-08, amsgrad=False, maximize=False)
  return (%p, %m, %v)
}
# View methods: swap, narrow, unfold, unbind, split, T, mT, real; in a graph that writes.
# pipeline: lower_to_aten,functionalize
# pipeline: propagate_types,lower_to_aten,functionalize,reinplace
graph(%x : f32[2, 3], %k : f32[3]) {
  %a = call_method swapaxes(%x, 0, 1)
  %b = call_method unbind(%x)
  %c = operator.getitem(%b, 1)
  %d = call_method split(%x, 2, 1)
  %e = operator.getitem(%d, 0)
  %f = builtins.getattr(%x, "T")
  %g = builtins.getattr(%x, "mT")
  %h = call_method unfold(%x, 1, 2, 1)
  %i = call_method view_as(%x, %x)
  %j = call_method flatten(%x)
  %l = call_method tensor_split(%x, 2)
  %m = operator.getitem(%l, 0)
  %n = call_method movedim(%x, 0, 1)
  %o = call_method squeeze(%m, 0)
  %q = call_method expand_as(%k, %x)
  %w = aten.add_.Tensor(%c, 1)
  return (%a, %c, %e, %f, %g, %h, %i, %j, %m, %n, %o, %q)
}
# pipeline: lower_to_aten,functionalize
# pipeline: propagate_types,lower_to_aten,functionalize,reinplace
graph(%x : f32[2, 3], %k : f32[3]) {
  %a = call_method t(%x)
  %b = operator.getitem(%a, 1)
  %c = operator.setitem(%b, 0, 5)
  %d = operator.getitem(%a, (slice(0, 2, None), None))
  %e = operator.iadd(%d, 1)
  return %x
}
# pipeline: lower_to_aten,functionalize
# pipeline: propagate_types,lower_to_aten,functionalize,reinplace
graph(%x : f32[2, 3], %m : b8[2, 3], %i : i64[2]) {
  %a = operator.setitem(%x, %m, 0.5)
  %b = operator.getitem(%x, 0)
  %c = operator.setitem(%b, slice(None, None, 2), 9)
  %d = operator.getitem(%x, (0, %i))
  %e = operator.iadd(%d, 1)
  %f = operator.getitem(%x, (..., None))
  %g = operator.imul(%f, 2)
  return (%x, %e)
}
# pipeline: lower_to_aten,functionalize
# pipeline: propagate_types,lower_to_aten,functionalize,reinplace
graph(%x : f32[3]) {
  %a = operator.itruediv(%x, 2)
  %b = operator.isub(%a, 1)
  %c = operator.ipow(%x, 2)
  return (%x, %b)
}
# pipeline: lower_to_aten,functionalize
# pipeline: propagate_types,lower_to_aten,functionalize,reinplace
graph(%x : i64[3]) {
  %a = operator.ifloordiv(%x, 2)
  %b = operator.imod(%a, 3)
  %c = operator.iand(%x, 1)
  %d = operator.ior(%x, 2)
  %e = operator.ixor(%x, 3)
  %f = operator.ilshift(%x, 1)
  %g = operator.irshift(%x, 1)
  return (%x, %b)
}
# Parts of tensor_split whose indices descend, are negative, or are out of range.
# pipeline: functionalize
# pipeline: propagate_types,functionalize,reinplace
graph(%q : f32[6]) {
  %a = aten.tensor_split.indices(%q, [4, 2], 0)
  %b = operator.getitem(%a, 2)
  %c = operator.getitem(%a, 0)
  %d = aten.add_.Tensor(%b, 1)
  %e = aten.mul_.Tensor(%c, 2)
  return (%q, %b, %c)
}
# pipeline: functionalize
# pipeline: propagate_types,functionalize,reinplace
graph(%q : f32[2, 4]) {
  %a = aten.tensor_split.indices(%q, [-1, 1], -1)
  %b = operator.getitem(%a, 2)
  %c = operator.getitem(%a, 1)
  %d = aten.zero_.default(%b)
  %e = aten.neg_.default(%c)
  return (%q, %c)
}
# pipeline: functionalize
# pipeline: propagate_types,functionalize,reinplace
graph(%q : f32[4]) {
  %a = aten.tensor_split.indices(%q, [1, 9])
  %b = operator.getitem(%a, 1)
  %c = operator.getitem(%a, 2)
  %d = aten.exp_.default(%b)
  %e = aten.exp_.default(%c)
  return %q
}
# A flatten of one dimension is its operand: a write to it changes the operand.
# pipeline: decompose
# pipeline: decompose,functionalize
graph(%y : f64[3, 1]) {
  %m : f64[1, 3][1, 1] = aten.movedim.int(%y, 1, 0)
  %f : f64[1, 3][1, 1] = aten.flatten.using_ints(%m, 1, -1)
  %w : f64[1, 3][1, 1] = aten.mul_.Tensor(%f, 3)
  return %m
}
# conj of a complex tensor is a view with different values, not its operand.
# pipeline: functionalize
# pipeline: propagate_types,functionalize
graph(%x : f32[3], %y : f32[3], %q : f32[2]) {
  %z = aten.complex.default(%x, %y)
  %c = aten.conj.default(%z)
  %w = aten.mul_.Tensor(%q, 2)
  %r = aten.view_as_real.default(%z)
  %p = aten.resolve_conj.default(%c)
  %i = aten.imag.default(%p)
  return (%c, %i, %r)
}
# pipeline: functionalize
# pipeline: propagate_types,functionalize
graph(%x : f32[3], %y : f32[3]) {
  %z : c64[3] = aten.complex.default(%x, %y)
  %c : c64[3] = aten.conj.default(%z)
  %w = aten.mul_.Tensor(%c, complex(1.0, 2.0))
  %n : c64[3] = aten.conj.default(%c)
  return (%z, %n)
}
# Adjoints are views of conjugates.
# pipeline: functionalize
# pipeline: propagate_types,functionalize
# pipeline: propagate_types,functionalize,reinplace
graph(%x : f32[2, 3], %y : f32[2, 3]) {
  %z = aten.complex.default(%x, %y)
  %a = aten.adjoint.default(%z)
  %s = aten.select.int(%a, 0, 0)
  %w = aten.fill_.Scalar(%s, complex(2.0, 3.0))
  %m = aten.mul.Tensor(%a, complex(1.0, 2.0))
  return (%z, %m)
}
# pipeline: propagate_types,functionalize
# pipeline: propagate_types,functionalize,reinplace
graph(%x : f32[4, 2, 3], %y : f32[4, 2, 3], %i : i64[2]) {
  %z = aten.complex.default(%x, %y)
  %a = aten.mH.default(%z)
  %t = aten.transpose.int(%a, 0, 1)
  %w = aten.index_fill_.int_Scalar(%t, 2, %i, complex(0.0, -1.0))
  return (%z, %t)
}
# pipeline: functionalize
# pipeline: propagate_types,functionalize
graph(%x : f32[3, 1], %y : f32[3, 1]) {
  %z = aten.complex.default(%x, %y)
  %a = aten.matrix_H.default(%z)
  %w = aten.add_.Tensor(%a, complex(0.5, 2.0))
  return (%z, %a)
}
# pipeline: functionalize
# pipeline: propagate_types,functionalize
graph(%x : f32[1, 1], %y : f32[1, 1]) {
  %z : c64[1, 1] = aten.complex.default(%x, %y)
  %a : c64[1, 1] = aten.adjoint.default(%z)
  %w : c64[1, 1] = aten.add_.Tensor(%a, complex(0.5, 2.0))
  return (%z, %a)
}
# pipeline: functionalize
# pipeline: propagate_types,functionalize
graph(%x : f32[2, 3]) {
  %c = aten.clone.default(%x)
  %a = aten.adjoint.default(%c)
  %w = aten.mul_.Tensor(%a, 3)
  %b = aten.mH.default(%a)
  %v = aten.select.int(%b, 0, 1)
  %u = aten.fill_.Scalar(%v, 2)
  return (%c, %b)
}
# Parts of conjugates: view_as_real rejects a conjugated tensor that is not resolved.
# pipeline: propagate_types,functionalize
# pipeline: propagate_types,functionalize,reinplace
graph(%x : f32[2, 3], %y : f32[2, 3]) {
  %z = aten.complex.default(%x, %y)
  %c = aten.conj.default(%z)
  %i = aten.imag.default(%c)
  %w = aten.fill_.Scalar(%i, 3)
  %r = aten.real.default(%c)
  %v = aten.mul_.Tensor(%r, 3)
  return (%z, %c)
}
# pipeline: propagate_types,functionalize
graph(%x : f32[2, 3], %y : f32[2, 3]) {
  %z = aten.complex.default(%x, %y)
  %c = aten.mH.default(%z)
  %s = aten.select.int(%c, 1, 1)
  %i = aten.imag.default(%s)
  %w = aten.add_.Tensor(%i, 3)
  return (%z, %i)
}
# Lists of tensors that calls use other than by a constant index, after writes to items.
# pipeline: functionalize
# pipeline: propagate_types,functionalize
graph(%x : f32[4, 4]) {
  %c = aten.clone.default(%x)
  %s = aten.split.Tensor(%c, 2)
  %w = aten.add_.Tensor(%c, 1)
  %g = operator.getitem(%s, slice(0, 1, None))
  %h = operator.getitem(%s, -1)
  return (%g, %h)
}
# pipeline: propagate_types,functionalize
graph(%x : f32[4, 4], %y : f32[4], %z : i64[4]) {
  %s = aten.max.dim_max(%x, 0, False, max=%y, max_values=%z)
  %w = aten.add_.Tensor(%y, 1)
  %g = operator.getitem(%s, slice(0, 1, None))
  %h = operator.getitem(%s, -1)
  return (%g, %h)
}
# Results that only the functional form has, and calls that return None.
# pipeline: functionalize
# pipeline: propagate_types,functionalize
graph(%x : f32[2, 3, 4], %m : f32[3], %v : f32[3]) {
  %r = aten._native_batch_norm_legit.default(%x, None, None, %m, %v, True, 0.1, 1e-5)
  %g = operator.getitem(%r, -1)
  %h = operator.getitem(%r, slice(1, None, None))
  %c = aten.clone.default(%x)
  %s = aten._foreach_add_.Scalar([%c], 2)
  %t = aten._foreach_add_.Scalar([%c, %c], 2)
  return (%r, %g, %h, %c, %s, %t)
}
