# faults/18-beta-false, 20-softmax-empty, 39-logsumexp-scalar-abort, 50-instance-norm, 57-batch-norm:
# additional empty tensors, 0-dimensional tensors, infinities, dtypes, and batch norms.

# pipeline: decompose{set=all}
# pipeline: propagate_types,decompose{set=all}
graph(%b : f32[4], %m : f32[2, 3], %w : f32[3, 4]) {
  %n = aten.div.Tensor(%b, 0)
  %k = aten.mul.Tensor(%n, 0)
  %a = aten.addmm.default(%k, %m, %w, beta=False, alpha=False)
  %c = aten.addmm.default(%b, %m, %w, beta=True, alpha=True)
  %d = aten.addmm.default(self=%k, mat1=%m, mat2=%w, beta=0, alpha=2)
  %e = aten.addmm.default(%n, %m, %w, beta=1, alpha=0)
  return (%a, %c, %d, %e)
}
# pipeline: decompose{set=all}
# pipeline: propagate_types,decompose{set=all}
graph(%b : i64[4], %m : i64[2, 3], %w : i64[3, 4]) {
  %a = aten.addmm.default(%b, %m, %w, beta=2, alpha=3)
  %c = aten.addmm.default(%b, %m, %w, beta=0, alpha=True)
  return (%a, %c)
}
# pipeline: decompose{set=all}
# pipeline: propagate_types,decompose{set=all}
graph(%b : f32[4], %m : f32[2, 0], %w : f32[0, 4], %v : f32[0], %o : f32[2]) {
  %a = aten.addmm.default(%b, %m, %w, beta=2, alpha=3)
  %c = aten.addmm.default(%b, %m, %w, beta=0)
  %d = aten.addmv.default(%o, %m, %v, beta=0.5)
  %e = aten.mm.default(%m, %w)
  %f = aten.linear.default(%m, %m, %o)
  return (%a, %c, %d, %e, %f)
}
# pipeline: decompose{set=all}
# pipeline: propagate_types,decompose{set=all}
graph(%b : c64[4], %m : c64[2, 3], %w : c64[3, 4]) {
  %a = aten.addmm.default(%b, %m, %w, beta=complex(0.0, 1.0), alpha=complex(2.0, -1.0))
  %c = aten.addcmul.default(%b, %b, %b, value=complex(0.0, 1.0))
  %d = aten.add.Tensor(%b, %b, alpha=complex(0.0, 2.0))
  %e = aten.rsub.Scalar(%b, complex(0.0, 2.0))
  %f = aten.mean.dim(%m, [0])
  %g = aten.var.correction(%m, [0])
  %h = aten.sigmoid.default(%b)
  %i = aten.square.default(%b)
  %j = aten.logsumexp.default(%m, [0])
  %k = aten.silu.default(%b)
  %l = aten.tanh.default(%b)
  return (%a, %c, %d, %e, %f, %g, %h, %i)
}
# pipeline: decompose{set=all}
# pipeline: propagate_types,decompose{set=all}
graph(%x : f32[0, 4, 3, 3], %w : f32[4]) {
  %a = aten.batch_norm.default(%x, %w, %w, %w, %w, False, 0.1, 1e-05, True)
  %c = aten.layer_norm.default(%x, [3])
  %d = aten.group_norm.default(%x, 2)
  %e = aten.relu.default(%x)
  %f = aten.gelu.default(%x)
  %g = aten.dropout.default(%x, 0.5, True)
  %h = aten.softmax.int(%x, 1)
  %i = aten.avg_pool2d.default(%x, [2, 2])
  %j = aten.adaptive_avg_pool2d.default(%x, [1, 1])
  return (%a, %c, %d, %e, %f, %g, %h, %i, %j)
}
# pipeline: decompose{set=all}
# pipeline: propagate_types,decompose{set=all}
graph(%x : f32[2, 0], %y : f32[0], %i : i64[0]) {
  %a = aten.sum.default(%x)
  %b = aten.mean.default(%x)
  %c = aten.mean.dim(%x, [1])
  %d = aten.var.correction(%x, [1])
  %e = aten.std.correction(%x, [0])
  %f = aten.prod.dim_int(%x, 1)
  %g = aten.all.dim(%x, 1)
  %h = aten.any.dim(%x, 1)
  %j = aten.cumsum.default(%x, 1)
  %k = aten.linalg_vector_norm.default(%x, 2, [1])
  %l = aten.norm.ScalarOpt_dim(%x, 2, [1])
  %m = aten.mse_loss.default(%y, %y)
  %n = aten.l1_loss.default(%y, %y)
  %o = aten.smooth_l1_loss.default(%y, %y, 0)
  %p = aten.binary_cross_entropy.default(%y, %y)
  %q = aten.embedding.default(%x, %i)
  %r = aten.index_select.default(%x, 1, %i)
  %s = aten.cat.default([%y, %x], 0)
  %t = aten.softmax.int(%y, 0)
  %u = aten.log_softmax.int(%y, 0)
  %v = aten.amax.default(%x, [0])
  %w = aten.nansum.default(%x)
  %z = aten.logcumsumexp.default(%x, 1)
  return (%a, %b, %c, %d, %e, %f, %g, %h, %j, %k, %l, %m, %n, %o, %p, %q, %r, %s, %t, %u, %v, %w, %z)
}
# pipeline: decompose{set=all}
# pipeline: propagate_types,decompose{set=all}
graph(%s : f32[], %h : bf16[], %i : i64[]) {
  %a = aten.sum.dim_IntList(%s, [-1])
  %b = aten.mean.dim(%h, [0])
  %c = aten.var_mean.correction(%s, [0], correction=0)
  %d = operator.getitem(%c, 0)
  %e = aten.amin.default(%s, [0], True)
  %f = aten.argmax.default(%s, 0)
  %g = aten.softmax.int(%h, 0)
  %j = aten.log_softmax.int(%s, -1)
  %k = aten.max.dim(%s, 0)
  %l = operator.getitem(%k, 0)
  %m = aten.sort.default(%s, 0)
  %n = operator.getitem(%m, 0)
  %o = aten.cumprod.default(%s, 0)
  %p = aten.flip.default(%s, [])
  %q = aten.std.dim(%s, [0], False)
  %r = aten.logsumexp.default(%i, [0])
  %t = aten.all.dim(%s, 0)
  %u = aten.squeeze.dim(%s, 0)
  %v = aten.unsqueeze.default(%s, -1)
  %w = aten.linalg_vector_norm.default(%s, 2, [0])
  return (%a, %b, %d, %e, %f, %g, %j, %l, %n, %o, %p, %q, %r, %t, %u, %v, %w)
}
# pipeline: decompose{set=all}
# pipeline: propagate_types,decompose{set=all}
graph(%x : f32[3, 4]) {
  %a = aten.div.Tensor(%x, 0)
  %b = aten.mul.Tensor(%a, -1)
  %c = aten.logsumexp.default(%a, [1])
  %d = aten.logsumexp.default(%b, [1])
  %e = aten._softmax.default(%a, 1, False)
  %f = aten._log_softmax.default(%b, 1, False)
  # libtorch's AVX-512 kernel returns NaN for gelu(inf), its other kernels inf.
  %g = aten.gelu.default(%x)
  %h = aten.silu.default(%a)
  %i = aten.hardswish.default(%a)
  %j = aten.hardsigmoid.default(%a)
  %k = aten.softplus.default(%a)
  %l = aten.elu.default(%a)
  %m = aten.log_sigmoid.default(%a)
  %n = aten.mish.default(%a)
  %o = aten.celu.default(%b)
  %p = aten.logaddexp.default(%a, %b)
  %q = aten.logaddexp.default(%a, %a)
  %r = aten.xlogy.Tensor(%a, %x)
  %s = aten.nan_to_num.default(%a)
  %t = aten.clamp.default(%a, -1, 1)
  %u = aten.lerp.Scalar(%a, %x, 0.0)
  %v = aten.addcdiv.default(%x, %x, %a)
  %w = aten.sign.default(%a)
  %y = aten.frac.default(%a)
  %z = aten.softshrink.default(%a)
  return (%c, %d, %e, %f, %g, %h, %i, %j, %k, %l, %m, %n, %o, %p, %q, %r, %s, %t, %u, %v, %w, %y, %z)
}
# pipeline: decompose{set=all}
# pipeline: propagate_types,decompose{set=all}
graph(%i : i64[3], %j : i32[3], %u : u8[3], %b : b8[3], %h : f16[3], %d : f64[3]) {
  %a = aten.rsub.Scalar(%u, 3)
  %c = aten.add.Tensor(%u, %j, alpha=2)
  %e = aten.sub.Tensor(%h, %i)
  %f = aten.mul.Tensor(%b, 2.5)
  %g = aten.div.Tensor(%i, %j)
  %k = aten.floor_divide.default(%i, 2)
  %l = aten.remainder.Scalar(%i, 2.5)
  %m = aten.true_divide.Tensor(%u, %u)
  %n = aten.pow.Tensor_Scalar(%i, 0.5)
  %o = aten.pow.Scalar(2, %i)
  %p = aten.rsqrt.default(%i)
  %q = aten.mean.dim(%i, [0], False, dtype=torch.float32)
  %r = aten.sum.default(%b)
  %s = aten.sum.default(%u)
  %t = aten.cumsum.default(%b, 0)
  %v = aten.square.default(%b)
  %w = aten.masked_fill.Scalar(%i, %b, 2)
  %x = aten.clamp.default(%i, 0.5, 2)
  %y = aten.lerp.Tensor(%d, %d, %d)
  %z = aten.addcmul.default(%i, %i, %i, value=2)
  return (%a, %c, %e, %f, %g, %k, %l, %m, %n, %o, %p, %q, %r, %s, %t, %v, %w, %x, %y, %z)
}
# Batch norm of ranks 2, 3, 5; in training and evaluation; with None of each kind; instance and group norms.
# pipeline: functionalize
# pipeline: propagate_types,functionalize,decompose{set=all}
graph(%x : f32[2, 3, 4, 4, 4], %y : f32[3, 2], %k : f32[3], %q : f32[2]) {
  %m = aten.neg.default(%k)
  %v = aten.abs.default(%k)
  %a = aten.batch_norm.default(%x, None, %k, %m, %v, True, 0.3, 1e-05, True)
  %b = aten.batch_norm.default(%y, %q, None, None, None, True, 0.3, 1e-05, True)
  %c = aten.batch_norm.default(%x, %k, %k, None, None, True, 0.0, 1e-05, True)
  %d = aten.batch_norm.default(%x, %k, None, %m, %v, False, 0.0, 1e-05, True)
  %e = aten.instance_norm.default(%x, None, %k, None, None, True, 0.1, 1e-05, True)
  %f = aten.group_norm.default(%x, 3, None, %k)
  %g = aten.add_.Tensor(%x, 1)
  return (%a, %b, %c, %d, %e, %f, %m, %v, %x)
}
# pipeline: functionalize
# pipeline: propagate_types,functionalize,decompose{set=all}
graph(%x : bf16[2, 3, 4], %k : f32[3]) {
  %m = aten.neg.default(%k)
  %v = aten.abs.default(%k)
  %a = aten.batch_norm.default(%x, %k, %k, %m, %v, True, 0.3, 1e-05, True)
  %b = aten.batch_norm.default(%x, %k, %k, %m, %v, False, 0.3, 1e-05, True)
  %g = aten.add_.Tensor(%x, 1)
  return (%a, %b, %m, %v)
}
# pipeline: simplify
# pipeline: eliminate_common_subexpressions{commutative}
# pipeline: simplify,eliminate_common_subexpressions{commutative}
# The sign of a zero shows as another number: sums, differences and double negations (1000981848), and
# the order of the operands of maximum.
graph(%x : f32[4, 6]) {
  %z = aten.mul.Tensor(%x, 0)
  %a = aten.add.Tensor(%z, 0)
  %b = aten.sub.Tensor(%z, -0.0)
  %c = aten.sub.Tensor(%z, 0, alpha=0)
  %d = aten.add.Tensor(%z, -0.0)
  %a1 = aten.view.dtype(%a, torch.int32)
  %b1 = aten.reciprocal.default(%b)
  %c1 = aten.atan2.default(%c, %x)
  %d1 = aten.copysign.Tensor(%x, %d)
  %n = aten.neg.default(%z)
  %m1 = aten.maximum.default(%z, %n)
  %m2 = aten.maximum.default(%n, %z)
  %m = aten.reciprocal.default(%m2)
  return (%a1, %b1, %c1, %d1, %m1, %m)
}
# pipeline: simplify
# pipeline: eliminate_common_subexpressions{commutative}
graph(%x : f32[4, 6]) {
  %z = aten.mul.Tensor(%x, 0)
  %c = aten.complex.default(%z, %z)
  %n = aten.neg.default(%c)
  %p = aten.neg.default(%n)
  %s = aten.sub.Tensor(%c, 0)
  %p1 = aten.view_as_real.default(%p)
  %s1 = aten.view_as_real.default(%s)
  %p2 = aten.reciprocal.default(%p1)
  %s2 = aten.reciprocal.default(%s1)
  %i = aten.mul.Tensor(%x, inf)
  %ci = aten.complex.default(%i, %x)
  %a = aten.add.Tensor(%ci, %c)
  %b = aten.add.Tensor(%c, %ci)
  return (%p2, %s2, %a, %b)
}
# pipeline: eliminate_common_subexpressions{commutative}
# pipeline: propagate_types,eliminate_common_subexpressions{commutative}
# 16-bit products with an operand that has one element (1000992467).
graph(%x : f32[4, 6]) {
  %h = aten._to_copy.default(%x, dtype=torch.float16)
  %k = aten._to_copy.default(%x, dtype=torch.bfloat16)
  %i = aten.full.default([1], 100000, dtype=torch.int64)
  %f = aten.full.default([], 0.1, dtype=torch.float32)
  %a = aten.mul.Tensor(%h, %i)
  %b = aten.mul.Tensor(%i, %h)
  %c = aten.mul.Tensor(%k, %f)
  %d = aten.mul.Tensor(%f, %k)
  %e = aten.multiply.Tensor(%h, %f)
  %g = aten.multiply.Tensor(%f, %h)
  return (%a, %b, %c, %d, %e, %g)
}
# An infinite alpha and complex numbers: kernels for broadcast operands compute an infinite product where
# others compute NaN.
# pipeline: propagate_types,decompose
# pipeline: propagate_types,decompose{set=all}
graph(%r : f32[3, 1], %s : f32[4]) {
  %x = aten.complex.default(%r, %r)
  %y = aten.complex.default(%s, %s)
  %a = aten.rsub.Tensor(%x, %y, alpha=inf)
  %b = aten.rsub.Scalar(%x, complex(2.0, -1.0), inf)
  return (%a, %b)
}
# An empty matrix: the result has the sizes of self, unless beta is 0.
# pipeline: decompose{set=all}
# pipeline: propagate_types,decompose{set=all}
graph(%a : f32[1], %b : f32[], %m : f32[3, 0], %v : f32[0], %n : f32[0, 4], %w : f32[4]) {
  %c = aten.addmv.default(%a, %m, %v, beta=2)
  %d = aten.addmv.default(%b, %m, %v)
  %e = aten.addmv.default(%a, %m, %v, beta=0)
  %f = aten.addmv.default(%a, %n, %w, beta=0.5)
  %g = aten.addmv.default(%b, %n, %w, beta=False)
  return (%c, %d, %e, %f, %g)
}
