# parity: E8
# RUN: fxcpp opt %s --passes merge_matmul --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes merge_matmul,merge_matmul --check-changed | FileCheck %s

graph(%x : f32[2, 4], %y : f32[3, 4], %w : f32[4, 4], %v : f32[4, 4], %b : f32[5, 3, 4], %d : f32[s0, 4]) {
  # The two products are independent, although the second operand is computed between them. The user
  # of the first product moves after the merged product.
  # CHECK: %neg : f32[3, 4] = aten.neg.default(%y)
  # CHECK-NEXT: %[[CAT:.*]] : f32[5, 4] = aten.cat.default([%x, %neg])
  # CHECK-NEXT: %[[MM:.*]] : f32[5, 4] = aten.mm.default(%[[CAT]], %w)
  # CHECK-NEXT: %[[SPLIT:.*]] : {{.*}} = aten.split_with_sizes.default(%[[MM]], [2, 3])
  # CHECK-NEXT: %[[A:.*]] : f32[2, 4] = operator.getitem(%[[SPLIT]], 0)
  # CHECK: %relu : f32[2, 4] = aten.relu.default(%[[A]])
  # The second product is returned, so it must be in separate memory.
  # CHECK: %[[B:.*]] : f32[3, 4]{offset=8} = operator.getitem(%[[SPLIT]], 1)
  # CHECK: %[[C:.*]] : f32[3, 4] = aten.clone.default(%[[B]])
  %a : f32[2, 4] = aten.mm.default(%x, %w)
  %relu : f32[2, 4] = aten.relu.default(%a)
  %neg : f32[3, 4] = aten.neg.default(%y)
  %c : f32[3, 4] = aten.mm.default(%neg, %w)
  # Must not change: a product that depends on another one; a different right operand; more
  # dimensions; unknown sizes.
  # CHECK: %again : f32[2, 4] = aten.mm.default(%relu, %w)
  # CHECK: %other : f32[3, 4] = aten.mm.default(%neg, %v)
  # CHECK: %batch : f32[5, 3, 4] = aten.matmul.default(%b, %w)
  # CHECK: %dynamic : f32[s0, 4] = aten.mm.default(%d, %w)
  %again : f32[2, 4] = aten.mm.default(%relu, %w)
  %other : f32[3, 4] = aten.mm.default(%neg, %v)
  %batch : f32[5, 3, 4] = aten.matmul.default(%b, %w)
  %dynamic : f32[s0, 4] = aten.mm.default(%d, %w)
  # CHECK: return (%again, %[[C]], %other,
  return (%again, %c, %other, %batch, %dynamic)
}
