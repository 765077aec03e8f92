# RUN: fxcpp opt %s --passes simplify --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes simplify,simplify --check-changed | FileCheck %s
# faults/02-simplify-two-results, 02-simplify-view-of-input: results that are separate tensors must
# remain separate (docs/aliasing.md).

# CHECK-LABEL: graph(
graph(%x : f32[4, 6], %y : f32[4, 6]) {
  # A copy whose source is also returned, in a different form.
  # CHECK-NEXT: %r : f32[4, 6] = aten.relu.default(%x)
  # CHECK-NEXT: %c : f32[4, 6] = aten.clone.default(%r)
  # CHECK-NEXT: %v : f32[24] = aten.view.default(%r, [24])
  %r : f32[4, 6] = aten.relu.default(%x)
  %c : f32[4, 6] = aten.clone.default(%r)
  %v : f32[24] = aten.view.default(%r, [24])
  # A product with one, a sum with zero, a double negation, or a conversion that copies; the operand
  # is an input or a view of one.
  # CHECK-NEXT: %i : f32[24] = aten.view.default(%x, [24])
  # CHECK-NEXT: %m : f32[24] = aten.mul.Tensor(%i, 1)
  # CHECK-NEXT: %s : f32[4, 6] = aten.add.Tensor(%y, 0)
  # CHECK-NEXT: %n : f32[4, 6] = aten.neg.default(%x)
  # CHECK-NEXT: %nn : f32[4, 6] = aten.neg.default(%n)
  # CHECK-NEXT: %to : f32[4, 6] = aten.to.dtype(%y, torch.float32, False, True)
  %i : f32[24] = aten.view.default(%x, [24])
  %m : f32[24] = aten.mul.Tensor(%i, 1)
  %s : f32[4, 6] = aten.add.Tensor(%y, 0)
  %n : f32[4, 6] = aten.neg.default(%x)
  %nn : f32[4, 6] = aten.neg.default(%n)
  %to : f32[4, 6] = aten.to.dtype(%y, torch.float32, False, True)
  # A part of the copy is returned, not the copy itself.
  # CHECK-NEXT: %d : f32[4, 6] = aten.div.Tensor(%x, 1)
  # CHECK-NEXT: %part : f32[6] = aten.select.int(%d, 0, 0)
  %d : f32[4, 6] = aten.div.Tensor(%x, 1)
  %part : f32[6] = aten.select.int(%d, 0, 0)
  # The copy or its source is written.
  # CHECK-NEXT: %u : f32[4, 6] = aten.sin.default(%x)
  # CHECK-NEXT: %k : f32[4, 6] = aten.clone.default(%u)
  # CHECK-NEXT: %w : f32[4, 6] = aten.add_.Tensor(%u, 1)
  # CHECK-NEXT: %e : f32[4, 6] = aten.exp.default(%k)
  %u : f32[4, 6] = aten.sin.default(%x)
  %k : f32[4, 6] = aten.clone.default(%u)
  %w : f32[4, 6] = aten.add_.Tensor(%u, 1)
  %e : f32[4, 6] = aten.exp.default(%k)
  # Removed: a copy if there is only one result, a copy that no result uses, and a view that equals
  # its operand.
  # CHECK-NEXT: %a : f32[4, 6] = aten.cos.default(%y)
  # CHECK-NEXT: %f : f32[4, 6] = aten.abs.default(%y)
  # CHECK-NEXT: return (%c, %v, %m, %s, %nn, %to, %part, %e, %a, %f, %x)
  %a : f32[4, 6] = aten.cos.default(%y)
  %b : f32[4, 6] = aten.clone.default(%a)
  %g : f32[4, 6] = aten.mul.Tensor(%y, 1)
  %f : f32[4, 6] = aten.abs.default(%g)
  %h : f32[4, 6] = aten.view.default(%x, [4, 6])
  return (%c, %v, %m, %s, %nn, %to, %part, %e, %b, %f, %h)
}
