# RUN: fxcpp shape %s | FileCheck %s
# A pad that adds no elements copies its operand and preserves the order of strides; any other pad
# returns a row-major result. A symbolic pad of a transposed operand is assumed to add elements.

# CHECK: grows : f32[n, k + m + 1]
# CHECK: rows : f32[m, k + n]
# CHECK: columns : f32[n, k + m]
# CHECK: guard k >= 1
# CHECK-NOT: guard
graph(%x : f32[m, n], %y : f32[k]) {
  !symbols = {"k": {"min": 0}}
  %t = aten.t.default(%x)
  %grows = aten.constant_pad_nd.default(%t, [1, sym(k)], 0)
  %rows = aten.constant_pad_nd.default(%x, [0, sym(k)], 0)
  %columns = aten.constant_pad_nd.default(%t, [0, sym(k)], 0)
  return (%rows, %columns, %grows)
}
