graph @sub() {
  graph @pattern(%x, %y) {
    %a = aten.add.Tensor(%x, %y)
    %r = aten.relu.default(%a)
    return %r
  }
  graph @replacement(%x, %y) {
    %a = aten.sub.Tensor(%x, %y)
    %r = aten.relu.default(%a)
    return %r
  }
}
graph @negated_twice() {
  graph @pattern(%x) {
    %a = aten.neg.default(%x)
    %b = aten.neg.default(%a)
    return %b
  }
  graph @replacement(%x) {
    return %x
  }
}
graph @transposed_twice() {
  graph @pattern(%x) {
    %a = aten.t.default(%x)
    %b = aten.t.default(%a)
    return %b
  }
  graph @replacement(%x) {
    return %x
  }
}
graph @exponential() {
  graph @pattern(%x) {
    %a = aten.exp.default(%x)
    return %a
  }
  graph @replacement(%x) {
    %a = aten.exp2.default(%x)
    return %a
  }
}
graph @dropped() {
  graph @pattern(%x) {
    %a = aten.bernoulli.default(%x)
    %b = aten.sigmoid.default(%a)
    return %b
  }
  graph @replacement(%x) {
    %a = aten.bernoulli.default(%x)
    %b = aten.tanh.default(%a)
    return %b
  }
}
graph @in_place() {
  graph @pattern(%x) {
    %a = aten.abs_.default(%x)
    %b = aten.sqrt.default(%a)
    return %b
  }
  graph @replacement(%x) {
    %a = aten.abs_.default(%x)
    %b = aten.rsqrt.default(%a)
    return %b
  }
}
