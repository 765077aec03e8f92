# Calls of which the zeros of complex results would have other signs are kept (1110022455): with
# z = -1-0j, pow(silu(z), 0.5) is 0.52j in eager mode, and -0.52j as pow(z * sigmoid(z), 0.5).
# RUN: fxcpp opt %s --passes 'decompose{set=all}' | FileCheck %s
# CHECK: %a : c64[3] = aten.silu.default(%z)
# CHECK-NEXT: %b : c64[3] = aten.silu_backward.default(%z, %z)
# CHECK-NEXT: %c : c64[3] = aten.sgn.default(%z)
# CHECK-NEXT: %d : c64[3] = aten.nan_to_num.default(%z)
# CHECK-NEXT: %e : c64[3] = aten.addcmul.default(%z, %z, %z, value=2)
# CHECK-NEXT: %f : c64[3] = aten.addcdiv.default(%x, %z, %z)
# CHECK-NEXT: %g : c64[3] = aten.lerp.Scalar(%z, %z, 0.7)
# CHECK-NEXT: %h : c64[3] = aten.lerp.Tensor(%z, %z, %z)
# CHECK-NEXT: %i : c64[3, 3] = aten.addr.default(%m, %z, %z)
# CHECK-NEXT: return
graph(%z : c64[3], %x : f32[3], %m : c64[3, 3]) {
  %a : c64[3] = aten.silu.default(%z)
  %b : c64[3] = aten.silu_backward.default(%z, %z)
  %c : c64[3] = aten.sgn.default(%z)
  %d : c64[3] = aten.nan_to_num.default(%z)
  %e : c64[3] = aten.addcmul.default(%z, %z, %z, value=2)
  %f : c64[3] = aten.addcdiv.default(%x, %z, %z)
  %g : c64[3] = aten.lerp.Scalar(%z, %z, 0.7)
  %h : c64[3] = aten.lerp.Tensor(%z, %z, %z)
  %i : c64[3, 3] = aten.addr.default(%m, %z, %z)
  return (%a, %b, %c, %d, %e, %f, %g, %h, %i)
}
