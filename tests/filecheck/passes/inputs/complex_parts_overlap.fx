graph(%w : c64[3]) {
  %v : c64[3] = aten.clone.default(%w)
  %im : f32[3][2]{offset=1} = aten.imag.default(%v)
  %first = aten.slice.Tensor(%im, 0, 0, 2)
  %last = aten.slice.Tensor(%im, 0, 1, 3)
  %r = aten.add_.Tensor(%first, %last)
  return %v
}
