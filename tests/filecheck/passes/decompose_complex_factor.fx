# For real tensors, a complex factor is converted to a real number: a complex product with an
# infinity would be NaN.
# RUN: fxcpp opt %s --passes decompose --check-changed | FileCheck %s
graph(%x : f64[2]) {
  # CHECK: aten.mul.Tensor(%x, -inf)
  %a : f64[2] = aten.addcmul.default(%x, %x, %x, value=complex(-inf, 0.0))
  return (%a,)
}
