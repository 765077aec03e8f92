graph(%x : f32[s0, 6]) {
  %n : SymInt(s0) = aten.sym_size.int(%x, 0)
  %m = operator.mul(%n, 2)
  %v = aten.view.default(%x, [%m, 3])
  return %v
}
