graph(%x : f32[4], %y : f32[4]) {
  %a : f32[4] = aten.relu.default(%x)
  %w : f32[4] = aten.add_.Tensor(%x, 1)
  %b : f32[4] = aten.add.Tensor(%a, %y)
  %c : f32[4] = aten.sigmoid.default(%b)
  return (%c, %b)
}
