# RUN: fxcpp opt %s --passes reinplace --check-changed | FileCheck %s
# Must not change: libtorch's in-place variants compute different bits. mul_.Scalar rounds the number to 16 bits, and
# returns a NaN with its sign; complex quotients round differently if the result overwrites the dividend.
graph(%x : bf16[4], %z : c64[5], %f : f32[4]) {
  # CHECK: %b : bf16[4] = aten.mul.Scalar(%a, 0.1)
  # CHECK-NEXT: %c : bf16[4] = aten.multiply.Scalar(%b, 0.1)
  %a : bf16[4] = aten.neg.default(%x)
  %b : bf16[4] = aten.mul.Scalar(%a, 0.1)
  %c : bf16[4] = aten.multiply.Scalar(%b, 0.1)
  # CHECK: %q : c64[5] = aten.div.Tensor(%p, %z)
  # CHECK-NEXT: %r : c64[5] = aten.divide.Tensor(%q, %z)
  # CHECK-NEXT: %s : c64[5] = aten.true_divide.Tensor(%r, %z)
  %p : c64[5] = aten.neg.default(%z)
  %q : c64[5] = aten.div.Tensor(%p, %z)
  %r : c64[5] = aten.divide.Tensor(%q, %z)
  %s : c64[5] = aten.true_divide.Tensor(%r, %z)
  # Changed: a product with a number by mul.Tensor, a sum with a number, a quotient of real tensors.
  # CHECK: %d : bf16[4] = aten.mul_.Tensor(%c, 0.1)
  # CHECK-NEXT: %e : bf16[4] = aten.add_.Scalar(%d, 0.1)
  # CHECK: %h : f32[4] = aten.div_.Tensor(%g, %f)
  %d : bf16[4] = aten.mul.Tensor(%c, 0.1)
  %e : bf16[4] = aten.add.Scalar(%d, 0.1)
  %g : f32[4] = aten.neg.default(%f)
  %h : f32[4] = aten.div.Tensor(%g, %f)
  return (%e, %s, %h)
}
