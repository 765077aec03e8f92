# RUN: fxcpp opt %s --passes set_training --check-changed | FileCheck %s
# The types of a call are inferred again from the types that its operands have at the call: squeeze_
# changes that of %a (1001028721). `x += y` returns x, at its offset in the storage (1001035389).
graph(%x : f32[1], %y : f64[1, 1]{offset=3}, %i : i64[1]) {
  %p : f32[1] = aten.neg.default(%x)
  %a : f32[1] = aten.alias.default(%p)
  %s : f32[] = aten.squeeze_.default(%a)
  # CHECK: %d : f32[] = aten.dropout.default(%a, 0.5, False)
  # CHECK-NEXT: %r : f32[] = aten.relu.default(%d)
  %d : f32[] = aten.dropout.default(%a, 0.5, True)
  %r : f32[] = aten.relu.default(%d)
  # CHECK-NEXT: %e : f64[1, 1]{offset=3} = aten.dropout.default(%y, 0.5, False)
  # CHECK-NEXT: %v : f32[1, 2]{offset=6} = aten.view.dtype(%e, torch.float32)
  %e : f64[1, 1] = aten.dropout.default(%y, 0.5, True)
  %v : f32[1, 2] = aten.view.dtype(%e, torch.float32)
  # CHECK-NEXT: %b : f32[1, 2]{offset=6} = operator.iadd(%v, %i)
  # CHECK-NEXT: %c : f32[1, 2]{offset=6} = operator.imul(%b, 2)
  %b : f32[1, 2] = operator.iadd(%v, %i)
  %c : f32[1, 2] = operator.imul(%b, 2)
  return (%r, %c)
}
