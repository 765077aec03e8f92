# A 0-dimensional tensor can be written through its transpose, which is the tensor itself.
# RUN: fxcpp opt %s --passes functionalize --check-changed | FileCheck %s
# CHECK:      %mul : i64[] = aten.mul.Tensor(%c, 2)
# CHECK-NEXT: return %mul
graph(%x : i64[]) {
  %c : i64[] = aten.clone.default(%x)
  %t : i64[] = aten.mT.default(%c)
  %w : i64[] = aten.mul_.Tensor(%t, 2)
  return %c
}
