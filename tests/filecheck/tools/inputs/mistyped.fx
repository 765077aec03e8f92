graph(%x : f32[2, 3]) {
  %r = aten.reluu.default(%x)
  return %r
}
