graph @rejected(%x : f32[8], %y : f32[s0]) {
  %rfft : c64[5] = aten._fft_r2c.default(%x, [0], 0, True) !{stack_trace="File \"net.py\", line 4, in forward\n    torch.fft.rfft(x)"}
  %mul : c64[5] = aten.mul.Tensor(%rfft, %rfft)
  %windows : f32[s0 - 1, 2] = aten.unfold.default(%y, 0, 2, 1)
  %mine = user.f(%y)
  return [%mul, %windows, %mine]
}
