graph @twice() {
  graph @pattern(%x) {
    %a = aten.neg.default(%x)
    %b = aten.neg.default(%a)
    return %b
  }
  graph @replacement(%x) {
    return %x
  }
}
