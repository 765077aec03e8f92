# RUN: fxcpp opt %s --passes propagate_types --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes propagate_types,propagate_types --check-changed | FileCheck %s
# The slices of a sequence that lost its type do not keep a recorded type, and those of a sequence
# with unknown strides have unknown strides.
graph(%n : i64[], %y : f32[1, 2, 3], %u : f32[4, 3][?], %w : f32[*], %z) {
  graph @change(%a) {
    %s = aten.squeeze_.default(%a)
    return [%s]
  }
  # CHECK: graph @step(%i : i64[], %x, %u : f32[3][?], %w : f32[*], %z : f32[5]) {
  # CHECK: %a = aten.neg.default(%x)
  # CHECK-NEXT: %b = aten.neg.default(%u)
  graph @step(%i, %x : f32[2, 3]{offset=6}, %u : f32[3]{offset=3}, %w : f32[3], %z : f32[5]) {
    %next = aten.add.Tensor(%i, 1)
    %a : f32[2, 3] = aten.neg.default(%x)
    %b : f32[3] = aten.neg.default(%u)
    return (%next, %a, %b)
  }
  # CHECK: graph @each(%x, %u : f32[3][?]) {
  # CHECK-NEXT: %a = aten.neg.default(%x)
  graph @each(%x : f32[2, 3], %u : f32[3]{offset=3}) {
    %a : f32[2, 3] = aten.neg.default(%x)
    return (%a,)
  }
  %alias : f32[1, 2, 3] = aten.alias.default(%y)
  %wrap = higher_order.wrap(@change, %alias)
  %silu : f32[1, 2, 3] = aten.silu.default(%alias)
  # CHECK: %scan = higher_order.scan
  # CHECK-NEXT: %map = higher_order.map_impl
  %scan = higher_order.scan(@step, [%n], [%silu, %u, %w, %z], [])
  %map = higher_order.map_impl(@each, [%silu, %u], [])
  return (%wrap, %scan, %map)
}
