# RUN: fxcpp opt %s --passes 'simplify{signed_zeros=false}' --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes simplify,simplify --check-changed -o %t.fx
# RUN: fxcpp opt %s --passes simplify | FileCheck %s --check-prefix=ZEROS

# CHECK-LABEL: graph(
graph(%x : f32[2, 3], %i : i64[2, 3], %u) {
  # Neutral operands, double negations, double transposes.
  # CHECK-NOT: aten.mul.Tensor(%x, 1)
  # CHECK-NOT: aten.neg
  # CHECK-NEXT: %s : f32[2, 3] = aten.sin.default(%x)
  # ZEROS: %a : f32[2, 3] = aten.add.Tensor(%s, 0)
  %s : f32[2, 3] = aten.sin.default(%x)
  %a : f32[2, 3] = aten.add.Tensor(%s, 0)
  %b : f32[2, 3] = aten.mul.Tensor(1, %a)
  %c : f32[2, 3] = aten.sub.Tensor(%b, 0.0, alpha=2)
  %d : f32[2, 3] = aten.div.Tensor(%c, 1)
  %n1 : f32[2, 3] = aten.neg.default(%d)
  %n2 : f32[2, 3] = aten.neg.default(%n1)
  %t1 : f32[3, 2][1, 3] = aten.transpose.int(%n2, 0, 1)
  %t2 : f32[2, 3] = aten.transpose.int(%t1, -1, 0)
  # CHECK-NEXT: %e : f32[2, 3] = aten.cos.default(%s)
  %e : f32[2, 3] = aten.cos.default(%t2)
  # Views of views, and views with the type of their source.
  # CHECK-NEXT: %v2 : f32[3, 2] = aten.view.default(%s, [3, 2])
  # CHECK-NEXT: %v4 : f32[6] = aten.view.default(%s, [-1])
  %v1 : f32[6] = aten.view.default(%s, [6])
  %v2 : f32[3, 2] = aten.view.default(%v1, [3, 2])
  %v3 : f32[3, 2] = aten.reshape.default(%v2, [3, 2])
  %v4 : f32[6] = aten.view.default(%v3, [-1])
  # CHECK-NEXT: %p2 : f32[3, 2]{{.}}1, 3] = aten.permute.default(%s, [1, 0])
  %p0 : f32[3, 2][1, 3] = aten.permute.default(%s, [1, 0])
  %p1 : f32[2, 3] = aten.permute.default(%p0, [1, 0])
  %p2 : f32[3, 2][1, 3] = aten.permute.default(%p1, [1, 0])
  # Must not change: promotion, broadcasting, a different operand, unknown types, and results that
  # would become inputs.
  # CHECK-NEXT: aten.mul.Tensor(%i, 1.0)
  # CHECK-NEXT: aten.add.Tensor(%s, 1)
  # CHECK-NEXT: aten.sub.Tensor(0, %s)
  # CHECK-NEXT: aten.add.Tensor(%u, 0)
  # CHECK-NEXT: aten.add.Tensor(%x, 0)
  # CHECK-NEXT: aten._to_copy.default(%s, dtype=torch.float64)
  %f : f32[2, 3] = aten.mul.Tensor(%i, 1.0)
  %g : f32[2, 3] = aten.add.Tensor(%s, 1)
  %h : f32[2, 3] = aten.sub.Tensor(0, %s)
  %j = aten.add.Tensor(%u, 0)
  %k : f32[2, 3] = aten.add.Tensor(%x, 0)
  %l : f64[2, 3] = aten._to_copy.default(%s, dtype=torch.float64)
  # CHECK-NEXT: return (%e, %v2, %v4, %p2,
  return (%e, %v3, %v4, %p2, %f, %g, %h, %j, %k, %l)
}
