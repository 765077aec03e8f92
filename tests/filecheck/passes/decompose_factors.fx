# RUN: fxcpp opt %s --passes 'propagate_types,decompose{set=all}' | FileCheck %s
# If a factor is 0 (in any form), the elements that it multiplies are ignored, even NaN.
# CHECK-LABEL: graph @factors(
# Nothing is added to beta * self: -0.0 + 0.0 would be 0.0.
# CHECK: %[[ROWS:.*]] : f32[2, 4][0, 1] = aten.expand.default(%b, [2, 4])
# CHECK-NEXT: %y : f32[2, 4] = aten.mul.Tensor(%[[ROWS]], 1)
# CHECK-NEXT: %[[MM:.*]] : f32[2, 4] = aten.mm.default(%m, %w)
# CHECK-NEXT: %z : f32[2, 4] = aten.expand.default(%[[MM]], [2, 4])
# CHECK-NEXT: %u : f32[2, 4] = aten.full.default([2, 4], 0
# CHECK-NEXT: %[[BMM:.*]] : f32[1, 2, 4] = aten.bmm.default(
# CHECK-NEXT: %q : f32[1, 2, 4] = aten.expand.default(%[[BMM]], [1, 2, 4])
# Kernels multiply in the dtype of the result: -1 times a u8 is not 255.
# CHECK-NEXT: %[[WIDE:.*]] : f32[4] = aten._to_copy.default(%bytes, dtype=torch.float32)
# CHECK-NEXT: %[[NEG:.*]] : f32[4] = aten.mul.Tensor(%[[WIDE]], -1)
# CHECK: %s : f32[4] = aten.sub.Tensor(%b, %bytes, alpha=-1)
# Integer kernels convert the factor: 1.5 becomes 1, and 0.5 becomes 0.
# CHECK: %[[ONE:.*]] : i64[4] = aten.mul.Tensor(%i, %i)
# CHECK-NEXT: %v : i64[4] = aten.add.Tensor(%i, %[[ONE]])
# CHECK-NEXT: %[[NONE:.*]] : i64[4] = aten.mul.Tensor(%i, 0)
# CHECK-NEXT: %[[PRODUCT:.*]] : i64[4] = aten.mul.Tensor(%[[NONE]], %i)
# CHECK-NEXT: %t : i64[4] = aten.add.Tensor(%i, %[[PRODUCT]])
# Other kernels read the elements, some of them only in small matrices.
# CHECK: %n : f32[1, 2, 4] = aten.baddbmm.default(%b, %c, %d, alpha=0)
# CHECK-NEXT: %o : bf16[2, 2] = aten.addmm.default(%h, %h, %h, alpha=0)
# CHECK-NEXT: %p : c64[2] = aten.addmv.default(%k, %l, %k, alpha=0)
graph @factors(%b : f32[4], %m : f32[2, 3], %w : f32[3, 4], %c : f32[1, 2, 3], %d : f32[1, 3, 4], %bytes : u8[4], %i : i64[4], %h : bf16[2, 2], %k : c64[2], %l : c64[2, 2]) {
  %y = aten.addmm.default(%b, %m, %w, beta=1, alpha=0)
  %z = aten.addmm.default(%b, %m, %w, beta=False, alpha=1)
  %u = aten.addmm.default(%b, %m, %w, beta=-0.0, alpha=0)
  %q = aten.baddbmm.default(%b, %c, %d, beta=False)
  %r = aten.addcmul.default(%b, %bytes, %b, value=-1)
  %s = aten.rsub.Tensor(%bytes, %b, alpha=-1)
  %v = aten.addcmul.default(%i, %i, %i, value=1.5)
  %t = aten.addcmul.default(%i, %i, %i, value=0.5)
  %n = aten.baddbmm.default(%b, %c, %d, alpha=0)
  %o = aten.addmm.default(%h, %h, %h, alpha=0)
  %p = aten.addmv.default(%k, %l, %k, alpha=0)
  return (%y, %z, %u, %q, %r, %s, %v, %t, %n, %o, %p)
}
