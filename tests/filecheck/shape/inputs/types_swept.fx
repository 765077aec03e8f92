graph(%x : f32[s0, 2]) {
  %y = torch.relu(%x)
  %w = call_method view(%y, -1)
  return %w
}
