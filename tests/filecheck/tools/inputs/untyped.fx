graph(%x) {
  %relu = aten.relu.default(%x)
  return %relu
}
