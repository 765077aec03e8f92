# RUN: fxcpp opt %s --passes propagate_types | FileCheck %s
# resolve_conj and resolve_neg return a dense copy of a lazy view (1005001891), and a different tensor
# itself.
graph(%x : c64[6], %y : f32[6]) {
  %a = aten.slice.Tensor(%x, 0, 1, 6, 2)
  %b = aten._conj.default(%a)
  # CHECK: %c : c64[3][?] =
  %c = aten.resolve_conj.default(%b)
  %d = aten.slice.Tensor(%y, 0, 1, 6, 2)
  %e = aten._neg_view.default(%d)
  # CHECK: %f : f32[3][?] =
  %f = aten.resolve_neg.default(%e)
  %g = aten.neg.default(%x)
  %h = aten.slice.Tensor(%g, 0, 1, 6, 2)
  # CHECK: %i : c64[3][2]{offset=1} =
  %i = aten.resolve_conj.default(%h)
  # CHECK: %k : c64[6] =
  %j = aten._conj.default(%g)
  %k = aten.resolve_conj.default(%j)
  return (%c, %f, %i, %k)
}
