# RUN: fxcpp opt %s --passes 'decompose{set=composite},omit_default_arguments' | FileCheck %s
# RUN: fxcpp opt %s --passes decompose | FileCheck %s --check-prefix=CORE

# Composite operators are decomposed into the operators that libtorch's kernels call. The core set
# contains neither t nor the fused attention.
# CORE-NOT: aten.t.default
# CORE-NOT: flash_attention_for_cpu
# CORE-NOT: _unsafe_view
# CHECK-LABEL: graph(
graph(%q : f32[2, 4, 16, 8], %v : f32[4, 16, 8], %x : f32[2, 3, 8], %y : f32[2, 3, 8][24, 1, 3], %w : f32[5, 8], %p : f32[5, 8]{grad}, %b : f32[5], %u : f32[2, 4, 16, 8][?]) {
  # CHECK: %[[FLASH:.*]] : ({{.*}}) = aten._scaled_dot_product_flash_attention_for_cpu.default(%q, %q, %q)
  # CHECK-NEXT: %fused : f32[2, 4, 16, 8] = operator.getitem(%[[FLASH]], 0)
  %fused : f32[2, 4, 16, 8] = aten.scaled_dot_product_attention.default(%q, %q, %q)
  # The fused kernel does not accept three dimensions.
  # CHECK: aten.mul.Scalar(%v, 0.5946035575013605)
  # CHECK: aten._safe_softmax.default
  # CHECK: %products : f32[4, 16, 8] = aten._unsafe_view.default(
  %products : f32[4, 16, 8] = aten.scaled_dot_product_attention.default(%v, %v, %v)
  # CHECK-NEXT: %[[ROWS:.*]] : f32[6, 8] = aten.view.default(%x, [6, 8])
  # CHECK-NEXT: %[[T:.*]] : f32[8, 5]{{.*}} = aten.t.default(%w)
  # CHECK-NEXT: %[[SUM:.*]] : f32[6, 5] = aten.addmm.default(%b, %[[ROWS]], %[[T]])
  # CHECK-NEXT: %fc : f32[2, 3, 5] = aten.view.default(%[[SUM]], [2, 3, 5])
  %fc : f32[2, 3, 5] = aten.linear.default(%x, %w, %b)
  # If the rows are not contiguous, there is a product for each batch, unless the weight requires
  # grad.
  # CHECK: aten.expand.default(%y, [2, 3, 8])
  # CHECK: aten.bmm.default(
  # CHECK: %batches : f32[2, 3, 5] = aten.add.Tensor({{.*}}, %b)
  %batches : f32[2, 3, 5] = aten.linear.default(%y, %w, %b)
  # CHECK-NEXT: aten.t.default(%p)
  # CHECK-NEXT: aten.clone.default(%y, memory_format=torch.contiguous_format)
  # CHECK: aten.mm.default(
  # CHECK: %folded : f32[2, 3, 5] = aten.add.Tensor({{.*}}, %b)
  %folded : f32[2, 3, 5] = aten.linear.default(%y, %p, %b)
  # CHECK-NEXT: %[[C:.*]] : f32[2, 3, 8] = aten.clone.default(%y, memory_format=torch.contiguous_format)
  # CHECK-NEXT: %flat : f32[48] = aten._unsafe_view.default(%[[C]], [48])
  %flat : f32[48] = aten.reshape.default(%y, [-1])
  # Must not change: operators that are not composite.
  # CHECK-NEXT: %silu : f32[2, 3, 8] = aten.silu.default(%x)
  %silu : f32[2, 3, 8] = aten.silu.default(%x)
  # Must not change: the kernel of dropout in attention draws random numbers.
  # CHECK-NEXT: %random : f32[2, 4, 16, 8] = aten.scaled_dot_product_attention.default(%q, %q, %q, None, 0.5)
  %random : f32[2, 4, 16, 8] = aten.scaled_dot_product_attention.default(%q, %q, %q, None, 0.5)
  # Must not change: the strides, which determine the kernel, are unknown.
  # CHECK-NEXT: %unknown : f32[2, 4, 16, 8] = aten.scaled_dot_product_attention.default(%q, %u, %q)
  %unknown : f32[2, 4, 16, 8] = aten.scaled_dot_product_attention.default(%q, %u, %q)
  return (%fused, %products, %fc, %batches, %folded, %flat, %silu, %random, %unknown)
}
