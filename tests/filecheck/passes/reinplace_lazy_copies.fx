# RUN: fxcpp opt %s --passes reinplace --check-changed | FileCheck %s
# copy_ casts the elements that a lazily negated view has in memory, and negates the result. Operators
# without writes cast a dense copy of the view (1006655046).
graph(%i : i64[2, 2, 2], %f : f64[3]) {
  %lazy : i64[2, 2, 2] = aten._neg_view.default(%i)
  # Must not change: the dtypes differ.
  %a : b8[2, 2, 2] = aten.gt.Scalar(%i, 0)
  # CHECK: %b : b8[2, 2, 2] = aten.slice_scatter.default(%a, %lazy, 0, 0, 3)
  %b : b8[2, 2, 2] = aten.slice_scatter.default(%a, %lazy, 0, 0, 3)
  %c : b8[2, 2, 2] = aten.logical_not.default(%b)
  %d : f32[2, 2, 2] = aten.ones.default([2, 2, 2])
  # CHECK: %e : f32[2, 2, 2] = aten.copy.default(%d, %lazy)
  %e : f32[2, 2, 2] = aten.copy.default(%d, %lazy)
  %g : f32[2, 2, 2] = aten.neg.default(%e)
  %o : f32[2, 2, 2] = aten.ones.default([2, 2, 2])
  # CHECK: %p : f32[2, 2, 2] = aten.copy.default(%o, src=%lazy)
  %p : f32[2, 2, 2] = aten.copy.default(%o, src=%lazy)
  # CHECK: %q : f32[2, 2, 2] = aten.copy.default(self=%p, src=%lazy)
  %q : f32[2, 2, 2] = aten.copy.default(self=%p, src=%lazy)
  # The dtypes are equal, or the source is a plain tensor.
  %h : i64[2, 2, 2] = aten.zeros_like.default(%i)
  # CHECK: aten.copy_.default(%{{.*}}, %lazy)
  %j : i64[2, 2, 2] = aten.slice_scatter.default(%h, %lazy, 0, 0, 3)
  %k : i64[2, 2, 2] = aten.neg.default(%j)
  %l : b8[2, 2, 2] = aten.lt.Scalar(%i, 0)
  # CHECK: aten.copy_.default(%{{.*}}, %i)
  %m : b8[2, 2, 2] = aten.slice_scatter.default(%l, %i, 0, 0, 3)
  %n : b8[2, 2, 2] = aten.logical_not.default(%m)
  return (%c, %g, %k, %n, %q)
}
