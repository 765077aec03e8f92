# RUN: fxcpp shape %s | FileCheck %s
# Eager mode counts a negative bound or index from the end, and infers a size of -1. A symbolic number is
# assumed to be 0 or more, unless its range decides.

# CHECK: slice : f32[Min(8, a - 3), 8]
# CHECK: start : f32[8 - Min(8, b - 3), 8]{offset=8*Min(8, b - 3)}
# CHECK: select : f32[8]{offset=8*c - 24}
# CHECK: expand : f32[d - 3, 1, 8]
# CHECK: view : f32[e - 3, 16]
# CHECK: negative : f32[8 - n, 8]
# CHECK: last : f32[8]{offset=64 - 8*n}
# CHECK: positive : f32[n, 8]
# CHECK: guard a >= 3
# CHECK-NEXT: guard b >= 3
# CHECK-NEXT: guard c >= 3
# CHECK: guard d >= 3
# CHECK: guard e >= 3
# CHECK-NOT: guard {{.*}}n
graph(%x : f32[8, 8], %y : f32[1, 8], %s : f32[a, b, c, d, e, n]) {
  !symbols = {"n": {"min": 1, "max": 8}}
  %slice = aten.slice.Tensor(%x, 0, 0, sym(a - 3))
  %start = aten.slice.Tensor(%x, 0, sym(b - 3), 8)
  %select = aten.select.int(%x, 0, sym(c - 3))
  %expand = aten.expand.default(%y, [sym(d - 3), -1, -1])
  %view = aten.view.default(%x, [sym(e - 3), 16])
  %negative = aten.slice.Tensor(%x, 0, 0, sym(-n))
  %last = aten.select.int(%x, 0, sym(-n))
  %positive = aten.slice.Tensor(%x, 0, 0, sym(n))
  return ()
}
