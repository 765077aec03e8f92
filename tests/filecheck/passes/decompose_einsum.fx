# RUN: fxcpp opt %s --passes propagate_types,decompose --check-changed | FileCheck %s
# RUN: not fxcpp opt %s --passes 'propagate_types,decompose{strict}' 2>&1 | FileCheck %s --check-prefix=STRICT

# STRICT: steps (aten.rnn_tanh.input)
graph(%q : f32[2, 4], %k : f32[5, 4], %m : f32[3, 3], %s : f32[s0, 3], %h : f32[1, 2, 3], %x : f32[2, 2, 3], %y : f32[s1, 2, 3]) {
  # A matrix product with the dimensions in the order of the result.
  # CHECK: %[[BMM:.*]] : f32[1, 2, 5] = aten.bmm.default(
  # CHECK: %scores : f32[2, 5] = aten.view.default(
  %scores = aten.einsum.default("nd,md->nm", [%q, %k])
  # CHECK: %[[DIAGONAL:.*]] : f32[3][4] = aten.diagonal.default(%m, 0, 0, 1)
  # CHECK: %trace : f32[] = aten.sum.dim_IntList(
  %trace = aten.einsum.default("ii", [%m])
  # CHECK: aten.bmm.default(%{{.*}}, %{{.*}})
  # CHECK: %rows : f32[s0, 3] = aten.view.default(
  %rows = aten.einsum.default("nd,de->ne", [%s, %m])
  # One product computes the input gates of all steps; then there is a cell for each step.
  # CHECK: %[[GATES:.*]] : f32[2, 2, 3] = aten.view.default(
  # CHECK-NEXT: %[[FIRST:.*]] : f32[2, 3] = aten.select.int(%[[GATES]], 0, 0)
  # CHECK-NEXT: %[[SECOND:.*]] : f32[2, 3]{offset=6} = aten.select.int(%[[GATES]], 0, 1)
  # CHECK: %[[ADD:.*]] : f32[2, 3] = aten.add.Tensor(%{{.*}}, %[[FIRST]])
  # CHECK-NEXT: %[[STATE:.*]] : f32[2, 3] = aten.tanh.default(%[[ADD]])
  # CHECK: aten.mm.default(%[[STATE]],
  # CHECK: %[[ADD2:.*]] : f32[2, 3] = aten.add.Tensor(%{{.*}}, %[[SECOND]])
  # CHECK: %[[STACK:.*]] : f32[2, 2, 3] = aten.cat.default([
  %rnn = aten.rnn_tanh.input(%x, %h, [%m, %m], False, 1, 0.0, False, False, False)
  %out = operator.getitem(%rnn, 0)
  # The number of steps must be known.
  # CHECK-NEXT: %steps : (f32[s1, 2, 3], f32[1, 2, 3]) = aten.rnn_tanh.input(%y
  %steps = aten.rnn_tanh.input(%y, %h, [%m, %m], False, 1, 0.0, False, False, False)
  %other = operator.getitem(%steps, 0)
  # CHECK: return (%scores, %trace, %rows, %[[STACK]], %other)
  return (%scores, %trace, %rows, %out, %other)
}
