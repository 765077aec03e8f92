graph @wrong(%x : f32[2, 3]) {
  %mul : f32[3, 2] = aten.mul.Tensor(%x, 2.5)
  return %mul
}
