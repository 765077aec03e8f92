graph(%x : f32[s0, 6]) {
  !symbols = {"s0": {"min": 2, "max": 32}}
  %y = aten.relu.default(%x)
  return %y
}
