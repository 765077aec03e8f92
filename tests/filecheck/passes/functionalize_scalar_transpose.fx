# A 0-dimensional tensor can be written through its transpose.
# RUN: fxcpp opt %s --passes functionalize --check-changed | FileCheck %s
# CHECK:      %mul : i64[] = aten.mul.Tensor(%t, 2)
# CHECK-NEXT: %m_t : i64[] = aten.mT.default(%mul)
# CHECK-NEXT: return %m_t
graph(%x : i64[]) {
  %c : i64[] = aten.clone.default(%x)
  %t : i64[] = aten.mT.default(%c)
  %w : i64[] = aten.mul_.Tensor(%t, 2)
  return %c
}
