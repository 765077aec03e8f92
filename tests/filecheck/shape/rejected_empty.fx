# RUN: not fxcpp shape %s | FileCheck %s
# faults/67-empty-reductions: the maximum of an empty tensor is undefined.

# CHECK: error at %a {{.*}}expected reduction dim 1 to have non-zero size
# CHECK: error at %b {{.*}}expected reduction dim 1 to have non-zero size
# CHECK: error at %c {{.*}}expected reduction dim 1 to have non-zero size
# CHECK: error at %d {{.*}}expected reduction dim to be specified for an empty tensor
# CHECK: error at %e {{.*}}reduction of an empty tensor requires the argument dim
# CHECK: error at %f {{.*}}expected reduction dim 1 to have non-zero size
# CHECK: error at %g {{.*}}expected reduction dim 1 to have non-zero size
# CHECK-NOT: error at %ok
graph(%x : f32[2, 0, 3]) {
  %a = aten.amax.default(%x, [1])
  %b = aten.argmax.default(%x, 1)
  %c = aten.max.dim(%x, 1)
  %d = aten.min.default(%x)
  %e = aten.argmin.default(%x)
  %f = aten.aminmax.default(%x, dim=1)
  %g = aten.kthvalue.default(%x, 1, 1)
  %ok = aten.amax.default(%x, [0])
  return %ok
}
