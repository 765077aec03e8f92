graph(%x : f32[2, 3, 8, 8], %w1 : f32[4, 3, 3, 3], %w2 : f32[5, 4, 3, 3]) {
  %c1 : f32[2, 4, 8, 8] = aten.convolution.default(%x, %w1, None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1)
  %relu : f32[2, 4, 8, 8] = aten.relu.default(%c1)
  %scaled : f32[2, 4, 8, 8] = aten.mul.Tensor(%relu, 0.5)
  %c2 : f32[2, 5, 4, 4] = aten.convolution.default(%scaled, %w2, None, [2, 2], [1, 1], [1, 1], False, [0, 0], 1)
  %gelu : f32[2, 5, 4, 4] = aten.gelu.default(%c2)
  %sig : f32[2, 5, 4, 4] = aten.sigmoid.default(%c2)
  %both : f32[2, 5, 4, 4] = aten.mul.Tensor(%gelu, %sig)
  %out : f32[2, 5, 4, 4] = aten.neg.default(%both)
  return %out
}
