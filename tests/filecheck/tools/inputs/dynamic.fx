graph @dynamic(%x : f32[s0, 4], %w : f32[4, 12]) {
  %mm : f32[s0, 12] = aten.mm.default(%x, %w)
  return %mm
}
