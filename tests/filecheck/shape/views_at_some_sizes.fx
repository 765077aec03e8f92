# RUN: fxcpp opt %s --passes propagate_types | FileCheck %s
# RUN: fxcpp shape %s | FileCheck --check-prefix=GUARDS %s
# A copy that is a view where sizes happen to be equal. If the view has other strides than the copy,
# a guard excludes these sizes: %unfold is a view at n = 7. If only the memory differs (a size of 1),
# there is no guard.

# GUARDS: guard Ne(((n + 1)//2), 4)
# GUARDS-NEXT: guard Ne(n, 3)
# GUARDS-NEXT: guard Ne(m, 1)
# GUARDS-NOT: guard
graph(%i : i64[2*n], %x : f32[n, h, t, 8][8*t*h, 8, 8*h, 1], %w : f32[n, 63][1, n], %y : f32[2, m][1, 2]{offset=1}) {
  !symbols = {"n": {"min": 3}, "m": {"min": 1}, "h": {"min": 1}, "t": {"min": 1}}
  !guards = ["Eq(Mod(3*n + 3, 6), 0)"]
  %unfold = aten.unfold.default(%i, 0, 3, 2)
  # CHECK: %copied : i64[6, (((n + 1)//2)) - 1] =
  %copied = aten.reshape.default(%unfold, [6, -1])
  # CHECK: %square : f32[3, 21*n] =
  %square = aten.reshape.default(%w, [3, -1])
  # CHECK: %heads : f32[n, h, 8*t] =
  %heads = aten.reshape.default(%x, [sym(n), sym(h), sym(8*t)])
  # CHECK: %flat : f32[63*n] =
  %flat = aten.ravel.default(%w)
  # CHECK: %contiguous : f32[n, 63] =
  %contiguous = aten.contiguous.default(%w)
  # A view would have the offset of %y.
  # CHECK: %shifted : f32[2*m] =
  %shifted = aten.reshape.default(%y, [-1])
  return (%copied, %square, %heads, %flat, %contiguous, %shifted)
}
