# faults/60-stale-types: after a pass, types match the values.

# pipeline: merge_matmul
graph(%x : f32[4, 8], %a : f32[3, 4], %b : f32[3, 4]) {
  %p : f32[3, 8] = aten.mm.default(%a, %x)
  %q : f32[3, 8] = aten.mm.default(%b, %x)
  %t : f32[8, 3][1, 8] = aten.t.default(%q)
  %e : f32[8, 3][1, 8] = aten.exp.default(%t)
  return (%p, %e)
}
# pipeline: reinplace
graph(%x : f32[4, 3][1, 4], %y : f32[4, 3]) {
  %c : f32[4, 3] = aten.clone.default(%y)
  %a : f32[4, 3] = aten.add.Tensor(%c, %x)
  %v : f32[12] = aten.view.default(%a, [12])
  %s : f32[12] = aten.sin.default(%v)
  return %s
}
# pipeline: simplify
graph(%x : f32[4, 3][1, 4]) {
  %c : f32[4, 3] = aten.contiguous.default(%x)
  %d : f32[4, 3] = aten.mul.Tensor(%c, 1)
  %v : f32[12] = aten.view.default(%d, [12])
  %s : f32[12] = aten.sin.default(%v)
  return %s
}
# pipeline: simplify,eliminate_common_subexpressions
graph(%x : f32[2, 6]) {
  %a : f32[6]{offset=6} = aten.select.int(%x, 0, 1)
  %c : f32[6] = aten.clone.default(%a)
  %v : f32[3]{offset=3} = aten.slice.Tensor(%c, 0, 3, 6)
  %s : f32[3] = aten.sin.default(%v)
  return %s
}
# pipeline: functionalize
graph(%x : f32[4, 6]) {
  %c : f32[4, 6] = aten.clone.default(%x)
  %a : f32[6]{offset=6} = aten.select.int(%c, 0, 1)
  %w : f32[6]{offset=6} = aten.add_.Tensor(%a, 1)
  %v : f32[3]{offset=9} = aten.slice.Tensor(%w, 0, 3, 6)
  %s : f32[3] = aten.sin.default(%v)
  return %s
}
# pipeline: decompose{set=all}
graph(%x : f32[4, 6][1, 4], %w : f32[6]) {
  %a : (f32[4, 6], f32[4, 1], f32[4, 1]) = aten.native_layer_norm.default(%x, [6], %w, %w, 1e-05)
  %b : f32[4, 6] = operator.getitem(%a, 0)
  %c : f32[4, 6][1, 4] = aten._softmax.default(%x, 1, False)
  %d : f32[4, 6][1, 4] = aten.gelu.default(%x)
  %e : f32[24] = aten.view.default(%b, [24])
  return (%c, %d, %e)
}
# pipeline: remove_dropout{training=false}
graph(%x : f32[4, 6][1, 4]) {
  %d : f32[4, 6][1, 4] = aten.dropout.default(%x, 0.5, True)
  %a : f32[4, 6][1, 4] = aten.neg.default(%d)
  return %a
}
# pipeline: merge_matmul
graph(%x : f32[4, 8], %a : f32[3, 4], %b : f32[2, 4]) {
  %p : f32[3, 8] = aten.mm.default(%a, %x)
  %q : f32[2, 8] = aten.mm.default(%b, %x)
  %v : f32[16] = aten.view.default(%q, [16])
  %s : f32[8]{offset=8} = aten.select.int(%q, 0, 1)
  %t : f32[2, 4]{offset=4} = aten.slice.Tensor(%q, 1, 4, 8)
  %u : f32[8][2]{offset=0} = aten.as_strided.default(%p, [8], [2])
  return (%v, %s, %t, %u)
}
# pipeline: reinplace
# pipeline: simplify
graph(%x : f32[4, 3]) {
  %c : f32[4, 3] = aten.clone.default(%x)
  %s : f32[2, 3]{offset=6} = aten.slice.Tensor(%c, 0, 2, 4)
  %r : f32[2, 3] = aten.relu.default(%s)
  %v : f32[6] = aten.view.default(%r, [6])
  %n : f32[6] = aten.neg.default(%v)
  return %n
}
# pipeline: reinplace
# pipeline: simplify
graph(%x : f32[4, 3]) {
  %c : f32[4, 3] = aten.clone.default(%x)
  %s : f32[3, 4][1, 3] = aten.t.default(%c)
  %r : f32[3, 4][1, 3] = aten.relu.default(%s)
  %v : f32[12] = aten.reshape.default(%r, [12])
  %n : f32[12] = aten.neg.default(%v)
  %e : f32[3, 4] = aten.mul.Tensor(%r, %r)
  return (%n, %e)
}
# pipeline: fuse_conv_bn,remove_dropout{training=false}
graph(%x : f32[2, 4, 3, 3], %w : f32[4, 4, 1, 1], %g : f32[4]) {
  %v : f32[4] = aten.abs.default(%g)
  %c : f32[2, 4, 3, 3] = aten.conv2d.default(%x, %w)
  %b : f32[2, 4, 3, 3] = aten.batch_norm.default(%c, %g, %g, %g, %v, False, 0.1, 1e-05, True)
  %d : f32[2, 4, 3, 3] = aten.dropout.default(%b, 0.5, False)
  %e : f32[2, 36] = aten.flatten.using_ints(%d, 1)
  return %e
}
# Calls of one graph with a write that, according to the operand's type, may change the operand's sizes.
# Results without types are lists, and remain lists.
# pipeline: lower_to_aten
# pipeline: propagate_types,lower_to_aten
graph(%x : f32[3], %y : f32[2, 3]) {
  graph @sums(%a : f32[3]) {
    %b : tensor[3] = aten.cumsum_.default(%a, 0)
    return [%b]
  }
  graph @both(%a : f32[2, 3], %b : f32[3]) {
    %c : tensor[2, 3] = aten.mul_.Tensor(%a, 2)
    %d = aten.add.Tensor(%c, %b)
    return [%c, %d]
  }
  %c = higher_order.wrap(@sums, %x)
  %d : (f32[3],) = higher_order.wrap(@sums, %x)
  %e = higher_order.wrap(@both, %y, %x)
  %f = higher_order.wrap(@both, %y, %x)
  %g = operator.getitem(%c, 0)
  %h = operator.getitem(%d, 0)
  %i = operator.getitem(%e, 1)
  %j = operator.getitem(%f, -2)
  return (%g, %h, %i, %j)
}
