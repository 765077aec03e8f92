# RUN: fxcpp shape %s | FileCheck %s
# RUN: sed 's/, 2.0\]/, 0.02040816326530612]/' %s > %t.fx
# RUN: fxcpp opt %t.fx --passes propagate_types | FileCheck %s --check-prefix=ROUNDED
# RUN: fxcpp opt %t.fx --passes decompose | FileCheck %s --check-prefix=KEPT
# RUN: sed 's/ : f32.*)/)/' %s | fxcpp opt - --passes decompose | FileCheck %s --check-prefix=UNTYPED

# A symbolic size times a factor that is a quotient of integers.
# CHECK: a : f32[1, 2, ((3*n)//2), 2*m]
# CHECK: b : f32[1, 2, (n//3), ((5*m)//8)]

# 49 * (1/49) is less than 1, so the size of the result is not m//49. A call without a type is kept.
# ROUNDED: %a = aten.upsample_nearest2d.vec(%x, None, [1.5, 0.02040816326530612])
# ROUNDED-NEXT: %b : f32[1, 2, (n//3), ((5*m)//8)] =
# KEPT: aten.upsample_nearest2d.vec(%x, None, [1.5, 0.02040816326530612])
# UNTYPED: aten.upsample_nearest2d.vec(%x, None, [1.5, 2.0])
graph(%x : f32[1, 2, n, m]) {
  %a = aten.upsample_nearest2d.vec(%x, None, [1.5, 2.0])
  %b = aten.upsample_bilinear2d.vec(%x, None, False, [0.3333333333333333, 0.625])
  return (%a, %b)
}
