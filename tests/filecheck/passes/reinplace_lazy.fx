# RUN: fxcpp opt %s --passes reinplace --check-changed | FileCheck %s
# A write to a conjugated or negated view returns that view, which view.dtype and lists of operators
# in place reject (1001025197). Other complex tensors are written.
graph(%x : c64[2, 3], %y : c64[2, 3]) {
  %a : c64[2, 3] = aten.sin.default(%x)
  %b : c64[2, 3] = aten._conj.default(%a)
  %c : c64[2, 3] = aten.exp_.default(%b)
  # CHECK: %d : c64[2, 3] = aten.neg.default(%c)
  %d : c64[2, 3] = aten.neg.default(%c)
  %e : i64[2, 3] = aten.view.dtype(%d, torch.int64)
  %f : c64[2, 3] = aten.cos.default(%y)
  %g : c64[2, 3] = aten._neg_view.default(%f)
  # CHECK: %h : c64[2, 3] = aten.exp.default(%g)
  %h : c64[2, 3] = aten.exp.default(%g)
  %i : i64[2, 3] = aten.view.dtype(%h, torch.int64)
  %j : c64[2, 3] = aten.tan.default(%y)
  # CHECK: aten.neg_.default(%j)
  %k : c64[2, 3] = aten.neg.default(%j)
  %l : i64[2, 3] = aten.view.dtype(%k, torch.int64)
  return (%e, %i, %l)
}
