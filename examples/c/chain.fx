graph(%x : f32[2, 3]) {
  %relu : f32[2, 3] = aten.relu.default(%x)
  %unused : f32[2, 3] = aten.neg.default(%x)
  %sum = aten.sum.dim_IntList(%relu, [1])
  return %sum
}
