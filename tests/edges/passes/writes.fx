# faults/23-write-through-expand, 23-functionalize-segfault, 65-functionalize-method, 66-foreach-shared:
# writes through views. 06-functionalize-cast, 14-functionalize-out: calls that eager mode rejects.

# pipeline: functionalize
# pipeline: propagate_types,functionalize
graph(%w : f32[3, 2]) {
  %v = aten.view.default(%w, [6])
  %u = aten.mul_.Tensor(%v, 3)
  return %w
}
# pipeline: propagate_types,functionalize
graph(%q : f32[3]) {
  %c = aten.clone.default(%q)
  %y = aten.expand.default(%c, [2, 3])
  %r = aten.select.int(%y, 0, 1)
  %w = aten.mul_.Tensor(%r, 2)
  return %c
}
# Chains of two views without types, of a source with a type.
# pipeline: functionalize
graph(%w : f32[4, 6]) {
  %a = aten.t.default(%w)
  %b = aten.select.int(%a, 0, 2)
  %c = aten.add_.Tensor(%b, 1)
  %d = aten.narrow.default(%w, 0, 1, 2)
  %e = aten.diagonal.default(%d)
  %f = aten.mul_.Tensor(%e, 2)
  %g = aten.unfold.default(%w, 1, 2, 3)
  %h = aten.select.int(%g, 2, 1)
  %i = aten.neg_.default(%h)
  return %w
}
# pipeline: functionalize
graph(%w : f32[4, 6]) {
  %a = aten.as_strided.default(%w, [2, 3], [7, 2], 1)
  %b = aten.reshape.default(%a, [-1])
  %c = aten.add_.Tensor(%b, 1)
  %d = aten.split.Tensor(%w, 3, 1)
  %e = operator.getitem(%d, 1)
  %f = aten.unbind.int(%e, 0)
  %g = operator.getitem(%f, 3)
  %h = aten.zero_.default(%g)
  %i = aten.permute.default(%w, [1, 0])
  %j = aten.flatten.using_ints(%i)
  %k = aten.add_.Tensor(%j, 1)
  return (%w, %c)
}
# Expanded memory: a row, a column, a diagonal, overlapping windows, an as_strided of zeros.
# pipeline: propagate_types,functionalize
graph(%q : f32[3]) {
  %c = aten.clone.default(%q)
  %y = aten.expand.default(%c, [3, 3])
  %r = aten.diagonal.default(%y)
  %w = aten.mul_.Tensor(%r, 2)
  return %c
}
# pipeline: propagate_types,functionalize
graph(%q : f32[3, 1]) {
  %c = aten.clone.default(%q)
  %y = aten.expand.default(%c, [3, 4])
  %r = aten.slice.Tensor(%y, 1, 2, 3)
  %w = aten.add_.Tensor(%r, 2)
  %z = aten.sum.default(%y)
  return (%c, %z)
}
# pipeline: propagate_types,functionalize
graph(%q : f32[6]) {
  %c = aten.clone.default(%q)
  %u = aten.unfold.default(%c, 0, 3, 1)
  %r = aten.select.int(%u, 0, 2)
  %w = aten.add_.Tensor(%r, 2)
  %s = aten.select.int(%u, 1, 0)
  %v = aten.mul_.Tensor(%s, 3)
  return (%c, %u)
}
# pipeline: propagate_types,functionalize
graph(%q : f32[6]) {
  %c = aten.clone.default(%q)
  %s = aten.as_strided.default(%c, [2, 3], [0, 2], 1)
  %r = aten.select.int(%s, 0, 0)
  %w = aten.fill_.Scalar(%r, 7)
  return (%c, %s)
}
# eager: unsupported operation: more than one element of the written-to tensor ...
# rejected: propagate_types,functionalize
graph(%q : f32[3]) {
  %y = aten.expand.default(%q, [2, 3])
  %w = aten.mul_.Tensor(%y, 2)
  return %q
}
# rejected: functionalize
graph(%x : i64[3]) {
  %i : i64[3] = aten.clone.default(%x)
  %a = aten.add_.Tensor(%i, 1.5)
  return %i
}
# rejected: functionalize
graph(%x : f32[3, 3]) {
  %o : f64[3, 3] = aten.ones.default([3, 3], dtype=torch.float64)
  %d = aten.abs.out(%x, out=%o)
  return %o
}
# rejected: functionalize
# rejected: propagate_types,functionalize
graph(%x : f32[3, 3], %i : i64[3, 3]) {
  %a = aten.mul_.Tensor(%i, %x)
  return %i
}
# rejected: functionalize
# rejected: propagate_types,functionalize
graph(%x : f32[3, 3], %o : f64[3, 3]) {
  %a = aten.mm.out(%x, %x, out=%o)
  return %o
}
# rejected: functionalize
# rejected: propagate_types,functionalize
graph(%x : f32[3, 3], %o : f64[]) {
  %a = aten.amax.out(%x, [0, 1], False, out=%o)
  return %o
}
# rejected: functionalize
# rejected: propagate_types,functionalize
graph(%x : f32[2, 3], %o : f64[2, 3]) {
  %a = aten.gelu.out(%x, out=%o)
  return %o
}
# rejected: functionalize
# rejected: propagate_types,functionalize
graph(%x : f32[2, 3], %i : i64[2], %o : f64[2, 3]) {
  %a = aten.index_select.out(%x, 0, %i, out=%o)
  return %o
}
# rejected: functionalize
# rejected: propagate_types,functionalize
graph(%x : f32[2, 3], %o : f64[2, 3]) {
  %a = aten.tril.out(%x, out=%o)
  return %o
}
# rejected: functionalize
# rejected: propagate_types,functionalize
graph(%x : f32[3], %b : b8[3]) {
  %a = aten.add_.Tensor(%b, 1)
  return %b
}
# rejected: functionalize
# rejected: propagate_types,functionalize
graph(%x : f32[3], %y : f32[2, 3]) {
  %a = aten.add_.Tensor(%x, %y)
  return %x
}
# rejected: functionalize
# rejected: propagate_types,functionalize
graph(%x : i64[3]) {
  %a = aten._foreach_add_.Scalar([%x], 1.5)
  return %x
}
# rejected: functionalize
# rejected: propagate_types,functionalize
graph(%x : f32[6]) {
  %a = aten.slice.Tensor(%x, 0, 1, 6)
  %b = aten.slice.Tensor(%x, 0, 0, 5)
  %c = aten.add_.Tensor(%a, %b)
  return %x
}
# Eager mode casts the value.
# pipeline: functionalize
# pipeline: propagate_types,functionalize
graph(%x : f32[3], %o : f64[3], %h : f16[3]) {
  %a = aten.add.out(%x, 1, out=%o)
  %b = aten.mul_.Tensor(%h, %x)
  %c = aten.copy_.default(%h, %o)
  return (%o, %h)
}
# Methods that return views, in graphs that write.
# rejected: functionalize
# pipeline: lower_to_aten,functionalize
graph(%x : f32[2, 3], %k : f32[3]) {
  %r : f32[6] = call_method view(%x, 6)
  %w : f32[3] = aten.add_.Tensor(%k, 1)
  %s : f32[6] = aten.add_.Tensor(%r, 1)
  return (%r, %x)
}
# pipeline: functionalize
# pipeline: lower_to_aten,functionalize
graph(%x : f32[2, 3], %k : f32[3]) {
  %r : f32[6] = call_method view(%x, 6)
  %w : f32[3] = aten.add_.Tensor(%k, 1)
  return %r
}
# pipeline: lower_to_aten,functionalize
graph(%x : f32[2, 3], %k : f32[3]) {
  %a = call_method t(%x)
  %b = call_method select(%a, 0, 1)
  %c = call_method unsqueeze(%b, 0)
  %d = call_method expand(%c, 2, 2)
  %e = call_method permute(%x, 1, 0)
  %f = call_method transpose(%x, 0, 1)
  %g = call_method reshape(%x, -1)
  %h = call_method squeeze(%c)
  %i = call_method chunk(%x, 2)
  %j = operator.getitem(%i, 0)
  %l = call_method narrow(%x, 1, 0, 2)
  %m = call_method diagonal(%x)
  %n = call_method detach(%x)
  %w : f32[3] = aten.add_.Tensor(%k, 1)
  %u = aten.mul_.Tensor(%m, 2)
  return (%d, %e, %f, %g, %h, %j, %l, %n, %w)
}
# pipeline: propagate_types,functionalize
graph(%z : f32[6, 4]) {
  %n0 = aten.detach.default(%z)
  %n1 = aten._foreach_add_.Scalar([%z, %n0], 2.0)
  return %n0
}
# pipeline: propagate_types,functionalize
graph(%z : f32[6, 4]) {
  %a = aten.slice.Tensor(%z, 0, 0, 4)
  %b = aten.slice.Tensor(%z, 0, 2, 6)
  %n1 = aten._foreach_mul_.Scalar([%a, %b], 2.0)
  return %z
}
# pipeline: propagate_types,functionalize
graph(%z : f32[4, 4], %y : f32[4, 4]) {
  %t = aten.t.default(%z)
  %n1 = aten._foreach_add_.List([%z, %y], [%y, %z])
  %n2 = aten._foreach_neg_.default([%t, %z])
  return (%z, %y)
}
# pipeline: propagate_types,functionalize
graph(%z : f32[4, 4]) {
  %r = aten.select.int(%z, 0, 1)
  %s = aten.select.int(%z, 1, 1)
  %n1 = aten._foreach_addcmul_.Scalar([%r, %s], [%r, %s], [%r, %s], 2)
  return %z
}
# pipeline: propagate_types,functionalize
graph(%z : f32[4, 4], %y : f32[4, 4]) {
  %n1 = aten._foreach_copy_.default([%z, %y], [%y, %z])
  return (%z, %y)
}
# faults/53-bf16-mul: a difference between libtorch's kernels, which rows of the pass table specify.
graph(%m : bf16[16], %g : bf16[16]) {
  %mul_ : bf16[16] = aten.mul_.Tensor(%m, 0.9)
  %add_ : bf16[16] = aten.add_.Tensor(%mul_, %g)
  return %add_
}
graph(%m : f16[16], %g : f16[16]) {
  %a : f16[16] = aten.add_.Scalar(%m, 0.1)
  %b : f16[16] = aten.sub_.Scalar(%m, 0.3)
  %c : f16[16] = aten.div_.Scalar(%m, 0.7)
  return %g
}
graph(%m : bf16[16], %g : bf16[16]) {
  %a : bf16[16] = aten.addcmul_.default(%m, %g, %g, value=0.9)
  %b : bf16[16] = aten.lerp_.Scalar(%m, %g, 0.3)
  %c : bf16[16] = aten.add_.Tensor(%m, %g, alpha=0.1)
  %d : bf16[16] = aten.clamp_.default(%m, -0.3, 0.7)
  %e : bf16[16] = aten.pow_.Scalar(%g, 2)
  return %g
}
# For a real operand, conj_physical returns the operand, but conj_physical.out writes a copy.
# pipeline: functionalize
# pipeline: propagate_types,functionalize
graph(%x : f32[4], %y : f32[4]) {
  %o = aten.clone.default(%y)
  %a = aten.conj_physical.out(%x, out=%o)
  return (%a, %x)
}
# The strides of an empty result, on which view.dtype depends.
# pipeline: functionalize
# pipeline: propagate_types,functionalize
graph(%x : f64[1, 1]) {
  %a = aten.slice.Tensor(%x, 0, 1)
  %b = aten.add_.Tensor(%a, 1.5)
  %c = aten.view.dtype(%a, torch.bfloat16)
  return %c
}
# A value that overlaps the written tensor and has other sizes.
# pipeline: lower_to_aten
# pipeline: propagate_types,lower_to_aten
graph(%x : f32[4, 6]) {
  %a = aten.slice.Tensor(%x, 0, 1, 2)
  %b = operator.setitem(%x, ..., %a)
  return %x
}
# Views that return their argument: t_ changes the sizes of one tensor.
# pipeline: propagate_types,functionalize
graph(%x : f32[2, 3]) {
  %a = aten.clone.default(%x)
  %b = aten.atleast_2d.default(%a)
  %c = aten.positive.default(%b)
  %d = aten.lift_fresh.default(%c)
  %e = aten.atleast_1d.default(%d)
  %f = aten.alias.default(%e)
  %t = aten.t_.default(%c)
  %w = aten.mul_.Tensor(%e, 2)
  %n = aten.neg.default(%b)
  return (%a, %b, %d, %e, %f, %n)
}
# pipeline: propagate_types,functionalize
graph(%x : f32[], %y : f32[2, 3]) {
  %a = aten.clone.default(%x)
  %b = aten.mT.default(%a)
  %c = aten.clone.default(%y)
  %d = aten.mT.default(%c)
  %e = aten.atleast_3d.default(%c)
  %u = aten.unsqueeze_.default(%b, 0)
  %t = aten.t_.default(%c)
  return (%a, %b, %c, %d, %e)
}
# mT of a tensor of rank 0 is that tensor.
# pipeline: propagate_types,decompose
graph(%x : f32[]) {
  %a = aten.clone.default(%x)
  %b = aten.mT.default(%a)
  %c = aten.mT.default(%b)
  %u = aten.unsqueeze_.default(%b, 0)
  return (%a, %b, %c)
}
# The written tensor as another operand.
# pipeline: propagate_types,functionalize
# pipeline: lower_to_aten,functionalize
graph(%x : f32[4], %i : i64[4]) {
  %v0 = aten.clone.default(%x)
  %w0 = aten.lt_.Tensor(%v0, %v0)
  %v1 = aten.clone.default(%x)
  %w1 = aten.ge_.Tensor(%v1, %v1)
  %v2 = aten.clone.default(%x)
  %w2 = aten.floor_divide_.Tensor(%v2, %v2)
  %v3 = aten.clone.default(%x)
  %w3 = aten.copysign_.Tensor(%v3, %v3)
  %v4 = aten.clone.default(%x)
  %w4 = aten.heaviside_.default(%v4, %v4)
  %v5 = aten.clone.default(%x)
  %w5 = aten.true_divide_.Tensor(%v5, %v5)
  %v6 = aten.clone.default(%x)
  %w6 = aten.multiply_.Tensor(%v6, %v6)
  %v7 = aten.clone.default(%x)
  %w7 = aten.not_equal_.Tensor(%v7, %v7)
  %v8 = aten.clone.default(%x)
  %w8 = aten.subtract_.Tensor(%v8, %v8)
  %p = aten.abs.default(%i)
  %j = aten.add.Scalar(%p, 1)
  %k = aten.floor_divide_.Tensor(%j, %j)
  return (%v0, %w0, %v1, %w1, %v2, %w2, %v3, %w3, %v4, %w4, %v5, %w5, %v6, %w6, %v7, %w7, %v8, %w8, %j, %k)
}
# It rejects its own mask.
# rejected: propagate_types,functionalize
graph(%b : b8[4]) {
  %m = aten.masked_fill_.Scalar(%b, %b, False)
  return %m
}
