graph(%x : f32[2, 3]) {
  %y : f32[2, 3] = other.thing(%x)
  %z = aten.relu.default(%y)
  return %z
}
