graph @python(%x : f32[2, 3]) {
  %relu : f32[2, 3] = torch.relu(%x)
  %row : f32[3] = operator.getitem(%relu, 0)
  return %row
}
