# For real tensors, a complex factor is converted to a real number: a complex product with an
# infinity would be NaN.
# RUN: fxcpp opt %s --passes decompose --check-changed | FileCheck %s
graph(%x : f64[2], %z : c128[2]) {
  # CHECK: aten.mul.Tensor(%x, -inf)
  # CHECK: aten.mul.Tensor(%z, complex(-inf, 0.0))
  %a : f64[2] = aten.addcmul.default(%x, %x, %x, value=complex(-inf, 0.0))
  %b : c128[2] = aten.addcmul.default(%z, %z, %z, value=complex(-inf, 0.0))
  return (%a, %b)
}
