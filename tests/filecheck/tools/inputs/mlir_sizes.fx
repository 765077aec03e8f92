graph @sizes(%x : f32[s0, 4]) {
  !symbols = {"s0": {"min": 3, "max": 20}}
  %n : SymInt(s0) = aten.sym_size.int(%x, 0)
  %half : SymInt((s0//2)) = operator.floordiv(%n, 2)
  %zeros : f32[(s0//2), 8] = aten.zeros.default([%half, 8])
  %rest : SymInt(Mod(s0, 3)) = operator.mod(%n, 3)
  %ones : f32[Mod(s0, 3)] = aten.ones.default([%rest])
  %flat : f32[4*s0] = aten.view.default(%x, [sym(4*s0)])
  return [%zeros, %ones, %flat]
}
