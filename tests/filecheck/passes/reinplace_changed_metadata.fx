# RUN: fxcpp opt %s --passes reinplace --check-changed | FileCheck %s
# Must not change: squeeze_ has changed the sizes of %a to [3], so lerp_ could not store its [1, 3]
# result there.
# CHECK-LABEL: graph @changed(
# CHECK:         aten.lerp.Scalar(%a, %r, 0.5)
graph @changed(%x : f32[1, 3]) {
  %n : f32[1, 3] = aten.neg.default(%x)
  %r : f32[1, 3] = aten.reciprocal.default(%x)
  %a : f32[1, 3] = aten.alias.default(%n)
  %s : f32[3] = aten.squeeze_.default(%a)
  %lerp : f32[1, 3] = aten.lerp.Scalar(%a, %r, 0.5)
  return %lerp
}
