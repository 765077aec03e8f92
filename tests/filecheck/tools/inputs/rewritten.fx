graph @net(%x : f32[2, 3], %w : f32[3, 4], %b : f32[4], %c : f32[2, 4]) {
  %n : f32[2, 3] = aten.neg.default(%x)
  %m : f32[2, 3] = aten.neg.default(%n)
  %mm : f32[2, 4] = aten.mm.default(%m, %w)
  %add : f32[2, 4] = aten.add.Tensor(%b, %mm) !{module="fc"}
  %mm_1 : f32[2, 4] = aten.mm.default(%x, %w)
  %add_1 : f32[2, 4] = aten.add.Tensor(%mm_1, %c)
  return (%add, %add_1)
}
