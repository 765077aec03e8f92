# RUN: fxcpp opt %s --passes 'decompose{ops="aten.addcmul.default"}' | FileCheck %s
# An input of a nested graph may be a lazily negated view, of which add receives a dense copy. So the strides of
# the result of add are unknown, and addcmul is kept (1059070810). This does not matter for a row-major input.
graph(%x : f64[4], %y : i64[1, 1]) {
  graph @part(%a : f64[1, 2][2, 2]{offset=1}, %d : f64[1, 2], %b : i64[1, 1]) {
    # CHECK: %c : f64[1, 2][1, 1] = aten.addcmul.default(%a, %b, %b, value=-1)
    %c : f64[1, 2][1, 1] = aten.addcmul.default(%a, %b, %b, value=-1)
    # CHECK: %e : f64[1, 2] = aten.add.Tensor(%d, %{{.*}})
    %e : f64[1, 2] = aten.addcmul.default(%d, %b, %b, value=-1)
    return [%c, %e]
  }
  %n : f64[4] = aten._neg_view.default(%x)
  %s : f64[1, 2][2, 2]{offset=1} = aten.as_strided.default(%n, [1, 2], [2, 2], 1)
  %r : f64[1, 2] = aten.as_strided.default(%n, [1, 2], [2, 1], 0)
  %w : (f64[1, 2][1, 1], f64[1, 2]) = higher_order.wrap(@part, %s, %r, %y)
  return %w
}
