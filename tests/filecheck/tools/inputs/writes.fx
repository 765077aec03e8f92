graph @writes(%x : f32[4, 3], %b : f32[3]) {
  %row : f32[3]{offset=3} = aten.select.int(%x, 0, 1)
  %add_ : f32[3]{offset=3} = aten.add_.Tensor(%row, %b)
  %sum : f32[] = aten.sum.default(%x)
  return %sum
}
