# A 0-dimensional tensor can be written through its transposes, which are the tensor itself.
# RUN: fxcpp opt %s --passes functionalize --check-changed | FileCheck %s
# CHECK:      %mul : i64[] = aten.mul.Tensor(%c, 2)
# CHECK:      %add : i64[] = aten.add.Tensor(%r, 1)
# CHECK-NEXT: %permute : i64[] = aten.permute.default(%add, [])
# CHECK-NEXT: return %permute
graph(%x : i64[]) {
  %c : i64[] = aten.clone.default(%x)
  %t : i64[] = aten.mT.default(%c)
  %w : i64[] = aten.mul_.Tensor(%t, 2)
  %r : i64[] = aten.numpy_T.default(%c)
  %v : i64[] = aten.add_.Tensor(%r, 1)
  return %c
}
