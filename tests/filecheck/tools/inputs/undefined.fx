graph @undefined(%x) {
  %mul = aten.mul.Tensor(%x, %y)
  return %mul
}
