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
# The layer's result is written, and so are the weights.
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
# Another batch norm between the two writes the statistics.
# pipeline: fuse_conv_bn
graph(%x : f32[2, 3, 4], %w : f32[3, 3, 1], %g : f32[3]) {
  %v : f32[3] = aten.abs.default(%g)
  %m : f32[3] = aten.neg.default(%g)
  %c : f32[2, 3, 4] = aten.conv1d.default(%x, %w)
  %t : f32[2, 3, 4] = aten.batch_norm.default(%x, None, None, %m, %v, True, 0.1, 1e-05, True)
  %bn : f32[2, 3, 4] = aten.batch_norm.default(%c, None, %g, %m, %v, False, 0.1, 1e-05, True)
  return (%bn, %t)
}
# Transposed, in groups: the channels of the weight are dimension 1 of each group.
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
