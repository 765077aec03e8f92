# RUN: fxcpp opt %s --passes set_training --check-changed | FileCheck %s
# Python's operators in place return their first operand, with its offset and strides (1001035389).
graph(%y : f64[1, 1]{offset=3}, %h : f16[1, 4]{offset=12}, %i : i64[1]) {
  %e : f64[1, 1] = aten.dropout.default(%y, 0.5, True)
  # CHECK: %v : f32[1, 2]{offset=6} = aten.view.dtype(%e, torch.float32)
  # CHECK-NEXT: %b : f32[1, 2]{offset=6} = operator.iadd(%v, %i)
  # CHECK-NEXT: %c : f32[1, 2]{offset=6} = operator.imul(%b, 2)
  # CHECK: %d : f32[1, 2]{offset=6} = operator.isub(%c, %h2)
  %v : f32[1, 2] = aten.view.dtype(%e, torch.float32)
  %b : f32[1, 2] = operator.iadd(%v, %i)
  %c : f32[1, 2] = operator.imul(%b, 2)
  %h2 : f16[1, 2]{offset=12} = aten.slice.Tensor(%h, 1, 0, 2)
  %d : f32[1, 2] = operator.isub(%c, %h2)
  # A wider operand does not widen the result.
  # CHECK: %g : f16[1, 4]{offset=12} = operator.iadd(%f, %e)
  %f : f16[1, 4] = aten.dropout.default(%h, 0.5, True)
  %g : f16[1, 4] = operator.iadd(%f, %e)
  return (%d, %g)
}
