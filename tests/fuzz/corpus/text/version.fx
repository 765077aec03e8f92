fx 1
graph @identity(%x) {
  return %x
}
