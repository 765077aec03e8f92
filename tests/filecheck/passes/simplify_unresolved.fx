# RUN: fxcpp opt %s --passes 'simplify{signed_zeros=false}' | FileCheck %s
# libtorch sets the conjugate bit of some tensors, and view.dtype rejects such tensors. The result of
# a product with one does not have the conjugate bit.
graph(%x : c64[1], %y : f32[2]) {
  %conj : c64[1] = aten._conj.default(%x)
  # CHECK: %mul : c64[1] = aten.mul.Tensor(%conj, 1)
  %mul : c64[1] = aten.mul.Tensor(%conj, 1)
  %bits : i64[1] = aten.view.dtype(%mul, torch.int64)
  %all = aten.sum.default(%bits)
  # CHECK: %imag : f32[1]
  # CHECK: %one : f32[1] = aten.div.Tensor(%imag, 1)
  %imag : f32[1][2]{offset=1} = aten.imag.default(%conj)
  %one : f32[1] = aten.div.Tensor(%imag, 1)
  %word : i32[1] = aten.view.dtype(%one, torch.int32)
  %words = aten.sum.default(%word)
  # CHECK: %exp : c64[1] = aten.exp.default(%x)
  # CHECK-NOT: aten.sub
  %exp : c64[1] = aten.exp.default(%x)
  %same : c64[1] = aten.sub.Tensor(%exp, 0)
  %sum = aten.sum.default(%same)
  # CHECK-NOT: aten.mul
  %float : f32[2] = aten.mul.Tensor(%y, 1)
  %total = aten.sum.default(%float)
  return (%all, %words, %sum, %total)
}
