graph @relu_scaled(%x : f32[2, 3], %scale = 1.0) {
  %relu : f32[2, 3] = aten.relu.default(%x)
  %mul : f32[2, 3] = aten.mul.Tensor(%relu, %scale) !{seq=3, region="fw"}
  return %mul
}
