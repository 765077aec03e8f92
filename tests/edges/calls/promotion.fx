# The dtype of a tensor of rank 0 counts less, but not for all calls.
graph(%x : f32[3], %h : f16[3, 1], %s : f64[], %z : c64[], %e : f16[], %i : i64[], %j : i64[3], %b : b8[3], %c : c64[3],
      %q : f16[3]) {
  %r0 = aten.kron.default(%x, %s)
  %r1 = aten.kron.default(%e, %x)
  %r2 = aten.kron.default(%s, %i)
  %r3 = aten.kron.default(%h, %z)
  %r4 = aten.lerp.Tensor(%x, %x, %z)
  %r5 = aten.lerp.Tensor(%x, %x, %s)
  %r6 = aten.lerp.Tensor(%x, %x, %i)
  %r7 = aten.inner.default(%x, %i)
  %r8 = aten.inner.default(%j, %s)
  %r9 = aten.inner.default(%x, %j)
  %r10 = aten.inner.default(%z, %s)
  %r11 = aten.div_.Scalar_mode(%j, 2, rounding_mode="floor")
  %r12 = aten.div_.Scalar_mode(%j, 2, rounding_mode="trunc")
  %r13 = aten.div_.Scalar_mode(%j, 2, rounding_mode=None)
  %r14 = aten.div_.Scalar_mode(%j, 2.5, rounding_mode="floor")
  %r15 = aten.divide_.Tensor_mode(%j, %i, rounding_mode="floor")
  %r16 = aten.pow_.Scalar(%b, True)
  %r17 = aten.pow_.Scalar(%b, 2)
  %r18 = aten.true_divide.Tensor(%q, %c)
  %r19 = aten.float_power.Tensor_Tensor(%c, %q)
  %r20 = aten.float_power.Tensor_Scalar(%q, complex(0.0, 1.0))
  %r21 = aten.index_put.default(%x, [%j], %c)
  %r22 = aten.index_put.default(%x, [%j], %s)
  %r23 = aten.index_put.default(%q, [%j], %q)
  return %x
}
