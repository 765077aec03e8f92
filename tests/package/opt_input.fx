graph(%x, %y) {
  %add = aten.add.Tensor(%x, %y)
  %unused = aten.relu.default(%add)
  return %add
}
