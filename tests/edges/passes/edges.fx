# faults/18-beta-false, 20-softmax-empty, 39-logsumexp-scalar-abort, 57-batch-norm, 50-instance-norm:
# edge cases of decompositions and of layers.

# pipeline: decompose{set=all}
# pipeline: propagate_types,decompose{set=all}
graph(%z : f32[4, 0]) {
  %s : f32[4, 0] = aten._softmax.default(%z, 1, False)
  %l : f32[4, 0] = aten._log_softmax.default(%z, 1, False)
  return (%s, %l)
}
# pipeline: propagate_types,decompose{set=all}
graph(%z : f32[0, 3], %y : f32[2, 0]) {
  %a = aten._softmax.default(%z, 0, False)
  %b = aten.logsumexp.default(%y, [1])
  %c = aten.logsumexp.default(%y, [0, 1])
  %d = aten.native_layer_norm.default(%z, [3], None, None, 1e-05)
  %e = operator.getitem(%d, 0)
  %f = aten.var_mean.correction(%z, [1])
  %g = operator.getitem(%f, 0)
  %h = aten.softmax.int(%y, 1)
  %i = aten.log_softmax.int(%z, -1)
  return (%a, %b, %c, %e, %g, %h, %i)
}
# pipeline: propagate_types,decompose
# pipeline: propagate_types,decompose{set=all}
graph(%s : f32[]) {
  %r = aten.logsumexp.default(%s, [0])
  return %r
}
# pipeline: propagate_types,decompose{set=all}
graph(%s : f32[]) {
  %a = aten._softmax.default(%s, 0, False)
  %b = aten._log_softmax.default(%s, -1, False)
  %c = aten.logsumexp.default(%s, [-1], True)
  %d = aten.softmax.int(%s, 0)
  %e = aten.mean.dim(%s, [0])
  %f = aten.var.correction(%s, [0], correction=0)
  %g = aten.amax.default(%s, [0])
  %h = aten.sum.dim_IntList(%s, [0])
  %i = aten.cumsum.default(%s, 0)
  return (%a, %b, %c, %d, %e, %f, %g, %h, %i)
}
# pipeline: propagate_types,decompose{set=all}
graph(%b : f32[4], %m : f32[2, 3], %w : f32[3, 4]) {
  %n : f32[4] = aten.div.Tensor(%b, 0)
  %k : f32[4] = aten.mul.Tensor(%n, 0)
  %y : f32[2, 4] = aten.addmm.default(%b, %m, %w, beta=1, alpha=0)
  %z : f32[2, 4] = aten.addmm.default(%k, %m, %w, beta=False, alpha=1)
  %u : f32[2, 4] = aten.addmm.default(%k, %m, %w, beta=0, alpha=0)
  %v : f32[2, 4] = aten.addmm.default(%k, %m, %w, beta=0.0, alpha=1)
  %q : f32[2, 4] = aten.addmm.default(%k, %m, %w, beta=-0.0, alpha=2.5)
  return (%y, %z, %u, %v, %q)
}
# pipeline: propagate_types,decompose{set=all}
graph(%b : f32[2], %m : f32[2, 3], %w : f32[3]) {
  %n = aten.div.Tensor(%b, 0)
  %k = aten.mul.Tensor(%n, 0)
  %a = aten.addmv.default(%k, %m, %w, beta=False)
  %c = aten.addmv.default(%b, %m, %w, beta=0, alpha=2)
  %e = aten.addr.default(%m, %b, %w, beta=0, alpha=0.5)
  return (%a, %c, %e)
}
# pipeline: propagate_types,decompose{set=all}
graph(%b : f32[2, 4], %m : f32[3, 2, 3], %w : f32[3, 3, 4]) {
  %n = aten.div.Tensor(%b, 0)
  %k = aten.mul.Tensor(%n, 0)
  %a = aten.addbmm.default(%k, %m, %w, beta=False)
  %c = aten.baddbmm.default(%b, %m, %w, beta=0, alpha=2)
  %d = aten.baddbmm.default(%k, %m, %w, beta=False, alpha=True)
  return (%a, %c, %d)
}
# Numbers that change the dtype; sizes of 1; 16-bit dtypes.
# pipeline: propagate_types,decompose{set=all}
graph(%i : i64[3], %h : f16[3], %b : b8[3], %z : f64[], %g : bf16[1, 3]) {
  %a = aten.add.Tensor(%i, 1.5)
  %c = aten.mul.Tensor(%h, %z)
  %d = aten.add.Tensor(%b, %i)
  %e = aten.where.self(%b, %h, %z)
  %f = aten.addcmul.default(%h, %h, %h, value=0.3)
  %j = aten.silu.default(%g)
  %k = aten.gelu.default(%g)
  %l = aten._softmax.default(%g, 1, False)
  %m = aten.mean.dim(%g, [1])
  %n = aten.rsub.Scalar(%i, 2)
  %o = aten.lerp.Scalar(%h, %h, 0.3)
  %p = aten.hardtanh.default(%h)
  %q = aten.leaky_relu.default(%g, 0.3)
  return (%a, %c, %d, %e, %f, %j, %k, %l, %m, %n, %o, %p, %q)
}
# pipeline: functionalize
# pipeline: functionalize,decompose{set=all}
graph(%x : f32[2, 4, 3, 3], %w : f32[4], %b : f32[4]) {
  %m : f32[4] = aten.neg.default(%w)
  %v : f32[4] = aten.abs.default(%b)
  %y : f32[2, 4, 3, 3] = aten.batch_norm.default(%x, %w, %b, %m, %v, True, 0.1, 1e-05, True)
  %z : f32[2, 4, 3, 3] = aten.relu_.default(%y)
  return (%z, %m, %v)
}
# pipeline: functionalize
# pipeline: functionalize,decompose{set=all}
graph(%x : f32[2, 4, 3, 3], %w : f32[4]) {
  %v : f32[4] = aten.abs.default(%w)
  %y : f32[2, 4, 3, 3] = aten.batch_norm.default(%x, None, %w, %w, %v, False, 0.1, 1e-05, True)
  %z : f32[2, 4, 3, 3] = aten.relu_.default(%y)
  return (%z, %v)
}
# pipeline: functionalize
# pipeline: functionalize,decompose{set=all}
graph(%x : f32[2, 4]) {
  %y : f32[2, 4] = aten.batch_norm.default(input=%x, weight=None, bias=None, running_mean=None, running_var=None, training=True, momentum=0.1, eps=1e-05, cudnn_enabled=True)
  %z : f32[2, 4] = aten.relu_.default(%y)
  return %z
}
# pipeline: functionalize
graph(%x : f32[1, 4, 3, 3]) {
  %bn : (f32[1, 4, 3, 3], f32[4], f32[4]) = aten.native_batch_norm.default(%x, None, None, None, None, True, 0.1, 1e-05)
  %y : f32[1, 4, 3, 3] = operator.getitem(%bn, 0)
  return %y
}
# pipeline: functionalize
# pipeline: functionalize,decompose{set=all}
graph(%x : f32[2, 4, 3, 3], %k : f32[3]) {
  %y = aten.instance_norm.default(%x, None, None, None, None, True, 0.1, 1e-05, True)
  %w = aten.add_.Tensor(%k, 1)
  return (%y, %k)
}
graph(%x : f32[2, 4, 3], %k : f32[4]) {
  %m = aten.neg.default(%k)
  %v = aten.abs.default(%k)
  %y = aten.instance_norm.default(%x, %k, %k, %m, %v, True, 0.1, 1e-05, True)
  return (%y, %m, %v)
}
# pipeline: functionalize
graph(%x : f32[2, 4, 3], %k : f32[4]) {
  %v = aten.abs.default(%k)
  %y = aten.instance_norm.default(%x, %k, %k, %k, %v, False, 0.1, 1e-05, True)
  %w = aten.add_.Tensor(%x, 1)
  return (%y, %x)
}
# pipeline: functionalize
graph(%x : f32[2, 4, 3], %k : f32[4]) {
  %a : (f32[2, 4, 3], f32[4], f32[4]) = aten._native_batch_norm_legit.no_stats(%x, %k, %k, True, 0.1, 1e-05)
  %b = operator.getitem(%a, 0)
  %w = aten.add_.Tensor(%b, 1)
  return %b
}
# One tensor is both running statistics: the kernel writes the mean and then the variance.
# pipeline: decompose{set=all}
# pipeline: decompose
graph(%x : f32[4, 3], %m : f32[3]) {
  %w : f32[3] = aten.clone.default(%m)
  %r : f32[4, 3] = aten.batch_norm.default(%x, None, None, %w, %w, True, 0.1, 1e-05, False)
  return (%r, %w)
}
# pipeline: decompose{set=all}
graph(%x : f32[4, 3], %m : f32[3]) {
  %w : f32[3] = aten.clone.default(%m)
  %v : f32[3] = aten.alias.default(%w)
  %n = aten.native_batch_norm.default(%x, None, None, %w, %v, True, 0.3, 1e-05)
  %r = operator.getitem(%n, 0)
  return (%r, %w)
}
# The weight or the bias is also one of them: the kernel writes before it reads the weight.
# pipeline: decompose{set=all}
graph(%x : f32[4, 3], %m : f32[3], %v : f32[3]) {
  %a : f32[3] = aten.clone.default(%m)
  %b : f32[3] = aten.exp.default(%v)
  %n = aten._native_batch_norm_legit.default(%x, %a, %b, %a, %b, True, 0.3, 1e-05)
  %r = operator.getitem(%n, 0)
  %s = operator.getitem(%n, 1)
  return (%r, %s, %a, %b)
}
