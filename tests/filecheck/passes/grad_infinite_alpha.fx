# RUN: fxcpp grad %s --mode forward | FileCheck %s
# libtorch multiplies each term of the product rule by alpha: the sum of an infinity and its negative is
# NaN, but the sum of their factors is a number.
# CHECK: %[[A:.*]] : f32[2, 2] = aten.mm.default(%tangents_{{.}}, %b)
# CHECK-NEXT: %[[DA:.*]] : f32[2, 2] = aten.mul.Tensor(%[[A]], inf)
# CHECK: %[[B:.*]] : f32[2, 2] = aten.mm.default(%a, %tangents_{{.}})
# CHECK-NEXT: %[[DB:.*]] : f32[2, 2] = aten.mul.Tensor(%[[B]], inf)
# CHECK: aten.add.Tensor(%{{.*}}, %[[DB]])
# CHECK: aten.sum.dim_IntList(%{{.*}}, [0])
# CHECK-NEXT: aten.mul.Tensor(%{{.*}}, inf)
# CHECK: aten.sum.dim_IntList(%{{.*}}, [0])
# CHECK-NEXT: aten.mul.Tensor(%{{.*}}, inf)
graph(%x : f32[2, 2], %a : f32[2, 2], %b : f32[2, 2], %c : f32[3, 2, 2]) {
  %y : f32[2, 2] = aten.addmm.default(%x, %a, %b, alpha=inf)
  %z : f32[2, 2] = aten.addbmm.default(%x, %c, %c, alpha=inf)
  return (%y, %z)
}
