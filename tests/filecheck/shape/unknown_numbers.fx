# RUN: fxcpp shape %s | FileCheck %s --implicit-check-not=guard
# RUN: sed "s/unsqueeze.default(%x, %n/unsqueeze.default(%x, %f/" %s > %t.fx
# RUN: not fxcpp shape %t.fx 2>&1 | FileCheck %s --check-prefix=INVALID

# Numbers that the graph computes: eager mode accepts them, so the types of the results are unknown,
# without an error and without guards that hold only for dimension 0.
# CHECK: range : ?
# CHECK: rows : ?
# CHECK: unsqueezed : ?
# CHECK: joined : ?
# CHECK: dropped : ?
# CHECK: written : ?
# CHECK: sum : f32[a, b]
# INVALID: argument dim must be a constant integer, not float
graph(%x : f32[a, b], %y : f32[c, d], %n : int, %f : float, %t : bool, %u : int) {
  %range = aten.arange.start_step(0, %n, %f)
  %rows = aten.chunk.default(%x, %u)
  %unsqueezed = aten.unsqueeze.default(%x, %n)
  %joined = aten.cat.default([%x, %y], %u)
  %dropped = aten.dropout.default(%x, 0.5, %t)
  %written = aten.cumsum.out(%x, %u, out=%y)
  %sum = aten.add.Tensor(%x, 1)
  return (%range, %rows, %unsqueezed, %joined, %dropped, %written, %sum)
}
