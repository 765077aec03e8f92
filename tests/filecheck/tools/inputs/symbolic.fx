graph(%x : f32[s0, 6], %w : f32[6, 4]) {
  %mm = aten.mm.default(%x, %w)
  %view = aten.view.default(%mm, [-1, 8])
  %sum = aten.sum.dim_IntList(%view, [1])
  return %sum
}
