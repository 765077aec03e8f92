# RUN: fxcpp rewrite %s --rules %S/inputs/memory_rules.fx | FileCheck %s
# RUN: fxcpp rewrite %s --rules %S/inputs/memory_rules.fx -o %t.fx
# RUN: fxcpp verify %t.fx
# A replacement runs after the last call of the match, so matches are left alone if calls between their calls write to
# memory that they read, or if a write can reach a result through other memory than before.
graph(%p : f32[4], %q : f32[4, 4]) {
  %c : f32[4] = aten.clone.default(%p)
  %v : f32[2] = aten.slice.Tensor(%c, 0, 0, 2)
  # CHECK: %a : f32[4] = aten.add.Tensor(%c, 1)
  %a : f32[4] = aten.add.Tensor(%c, 1)
  %w : f32[2] = aten.mul_.Tensor(%v, 2)
  # CHECK: %r : f32[4] = aten.relu.default(%a)
  %r : f32[4] = aten.relu.default(%a)

  # A write to other memory, and writes before and after the match.
  # CHECK: %other : f32[4] = aten.zeros.default
  %other : f32[4] = aten.zeros.default([4])
  %b : f32[4] = aten.add.Tensor(%c, 2)
  # CHECK-NEXT: aten.fill_.Scalar(%other, 2)
  %filled : f32[4] = aten.fill_.Scalar(%other, 2)
  # CHECK-NEXT: %[[B:.*]] : f32[4] = aten.sub.Tensor(%c, 2)
  # CHECK-NEXT: %[[S:.*]] : f32[4] = aten.relu.default(%[[B]])
  %s : f32[4] = aten.relu.default(%b)
  # CHECK-NEXT: aten.mul_.Tensor(%v, 3)
  %w_1 : f32[2] = aten.mul_.Tensor(%v, 3)

  # A single call is replaced where it is.
  # CHECK-NEXT: %[[E:.*]] : f32[4] = aten.exp2.default(%c)
  %e : f32[4] = aten.exp.default(%c)
  # CHECK-NEXT: aten.mul_.Tensor(%c, 2)
  %w_2 : f32[4] = aten.mul_.Tensor(%c, 2)

  # A result would become a tensor to which a call writes.
  # CHECK: %m : f32[4, 4] = aten.clone.default(%q)
  %m : f32[4, 4] = aten.clone.default(%q)
  # CHECK-NEXT: %n : f32[4, 4] = aten.neg.default(%m)
  %n : f32[4, 4] = aten.neg.default(%m)
  # CHECK-NEXT: %o : f32[4, 4] = aten.neg.default(%n)
  %o : f32[4, 4] = aten.neg.default(%n)
  # The result of two transpositions shares its memory already.
  %t : f32[4, 4][1, 4] = aten.t.default(%m)
  %u : f32[4, 4] = aten.t.default(%t)
  # CHECK-NEXT: aten.mul_.Tensor(%m, 2)
  %w_3 : f32[4, 4] = aten.mul_.Tensor(%u, 2)
  # No call writes to this memory.
  # CHECK-NEXT: %k : f32[4, 4] = aten.mul.Tensor(%o, 3)
  %k : f32[4, 4] = aten.mul.Tensor(%o, 3)
  # CHECK-NEXT: %{{.*}} : f32[4, 4] = aten.sigmoid.default(%k)
  %k_1 : f32[4, 4] = aten.neg.default(%k)
  %k_2 : f32[4, 4] = aten.neg.default(%k_1)
  %k_3 : f32[4, 4] = aten.sigmoid.default(%k_2)

  # Random numbers keep their order.
  # CHECK-NEXT: %d : f32[4] = aten.bernoulli.default(%p)
  %d : f32[4] = aten.bernoulli.default(%p)
  # CHECK-NEXT: %d_1 : f32[4] = aten.bernoulli.default(%p)
  %d_1 : f32[4] = aten.bernoulli.default(%p)
  # CHECK-NEXT: %d_2 : f32[4] = aten.sigmoid.default(%d)
  %d_2 : f32[4] = aten.sigmoid.default(%d)
  # CHECK-NEXT: %[[D:.*]] : f32[4] = aten.bernoulli.default(%p)
  # CHECK-NEXT: %[[T:.*]] : f32[4] = aten.tanh.default(%[[D]])
  %d_3 : f32[4] = aten.bernoulli.default(%p)
  %d_4 : f32[4] = aten.sigmoid.default(%d_3)

  # No other call may use the memory that a pattern writes to.
  # CHECK: %f : f32[4] = aten.abs_.default(%other)
  %f : f32[4] = aten.abs_.default(%other)
  # CHECK-NEXT: %f_1 : f32[4] = aten.mul.Tensor(%other, 2)
  %f_1 : f32[4] = aten.mul.Tensor(%other, 2)
  # CHECK-NEXT: %f_2 : f32[4] = aten.sqrt.default(%f)
  %f_2 : f32[4] = aten.sqrt.default(%f)
  %f_3 : f32[4] = aten.abs_.default(%other)
  # CHECK-NEXT: aten.mul.Tensor(%d, 2)
  %f_4 : f32[4] = aten.mul.Tensor(%d, 2)
  # CHECK-NEXT: %[[F:.*]] : f32[4] = aten.abs_.default(%other)
  # CHECK-NEXT: aten.rsqrt.default(%[[F]])
  %f_5 : f32[4] = aten.sqrt.default(%f_3)
  return (%r, %s, %e, %o, %u, %k_3, %d_1, %d_2, %d_4, %f_1, %f_2, %f_4, %f_5)
}
