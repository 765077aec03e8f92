# faults/01-linear3d, 01-keyword-abort: conditions of fusions.

# pipeline: fuse_conv_bn
graph(%x : f32[4, 3], %w : f32[5, 3], %b : f32[5]) {
  %m : f32[5] = aten.mul.Tensor(%b, 0.5)
  %v : f32[5] = aten.abs.default(%b)
  %fc : f32[4, 5] = aten.linear.default(input=%x, weight=%w, bias=%b)
  %bn : f32[4, 5] = aten.batch_norm.default(%fc, None, None, %m, %v, False, 0.1, 1e-05, True)
  return %bn
}
# pipeline: fuse_conv_bn
graph(%x : f32[2, 5, 3], %w : f32[5, 3], %b : f32[5], %g : f32[5], %h : f32[5]) {
  %v : f32[5] = aten.abs.default(%b)
  %fc : f32[2, 5, 5] = aten.linear.default(%x, %w, %b)
  %bn : f32[2, 5, 5] = aten.batch_norm.default(%fc, %g, %h, %b, %v, False, 0.1, 1e-05, True)
  return %bn
}
# The layer's result has two users.
# pipeline: fuse_conv_bn
graph(%x : f32[2, 3, 4, 4], %w : f32[3, 3, 1, 1], %g : f32[3]) {
  %v : f32[3] = aten.abs.default(%g)
  %c : f32[2, 3, 4, 4] = aten.conv2d.default(%x, %w)
  %bn : f32[2, 3, 4, 4] = aten.batch_norm.default(%c, %g, None, %g, %v, False, 0.1, 1e-05, True)
  %s : f32[2, 3, 4, 4] = aten.add.Tensor(%bn, %c)
  return %s
}
# The layer's result and the weights are written.
# pipeline: fuse_conv_bn
graph(%x : f32[2, 3, 4], %w : f32[3, 3, 1], %g : f32[3]) {
  %v : f32[3] = aten.abs.default(%g)
  %c : f32[2, 3, 4] = aten.conv1d.default(%x, %w)
  %r : f32[2, 3, 4] = aten.relu_.default(%c)
  %bn : f32[2, 3, 4] = aten.batch_norm.default(%c, None, %g, %g, %v, False, 0.1, 1e-05, True)
  return %bn
}
# pipeline: fuse_conv_bn
graph(%x : f32[2, 3, 4], %w : f32[3, 3, 1], %g : f32[3]) {
  %v : f32[3] = aten.abs.default(%g)
  %c : f32[2, 3, 4] = aten.conv1d.default(%x, %w)
  %r : f32[3, 3, 1] = aten.zero_.default(%w)
  %bn : f32[2, 3, 4] = aten.batch_norm.default(%c, None, %g, %g, %v, False, 0.1, 1e-05, True)
  return %bn
}
# Another batch norm between the layer and its batch norm writes the statistics.
# pipeline: fuse_conv_bn
graph(%x : f32[2, 3, 4], %w : f32[3, 3, 1], %g : f32[3]) {
  %v : f32[3] = aten.abs.default(%g)
  %m : f32[3] = aten.neg.default(%g)
  %c : f32[2, 3, 4] = aten.conv1d.default(%x, %w)
  %t : f32[2, 3, 4] = aten.batch_norm.default(%x, None, None, %m, %v, True, 0.1, 1e-05, True)
  %bn : f32[2, 3, 4] = aten.batch_norm.default(%c, None, %g, %m, %v, False, 0.1, 1e-05, True)
  return (%bn, %t)
}
# Grouped transposed convolutions: the channels of the weight are dimension 1 of each group.
# pipeline: fuse_conv_bn
graph(%x : f32[1, 4, 3, 3], %w : f32[4, 3, 2, 2], %g : f32[6]) {
  %v : f32[6] = aten.abs.default(%g)
  %c : f32[1, 6, 4, 4] = aten.conv_transpose2d.input(%x, %w, None, [1, 1], [0, 0], [0, 0], 2)
  %bn : f32[1, 6, 4, 4] = aten.batch_norm.default(%c, %g, %g, %g, %v, False, 0.1, 1e-05, True)
  return %bn
}
# Training, and statistics that are None.
# pipeline: fuse_conv_bn
graph(%x : f32[2, 3, 4], %w : f32[3, 3, 1], %g : f32[3]) {
  %c : f32[2, 3, 4] = aten.conv1d.default(%x, %w)
  %n : f32[2, 3, 4] = aten.batch_norm.default(%c, %g, None, None, None, True, 0.1, 1e-05, True)
  %k : f32[2, 3, 4] = aten.conv1d.default(%x, %w, %g)
  %m : f32[3] = aten.neg.default(%g)
  %v : f32[3] = aten.abs.default(%g)
  %o : f32[2, 3, 4] = aten.batch_norm.default(%k, %g, None, %m, %v, True, 0.1, 1e-05, True)
  return (%n, %o, %m)
}
# A matrix of one row, a linear layer of a vector, a bias that broadcasts.
# pipeline: merge_matmul
graph(%x : f32[4, 8], %a : f32[1, 4], %b : f32[3, 4]) {
  %p : f32[1, 8] = aten.mm.default(%a, %x)
  %q : f32[3, 8] = aten.mm.default(%b, %x)
  %s : f32[3, 8] = aten.add.Tensor(%p, %q)
  return %s
}
# An operand is written between the two products.
# pipeline: merge_matmul
graph(%x : f32[4, 8], %a : f32[2, 4], %b : f32[3, 4]) {
  %p : f32[2, 8] = aten.mm.default(%a, %x)
  %w : f32[4, 8] = aten.neg_.default(%x)
  %q : f32[3, 8] = aten.mm.default(%b, %x)
  return (%p, %q)
}
# A product is written in place: after the merge, the other product is in another part of the same
# memory.
# pipeline: merge_matmul
graph(%x : f32[4, 8], %a : f32[2, 4], %b : f32[3, 4]) {
  %p : f32[2, 8] = aten.mm.default(%a, %x)
  %q : f32[3, 8] = aten.mm.default(%b, %x)
  %w : f32[2, 8] = aten.neg_.default(%p)
  %t : f32[8, 3][1, 8] = aten.t.default(%q)
  return (%w, %t)
}
# Sizes and storages that depend on the memory of the product.
# pipeline: merge_matmul
graph(%x : f32[4, 8], %a : f32[2, 4], %b : f32[3, 4]) {
  %p : f32[2, 8] = aten.mm.default(%a, %x)
  %q : f32[3, 8] = aten.mm.default(%b, %x)
  %s : f32[4] = aten.as_strided.default(%q, [4], [2], 1)
  %r : f32[5] = aten.as_strided.default(%p, [5], [1])
  %y : f32[4] = aten.neg.default(%s)
  %z : f32[5] = aten.neg.default(%r)
  return (%y, %z)
}
# Unbatched conv then batch norm over dimension 1, which is not a channel.
# pipeline: fuse_conv_bn
graph(%x : f32[3, 5, 6], %w : f32[4, 3, 2, 3], %g : f32[4]) {
  %v : f32[4] = aten.abs.default(%g)
  %c : f32[4, 4, 4] = aten.conv2d.default(%x, %w)
  %bn : f32[4, 4, 4] = aten.batch_norm.default(%c, %g, %g, %g, %v, False, 0.1, 1e-05, True)
  return %bn
}
# pipeline: fuse_conv_bn
graph(%x : f32[3, 6], %w : f32[4, 3, 3], %g : f32[4]) {
  %v : f32[4] = aten.abs.default(%g)
  %c : f32[4, 4] = aten.conv1d.default(%x, %w)
  %bn : f32[4, 4] = aten.batch_norm.default(%c, %g, %g, %g, %v, False, 0.1, 1e-05, True)
  return %bn
}
# pipeline: propagate_types,fuse_conv_bn
graph(%x : f32[3, 6], %w : f32[4, 3, 3], %g : f32[4]) {
  %v = aten.abs.default(%g)
  %c = aten.conv1d.default(%x, %w)
  %bn = aten.batch_norm.default(%c, %g, %g, %g, %v, False, 0.1, 1e-05, True)
  return %bn
}
# pipeline: propagate_types,fuse_conv_bn
graph(%x : f32[3, 4, 4, 4], %w : f32[2, 3, 3, 3, 3], %g : f32[2]) {
  %v : f32[2] = aten.abs.default(%g)
  %c : f32[2, 2, 2, 2] = aten.conv3d.default(%x, %w)
  %bn : f32[2, 2, 2, 2] = aten.batch_norm.default(%c, %g, %g, %g, %v, False, 0.1, 1e-05, True)
  return %bn
}
# pipeline: propagate_types,fuse_conv_bn
graph(%x : f32[3, 4], %w : f32[3, 5, 2], %g : f32[5]) {
  %v : f32[5] = aten.abs.default(%g)
  %c : f32[5, 5] = aten.conv_transpose1d.default(%x, %w)
  %bn : f32[5, 5] = aten.batch_norm.default(%c, %g, %g, %g, %v, False, 0.1, 1e-05, True)
  return %bn
}
# Keyword arguments.
# pipeline: fuse_conv_bn
graph(%x : f32[2, 3, 5, 6], %w : f32[4, 3, 2, 3], %g : f32[4]) {
  %v : f32[4] = aten.abs.default(%g)
  %c : f32[2, 4, 4, 4] = aten.conv2d.default(weight=%w, input=%x, bias=%g, stride=[1, 1])
  %bn : f32[2, 4, 4, 4] = aten.batch_norm.default(eps=1e-05, momentum=0.1, cudnn_enabled=True, training=False, running_var=%v, running_mean=%g, bias=%g, weight=%g, input=%c)
  return %bn
}
# pipeline: fuse_conv_bn
graph(%x : f32[2, 3, 5, 6], %w : f32[4, 3, 2, 3], %g : f32[4]) {
  %v : f32[4] = aten.abs.default(%g)
  %c : f32[2, 4, 4, 4] = aten.convolution.default(input=%x, weight=%w, bias=None, stride=[1], padding=[0], dilation=[1], transposed=False, output_padding=[0], groups=1)
  %bn : (f32[2, 4, 4, 4], f32[0], f32[0]) = aten.native_batch_norm.default(%c, %g, None, %g, %v, training=False, momentum=0.1, eps=1e-05)
  %r : f32[2, 4, 4, 4] = operator.getitem(%bn, 0)
  return %r
}
# pipeline: fuse_conv_bn
graph(%x : f32[2, 3, 5, 6], %w : f32[4, 3, 2, 3], %g : f32[4]) {
  %v : f32[4] = aten.abs.default(%g)
  %c : f32[2, 4, 4, 4] = aten.conv2d.padding(input=%x, weight=%w, padding="valid")
  %bn = aten._native_batch_norm_legit_no_training.default(input=%c, weight=%g, bias=%g, running_mean=%g, running_var=%v, momentum=0.1, eps=1e-05)
  %r : f32[2, 4, 4, 4] = operator.getitem(%bn, 0)
  return %r
}
# Dtypes: 16-bit layer with statistics in f32.
# pipeline: fuse_conv_bn
graph(%x : bf16[2, 3, 6], %w : bf16[4, 3, 3], %g : f32[4]) {
  %v : f32[4] = aten.abs.default(%g)
  %c : bf16[2, 4, 4] = aten.conv1d.default(%x, %w)
  %bn : bf16[2, 4, 4] = aten.batch_norm.default(%c, %g, %g, %g, %v, False, 0.1, 1e-05, True)
  return %bn
}
# pipeline: fuse_conv_bn
graph(%x : bf16[2, 3], %w : bf16[4, 3], %g : f32[4]) {
  %v : f32[4] = aten.abs.default(%g)
  %c : bf16[2, 4] = aten.linear.default(%x, %w)
  %bn : bf16[2, 4] = aten.batch_norm.default(%c, None, None, %g, %v, False, 0.1, 1e-05, True)
  return %bn
}
# An empty batch, a batch norm of one channel, a linear layer of unknown rank.
# pipeline: propagate_types,fuse_conv_bn
graph(%x : f32[0, 3, 6], %w : f32[4, 3, 3], %g : f32[4]) {
  %v = aten.abs.default(%g)
  %c = aten.conv1d.default(%x, %w)
  %bn = aten.batch_norm.default(%c, %g, %g, %g, %v, False, 0.1, 1e-05, True)
  return %bn
}
# pipeline: propagate_types,fuse_conv_bn
graph(%x : f32[2, 5, 3], %w : f32[5, 3], %g : f32[5]) {
  %v = aten.abs.default(%g)
  %c = aten.linear.default(%x, %w)
  %bn = aten.batch_norm.default(%c, %g, %g, %g, %v, False, 0.1, 1e-05, True)
  return %bn
}
# pipeline: propagate_types,fuse_conv_bn
graph(%x : f32[2, 5, 3], %w : f32[5, 3], %g : f32[5]) {
  %v = aten.abs.default(%g)
  %t = aten.t.default(%w)
  %c = aten.matmul.default(%x, %t)
  %bn = aten.batch_norm.default(%c, %g, %g, %g, %v, False, 0.1, 1e-05, True)
  return %bn
}
# There is a view between the layer and the batch norm.
# pipeline: fuse_conv_bn
graph(%x : f32[2, 3, 6], %w : f32[4, 3, 3], %g : f32[4]) {
  %v : f32[4] = aten.abs.default(%g)
  %c : f32[2, 4, 4] = aten.conv1d.default(%x, %w)
  %t : f32[2, 4, 4][16, 1, 4] = aten.transpose.int(%c, 1, 2)
  %bn : f32[2, 4, 4] = aten.batch_norm.default(%t, %g, %g, %g, %v, False, 0.1, 1e-05, True)
  return %bn
}
# Another call writes the running mean after the batch norm.
# pipeline: fuse_conv_bn
graph(%x : f32[2, 3, 6], %w : f32[4, 3, 3], %g : f32[4]) {
  %v : f32[4] = aten.abs.default(%g)
  %c : f32[2, 4, 4] = aten.conv1d.default(%x, %w)
  %bn : f32[2, 4, 4] = aten.batch_norm.default(%c, %g, %g, %g, %v, False, 0.1, 1e-05, True)
  %k : f32[4] = aten.mul_.Tensor(%v, 3)
  %bn2 : f32[2, 4, 4] = aten.batch_norm.default(%c, %g, %g, %g, %v, False, 0.1, 1e-05, True)
  return (%bn, %bn2)
}
# The layer's bias is written; a view uses the weight.
# pipeline: fuse_conv_bn
graph(%x : f32[2, 3, 6], %w : f32[4, 3, 3], %g : f32[4], %b : f32[4]) {
  %v : f32[4] = aten.abs.default(%g)
  %c : f32[2, 4, 4] = aten.conv1d.default(%x, %w, %b)
  %s : f32[2] = aten.slice.Tensor(%b, 0, 0, 2)
  %k : f32[2] = aten.zero_.default(%s)
  %bn : f32[2, 4, 4] = aten.batch_norm.default(%c, %g, %g, %g, %v, False, 0.1, 1e-05, True)
  return %bn
}
# merge_matmul.
# pipeline: propagate_types,merge_matmul
graph(%x : f32[4, 8], %a : f32[2, 4], %b : f32[3, 4]) {
  %p = aten.mm.default(self=%a, mat2=%x)
  %q = aten.mm.default(mat2=%x, self=%b)
  return (%p, %q)
}
# pipeline: propagate_types,merge_matmul
graph(%x : f32[4, 8], %a : f32[2, 4], %b : f32[3, 4]) {
  %p = aten.matmul.default(%a, %x)
  %q = aten.matmul.default(%b, other=%x)
  return (%p, %q)
}
# pipeline: propagate_types,merge_matmul
graph(%x : f32[4, 8], %a : f32[2, 4], %b : f32[4]) {
  %p = aten.matmul.default(%a, %x)
  %q = aten.matmul.default(%b, %x)
  return (%p, %q)
}
# pipeline: propagate_types,merge_matmul
graph(%x : f32[4], %a : f32[2, 4], %b : f32[3, 4]) {
  %p = aten.matmul.default(%a, %x)
  %q = aten.matmul.default(%b, %x)
  return (%p, %q)
}
# pipeline: propagate_types,merge_matmul
graph(%x : f32[2, 4, 8], %a : f32[2, 2, 4], %b : f32[3, 4]) {
  %p = aten.matmul.default(%a, %x)
  %q = aten.matmul.default(%b, %x)
  return (%p, %q)
}
# pipeline: propagate_types,merge_matmul
graph(%x : f32[4, 8], %a : f32[0, 4], %b : f32[3, 4]) {
  %p = aten.mm.default(%a, %x)
  %q = aten.mm.default(%b, %x)
  return (%p, %q)
}
# pipeline: propagate_types,merge_matmul
graph(%x : i64[4, 8], %a : i64[2, 4], %b : i64[3, 4]) {
  %p = aten.mm.default(%a, %x)
  %q = aten.mm.default(%b, %x)
  return (%p, %q)
}
# pipeline: propagate_types,lower_to_aten,merge_matmul
graph(%x : f32[4, 8], %a : f32[2, 4], %b : f32[3, 4]) {
  %p = torch.matmul(%a, %x)
  %q = operator.matmul(%b, %x)
  %r = call_method matmul(%a, %x)
  return (%p, %q, %r)
}
# pipeline: propagate_types,merge_matmul
graph(%x : f32[4, 8], %a : f32[2, 4], %b : f32[3, 4], %o : f32[2, 8]) {
  %p = aten.mm.out(%a, %x, out=%o)
  %q = aten.mm.default(%b, %x)
  %r = aten.mm.default(%a, %x)
  return (%q, %r)
}
# One product is an operand of the other.
# pipeline: propagate_types,merge_matmul
graph(%x : f32[4, 4], %a : f32[4, 4]) {
  %p = aten.mm.default(%a, %x)
  %q = aten.mm.default(%p, %x)
  %r = aten.mm.default(%q, %x)
  return (%p, %q, %r)
}
