# RUN: fxcpp opt %s --passes propagate_types --check-changed | FileCheck %s
# Each step of a scan receives a different slice of a sequence, at a different offset, and each step
# after the first receives results of the previous one. Symbols represent the offsets of the slices.
graph(%n : i64[], %row : f32[3]{offset=3}, %xs : f32[4, 3], %one : f32[1, 3]{offset=3}, %all : f32[4, 3][0, 1], %w : f32[3]) {
  # CHECK: graph @step(
  # CHECK-NEXT: %i : i64[],
  # CHECK-NEXT: %r : f32[3][?],
  # CHECK-NEXT: %x : f32[3]{offset=u0},
  # CHECK-NEXT: %o : f32[3]{offset=u1},
  # CHECK-NEXT: %w : f32[3],
  graph @step(%i, %r, %x, %o, %w) {
    %next = aten.add.Tensor(%i, 1)
    # CHECK: %y : f32[3] = aten.add.Tensor(%w, 1)
    %y = aten.add.Tensor(%w, 1)
    return (%next, %y, %y)
  }
  # A sequence of one slice, and a sequence whose slices have equal offsets.
  # CHECK: graph @once(%i : i64[], %x : f32[3]{offset=3})
  graph @once(%i, %x) {
    %next = aten.add.Tensor(%i, 1)
    return (%next,)
  }
  # CHECK: graph @same(%i : i64[], %x : f32[3])
  graph @same(%i, %x) {
    %next = aten.add.Tensor(%i, 1)
    return (%next,)
  }
  # CHECK: %scan : (i64[], f32[3], f32[4, 3]) = higher_order.scan
  %scan = higher_order.scan(@step, [%n, %row], [%xs, %xs], [%w])
  %last = higher_order.scan(@once, [%n], [%one], [])
  %equal = higher_order.scan(@same, [%n], [%all], [])
  return (%scan, %last, %equal)
}
