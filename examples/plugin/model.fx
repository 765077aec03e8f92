graph(%x : f32[2, 3], %y : f32[2, 3]) {
  %relu : f32[2, 3] = aten.relu.default(%x)
  %mul : f32[2, 3] = aten.mul.Tensor(%relu, 2.0)
  %add : f32[2, 3] = aten.add.Tensor(%mul, 0.5)
  %same = toy.affine.default(%y)
  %sum = aten.add.Tensor(%add, %same)
  return %sum
}
