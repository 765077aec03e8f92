# RUN: fxcpp opt %s --passes simplify,eliminate_common_subexpressions --check-changed | FileCheck %s
# A view with the type of its operand is kept if a call that writes has both as operands: index_put_
# accepts the view, but rejects the tensor itself (1000106809). Equal views also remain separate.

# CHECK-LABEL: graph(
graph(%x : f32[4][2], %y : f32[4], %z : f32[2, 4][8, 2], %i : i64[4]) {
  # CHECK-NEXT: %v : f32[4][2] = aten.squeeze.dim(%x, 0)
  # CHECK-NEXT: %p : f32[4][2] = aten.index_put_.default(%x, [%i], %v)
  %v : f32[4][2] = aten.squeeze.dim(%x, 0)
  %p : f32[4][2] = aten.index_put_.default(%x, [%i], %v)
  # CHECK-NEXT: %a : f32[4][2] = aten.select.int(%z, 0, 0)
  # CHECK-NEXT: %b : f32[4][2] = aten.select.int(%z, 0, 0)
  # CHECK-NEXT: %q : f32[4][2] = aten.index_put_.default(%a, [%i], %b)
  %a : f32[4][2] = aten.select.int(%z, 0, 0)
  %b : f32[4][2] = aten.select.int(%z, 0, 0)
  %q : f32[4][2] = aten.index_put_.default(%a, [%i], %b)
  # The other operand is in separate memory.
  # CHECK-NEXT: %s : f32[4] = aten.sin.default(%y)
  # CHECK-NEXT: %r : f32[4] = aten.add_.Tensor(%y, %s)
  # CHECK-NEXT: return (%p, %q, %r)
  %w : f32[4] = aten.squeeze.dim(%y, 0)
  %s : f32[4] = aten.sin.default(%w)
  %r : f32[4] = aten.add_.Tensor(%y, %s)
  return (%p, %q, %r)
}
