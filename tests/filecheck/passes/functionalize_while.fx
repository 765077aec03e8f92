# RUN: fxcpp opt %s --passes functionalize | FileCheck %s
# RUN: fxcpp opt %s --passes propagate_types,functionalize | FileCheck %s --check-prefix=TYPED
# The results of a while_loop are those of its body, not of its condition, or clones of its operands.
# So a body that returns new memory returns nothing that shares memory with an operand.

# CHECK: %add : f32[4] = aten.add.Tensor(%b, %r)
# CHECK-NEXT: %copy_ : f32[4] = aten.copy_.default(%b, %add)
# CHECK-NEXT: return (%a, %add)
# TYPED: %add : f32[4] = aten.add.Tensor(%b, %r)
# TYPED: return (%a, %add)
graph(%x : f32[3, 4], %b : f32[4]) {
  graph @cond_fn(%i : i64[], %a : f32[3, 4], %w : f32[4]) {
    %lt : b8[] = aten.lt.Scalar(%i, 3)
    return %lt
  }
  graph @body_fn(%i : i64[], %a : f32[3, 4], %w : f32[4]) {
    %n : i64[] = aten.add.Tensor(%i, 1)
    %s : f32[3, 4] = aten.add.Tensor(%a, %w)
    return (%n, %s)
  }
  %z : i64[] = aten.zeros.default([], dtype=torch.int64)
  %c : f32[3, 4] = aten.clone.default(%x)
  %loop = higher_order.while_loop(@cond_fn, @body_fn, (%z, %c), (%b,))
  %a : f32[3, 4] = operator.getitem(%loop, 1)
  %r : f32[4] = aten.select.int(%a, 0, 0)
  %w : f32[4] = aten.add_.Tensor(%b, %r)
  return (%a, %w)
}
