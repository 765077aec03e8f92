# RUN: fxcpp opt %s --passes propagate_types,decompose | FileCheck %s
# With eps > 0.5, logit's lower bound is above the upper one: it tests the lower one first, unlike
# clamp.
# CHECK:      %lt : b8[3] = aten.lt.Scalar(%x, 0.75)
# CHECK-NEXT: %scalar_tensor : f32[] = aten.scalar_tensor.default(0.75, dtype=torch.float32, device=device(cpu))
# CHECK-NEXT: %clamp_max : f32[3] = aten.clamp.default(%x, None, 0.25)
# CHECK-NEXT: %where : f32[3] = aten.where.self(%lt, %scalar_tensor, %clamp_max)
# CHECK-NEXT: %sub : f32[3] = aten.sub.Tensor(1, %where)
# CHECK-NEXT: %div : f32[3] = aten.div.Tensor(%where, %sub)
# CHECK-NEXT: %a : f32[3] = aten.log.default(%div)
# CHECK-NEXT: %clamp_1 : f32[3] = aten.clamp.default(%x, 0.25, 0.75)
graph(%x : f32[3]) {
  %a = aten.logit.default(%x, 0.75)
  %b = aten.logit.default(%x, 0.25)
  return (%a, %b)
}
