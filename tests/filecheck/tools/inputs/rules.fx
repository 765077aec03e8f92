# Rules for rewrite.test.
graph @double_neg() {
  graph @pattern(%x) {
    %a = aten.neg.default(%x)
    %b = aten.neg.default(%a)
    return %b
  }
  graph @replacement(%x) {
    return %x
  }
}
graph @addmm() {
  !commutative = True
  graph @pattern(%x : f32[m, k], %w : f32[k, n], %b : f32[n]) {
    %mm = aten.mm.default(%x, %w)
    %add = aten.add.Tensor(%mm, %b)
    return %add
  }
  graph @replacement(%b, %x, %w) {
    %addmm = aten.addmm.default(%b, %x, %w)
    return %addmm
  }
}
