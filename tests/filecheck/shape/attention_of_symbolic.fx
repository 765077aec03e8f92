# RUN: fxcpp opt %s --passes propagate_types | FileCheck %s
# RUN: fxcpp shape %s | FileCheck --check-prefix=GUARDS %s
# The output of the fused kernel has the layout of the query, the output of matrix products is
# row-major. Guards state that the kernel's conditions hold; a row-major query needs none.

# GUARDS: guard Eq(b, c)
# GUARDS-NEXT: guard Eq(g, h)
# GUARDS-NEXT: guard Eq(e, f)
# GUARDS-NOT: guard
graph(%q : f32[b, 4, 5, 8][160, 8, 32, 1], %k : f32[c, 4, 7, 8], %r : f32[2, h, 5, 8][40*h, 8, 8*h, 1], %l : f32[2, g, 7, 8], %s : f32[2, 4, 5, e][20*e, e, 4*e, 1], %m : f32[2, 4, 7, e], %n : f32[2, 4, 7, f], %o : f32[2, 4, 5, 8], %p : f32[2, 4, t, 8]) {
  !symbols = {"b": {"min": 2}, "c": {"min": 2}, "h": {"min": 2}, "g": {"min": 2}, "e": {"min": 2}, "f": {"min": 2}, "t": {"min": 0}}
  # CHECK: %batches : f32[b, 4, 5, 8][160, 8, 32, 1] =
  %batches = aten.scaled_dot_product_attention.default(%q, %k, %k)
  # CHECK: %heads : f32[2, h, 5, 8][40*h, 8, 8*h, 1] =
  %heads = aten.scaled_dot_product_attention.default(%r, %l, %l)
  # CHECK: %widths : f32[2, 4, 5, e][20*e, e, 4*e, 1] =
  %widths = aten.scaled_dot_product_attention.default(%s, %m, %n)
  # CHECK: %lengths : f32[2, 4, 5, 8] =
  %lengths = aten.scaled_dot_product_attention.default(%o, %p, %p)
  return (%batches, %heads, %widths, %lengths)
}
