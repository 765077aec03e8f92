# parity: P32
# RUN: fxcpp opt %s --passes reinplace --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes reinplace,reinplace --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes 'reinplace{inputs}' | FileCheck %s --check-prefix=INPUTS

graph(%x : f32[2, 3], %y : f32[2, 3], %i : i64[2, 3], %row : f32[3]) {
  # A chain of calls on memory that the graph allocates.
  # CHECK: %a : f32[2, 3] = aten.mul.Tensor(%x, 2)
  # CHECK-NEXT: %b : f32[2, 3] = aten.add_.Tensor(%a, %y)
  # CHECK-NEXT: %c : f32[2, 3] = aten.relu_.default(%b)
  %a : f32[2, 3] = aten.mul.Tensor(%x, 2)
  %b : f32[2, 3] = aten.add.Tensor(%a, %y)
  %c : f32[2, 3] = aten.relu.default(%b)
  # A write to a part of a copy: the copy is removed.
  # CHECK-NEXT: %[[PART:.*]] : f32[3] = aten.select.int(%c, 0, 0)
  # CHECK-NEXT: aten.copy_.default(%[[PART]], %row)
  # CHECK-NEXT: %view : f32[6] = aten.view.default(%c, [6])
  %s : f32[2, 3] = aten.select_scatter.default(%c, %row, 0, 0)
  %view : f32[6] = aten.view.default(%s, [6])
  # Must not change: a view of the tensor is used later.
  # CHECK-NEXT: %kept : f32[6] = aten.neg.default(%view)
  # CHECK-NEXT: %sum : f32[2, 3] = aten.sub.Tensor(%c, %y)
  %kept : f32[6] = aten.neg.default(%view)
  %sum : f32[2, 3] = aten.sub.Tensor(%s, %y)
  %flat : f32[6] = aten.exp.default(%view)
  # CHECK: %flat : f32[6] = aten.exp_.default(%view)
  # Must not change: inputs and views of inputs, unless an option allows it.
  # CHECK-NEXT: %of_input : f32[2, 3] = aten.cos.default(%x)
  # CHECK-NEXT: %t : f32[3, 2]{{.*}} = aten.t.default(%y)
  # CHECK-NEXT: %of_view : f32[3, 2]{{.*}} = aten.sin.default(%t)
  # INPUTS: %of_input : f32[2, 3] = aten.cos_.default(%x)
  # INPUTS: %of_view : f32[3, 2]{{.*}} = aten.sin_.default(%t)
  %of_input : f32[2, 3] = aten.cos.default(%x)
  %t : f32[3, 2][1, 3] = aten.t.default(%y)
  %of_view : f32[3, 2][1, 3] = aten.sin.default(%t)
  # Must not change: a repeated operand, a different dtype, different sizes, overlapping elements,
  # and results of the graph.
  # CHECK-NEXT: %one : f32[3] = aten.neg.default(%row)
  # CHECK-NEXT: %square : f32[3] = aten.mul.Tensor(%one, %one)
  # CHECK-NEXT: %mask : b8[3] = aten.gt.Scalar(%square, 0)
  # CHECK-NEXT: %wide : f32[2, 3] = aten.add.Tensor(%square, %sum)
  # CHECK-NEXT: %expanded : f32[2, 3]{{.*}} = aten.expand.default(%square, [2, 3])
  # CHECK-NEXT: %plus : f32[2, 3] = aten.add.Tensor(%expanded, 1)
  # CHECK-NEXT: %after : f32[2, 3] = aten.tanh.default(%sum)
  # INPUTS: %square : f32[3] = aten.mul.Tensor(%one, %one)
  %one : f32[3] = aten.neg.default(%row)
  %square : f32[3] = aten.mul.Tensor(%one, %one)
  %mask : b8[3] = aten.gt.Scalar(%square, 0)
  %wide : f32[2, 3] = aten.add.Tensor(%square, %sum)
  %expanded : f32[2, 3][0, 1] = aten.expand.default(%square, [2, 3])
  %plus : f32[2, 3] = aten.add.Tensor(%expanded, 1)
  %after : f32[2, 3] = aten.tanh.default(%sum)
  # Must not change: a mask would require grad (`hit.eq_(square)`).
  # CHECK-NEXT: %hit : b8[3] = aten.gt.Scalar(%square, 1)
  # CHECK-NEXT: %same : b8[3] = aten.eq.Tensor(%hit, %square)
  # CHECK-NEXT: %both : b8[3] = aten.logical_and_.default(%same, %mask)
  %hit : b8[3] = aten.gt.Scalar(%square, 1)
  %same : b8[3] = aten.eq.Tensor(%hit, %square)
  %both : b8[3] = aten.logical_and.default(%same, %mask)
  # Must not change: an unknown function may have retained its operand.
  # CHECK-NEXT: %unknown = user.function(%plus)
  # CHECK-NEXT: %last : f32[2, 3] = aten.relu.default(%plus)
  %unknown = user.function(%plus)
  %last : f32[2, 3] = aten.relu.default(%plus)
  # Must not change: this also applies to a function that returns None.
  # CHECK-NEXT: %own : f32[3] = aten.exp.default(%row)
  # CHECK-NEXT: %none : none = user.store(%own)
  # CHECK-NEXT: %read : f32[3] = aten.relu.default(%own)
  %own : f32[3] = aten.exp.default(%row)
  %none : none = user.store(%own)
  %read : f32[3] = aten.relu.default(%own)
  # A reshape that copies: its operand is not used again, although its result is used later.
  # CHECK-NEXT: %wider : f32[2, 3] = aten.exp.default(%sum)
  # CHECK-NEXT: %turned : f32[3, 2]{{.*}} = aten.t.default(%wider)
  # CHECK-NEXT: %copied : f32[6] = aten.reshape.default(%turned, [6])
  # CHECK-NEXT: %written : f32[3, 2]{{.*}} = aten.neg_.default(%turned)
  %wider : f32[2, 3] = aten.exp.default(%sum)
  %turned : f32[3, 2][1, 3] = aten.t.default(%wider)
  %copied : f32[6] = aten.reshape.default(%turned, [6])
  %written : f32[3, 2][1, 3] = aten.neg.default(%turned)
  return (%kept, %flat, %of_input, %of_view, %mask, %wide, %sum, %after, %both, %unknown, %last, %read, %copied, %written)
}
