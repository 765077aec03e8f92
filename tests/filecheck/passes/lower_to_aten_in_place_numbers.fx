# Python's `n += x` returns a new value if n is a number: only a tensor is changed in place.
# RUN: fxcpp opt %s --passes lower_to_aten --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes propagate_types | FileCheck %s --check-prefix=TYPES
# CHECK-LABEL: graph(
graph(%x : f32[3], %n : int, %u) {
  # CHECK-NEXT: %a : f32[3] = aten.add.Tensor(%x, 3)
  # CHECK-NEXT: %b : f32[3] = aten.mul.Tensor(%x, %n)
  # CHECK-NEXT: %c : f32[3] = aten.pow.Scalar(%n, %x)
  # TYPES: %a : f32[3] = operator.iadd(3, %x)
  # TYPES-NEXT: %b : f32[3] = operator.imul(%n, %x)
  # TYPES-NEXT: %c : f32[3] = operator.ipow(%n, %x)
  %a = operator.iadd(3, %x)
  %b = operator.imul(%n, %x)
  %c = operator.ipow(%n, %x)
  # CHECK-NEXT: %d : f32[3] = aten.add_.Tensor(%a, 1)
  # TYPES-NEXT: %d : f32[3] = operator.iadd(%a, 1)
  %d = operator.iadd(%a, 1)
  # `u` may be a tensor or a number.
  # CHECK-NEXT: %e = operator.isub(%u, %x)
  # TYPES-NEXT: %e = operator.isub(%u, %x)
  %e = operator.isub(%u, %x)
  return (%a, %b, %c, %d, %e)
}
