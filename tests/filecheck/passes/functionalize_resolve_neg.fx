# RUN: fxcpp opt %s --passes functionalize | FileCheck %s
# resolve_neg copies a negated view, so its result may not have the offset of the view.

# CHECK-LABEL: graph(
graph(%x : f64[4]) {
  %tail : f64[3]{offset=1} = aten.slice.Tensor(%x, 0, 1)
  # CHECK: %negated : f64[3]{offset=1} = aten._neg_view.default(%tail)
  # CHECK-NEXT: %resolved : f64[3][?] = aten.resolve_neg.default(%negated)
  %negated : tensor[3]{offset=1} = aten._neg_view.default(%tail)
  %resolved : f64[3][?] = aten.resolve_neg.default(%negated)
  %m = aten.mul.Tensor(%x, 1)
  %a = aten.add_.Tensor(%m, 1)
  return %m
}
