# RUN: not fxcpp shape %s | FileCheck %s
# faults/67-empty-reductions: nothing has no maximum.

# CHECK: error at %a {{.*}}dimension 1 is reduced and has no elements
# CHECK: error at %b {{.*}}dimension 1 is reduced and has no elements
# CHECK: error at %c {{.*}}dimension 1 is reduced and has no elements
# CHECK: error at %d {{.*}}a tensor without elements has no maximum
# CHECK: error at %e {{.*}}a tensor without elements needs a dimension to reduce
# CHECK: error at %f {{.*}}dimension 1 is reduced and has no elements
# CHECK: error at %g {{.*}}dimension 1 is reduced and has no elements
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
