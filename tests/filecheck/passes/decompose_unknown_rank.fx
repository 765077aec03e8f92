# A decomposition that indexes the sizes of a tensor keeps calls with tensors of unknown rank.
# RUN: fxcpp opt %s --passes 'decompose{set=all}' --check-changed | FileCheck %s
# CHECK-LABEL: graph(
graph(%x, %r : f32[*], %q : f32[2, 4, 3, 8], %i : i64[3], %s : f32[3, 4], %w : f32[4]) {
  # CHECK-NEXT: aten.repeat_interleave.self_int(%x, 2, 0)
  # CHECK-NEXT: aten.repeat_interleave.self_int(%r, 2, 1)
  %a = aten.repeat_interleave.self_int(%x, 2, 0)
  %b = aten.repeat_interleave.self_int(%r, 2, 1)
  # CHECK-NEXT: aten.fft_fft.default(%r, 8)
  # CHECK-NEXT: aten.fft_rfft.default(%x, 8)
  %c = aten.fft_fft.default(%r, 8)
  %d = aten.fft_rfft.default(%x, 8)
  # CHECK-NEXT: aten.nll_loss_forward.default(%r, %i, %w, 1, -100)
  # CHECK-NEXT: aten.nll_loss_forward.default(%x, %i, %w, 1, -100)
  %e = aten.nll_loss_forward.default(%r, %i, %w, 1, -100)
  %f = aten.nll_loss_forward.default(%x, %i, %w, 1, -100)
  # CHECK-NEXT: aten.scaled_dot_product_attention.default(%q, %r, %r, enable_gqa=True)
  # CHECK-NEXT: aten.scaled_dot_product_attention.default(%q, %x, %x, enable_gqa=True)
  %g = aten.scaled_dot_product_attention.default(%q, %r, %r, enable_gqa=True)
  %h = aten.scaled_dot_product_attention.default(%q, %x, %x, enable_gqa=True)
  return (%a, %b, %c, %d, %e, %f, %g, %h)
}
