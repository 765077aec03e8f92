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
