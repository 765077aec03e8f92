# RUN: fxcpp shape %s | FileCheck %s
# Calls that eager mode rejects, or that have a different type, if a size is 0: the types hold under
# the guard that it is not.

# CHECK: q : [f64[n, 4], f64[n, 4]{offset=4*n}]
# CHECK: unshuffled : f32[2, 16, (h//2), 3]
# CHECK: chunks : [f64[z, 4], f64[z, 4]{offset=4*z}]
# CHECK: guard n >= 1
# CHECK-NEXT: guard a >= 1
# CHECK-NEXT: guard b >= 1
# CHECK-NEXT: guard c >= 1
# CHECK-NEXT: guard d >= 1
# CHECK-NEXT: guard e >= 1
# CHECK-NEXT: guard f >= 1
# CHECK-NEXT: guard Eq(Mod(h, 2), 0)
# CHECK-NEXT: guard Ne(h, 0)
# CHECK-NEXT: guard i >= 3
# CHECK-NEXT: guard z <= Max(0, 2*z - 1)
# CHECK-NOT: guard
graph(%x : f64[2*n, 4], %a : f32[2, a], %b : f32[2, 3, b, 5], %c : f32[2, 3, c, 5], %d : f32[2, 3, d], %e : f32[2, e], %f : f32[2, 3, f], %h : f32[2, 4, h, 6], %i : f32[2, i], %z : f64[2*z, 4], %y : f32[2, 3, y, 5]) {
  %s = aten.sym_size.int(%x, 0)
  %half = operator.floordiv(%s, 2)
  %q = aten.split.Tensor(%x, %half)
  %averages = aten.avg_pool1d.default(%a, [1])
  %maxima = aten.max_pool2d.default(%b, [1, 1])
  %adaptive = aten.adaptive_avg_pool2d.default(%c, [2, 2])
  %resampled = aten.upsample_linear1d.default(%d, [4], False)
  %replicated = aten.replication_pad1d.default(%e, [1, 2])
  %maximum = aten.adaptive_max_pool1d.default(%f, [2])
  %unshuffled = aten.pixel_unshuffle.default(%h, 2)
  %cut = aten.constant_pad_nd.default(%i, [-3, 3])
  %chunks = aten.chunk.default(%z, 2)
  %mean = aten.adaptive_avg_pool2d.default(%y, [1, 1])
  return %q
}
