# RUN: fxcpp opt %s --passes decompose | FileCheck %s
# libtorch has no kernel of logical_not for complex32 (1000982125).
# CHECK: %[[ZERO:[a-z_0-9]+]] : {{.*}} = aten.eq.Scalar(%x, 0)
# CHECK: aten.any.dim(%[[ZERO]], 0, False)
# CHECK: %[[NOT:[a-z_0-9]+]] : {{.*}} = aten.logical_not.default(%y)
# CHECK: aten.any.default(%[[NOT]])
graph(%x : c32[3], %y : c64[3]) {
  %a : b8[] = aten.all.dim(%x, 0, False)
  %b : b8[] = aten.all.default(%y)
  return (%a, %b)
}
