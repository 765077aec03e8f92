# RUN: fxcpp shape %s | FileCheck %s
# faults/19-guard-lost-mean: as in eager mode, a slice of a symbolic size is clamped, and no guard
# on the size is added.

# CHECK: head : f32[3, Min(5, n)]
# CHECK: tail : f32[3, n - Max(0, n - 5)]
# CHECK: whole : f32[3, n]
# CHECK: inner : f32[3, Min(5, n) - 2]
# CHECK: sure : f32[3, 2]
# CHECK-NOT: guard
graph(%x : f32[3, n][n, 1]) {
  !symbols = {"n": {"min": 2, "max": 12, "hint": 9}}
  %head = aten.slice.Tensor(%x, 1, 0, 5)
  %tail = aten.slice.Tensor(%x, 1, -5, 9223372036854775807)
  %whole = aten.slice.Tensor(%x, 1, 0, 12)
  %inner = aten.slice.Tensor(%x, 1, 2, 5)
  %sure = aten.slice.Tensor(%x, 1, 0, 2)
  return %head
}
