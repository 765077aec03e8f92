# RUN: fxcpp opt %s --passes propagate_types --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes propagate_types,propagate_types --check-changed | FileCheck %s
# If an operand has no type, the input of a nested graph keeps its recorded type, unless a different
# call of the graph shows that it does not hold. The order of the calls does not matter
# (1000764751).
graph(%x : f32[2, 3], %u, %d : f32[1, 3]) {
  # CHECK: graph @late(%a : f32[*]) {
  # CHECK-NEXT: %n = aten.neg.default(%a)
  graph @late(%a : f32[4]) {
    %n = aten.neg.default(%a)
    return [%n]
  }
  # CHECK: graph @early(%a : f32[*]) {
  graph @early(%a : f32[4]) {
    %n = aten.neg.default(%a)
    return [%n]
  }
  # The operand of the second call lost its type.
  # CHECK: graph @lost(%a) {
  # CHECK-NEXT: %n = aten.neg.default(%a)
  graph @lost(%a : f32[4]) {
    %n = aten.neg.default(%a)
    return [%n]
  }
  graph @change(%a) {
    %s = aten.squeeze_.default(%a)
    return [%s]
  }
  # The body of a loop returns a value of a different type than the recorded one.
  # CHECK: graph @test(%i : i64[], %c : f32[*])
  graph @test(%i, %c : f32[4]) {
    %lt = aten.lt.Scalar(%i, 3)
    return %lt
  }
  # CHECK: graph @body(%i : i64[], %c : f32[*])
  graph @body(%i, %c : f32[4]) {
    %next = aten.add.Tensor(%i, 1)
    %r = aten.ones.default([2, 2])
    return (%next, %r)
  }
  # CHECK: %one = higher_order.wrap(@late, %u)
  # CHECK-NEXT: %two : (f32[2, 3],) = higher_order.wrap(@late, %x)
  %one = higher_order.wrap(@late, %u)
  %two = higher_order.wrap(@late, %x)
  # CHECK-NEXT: %three : (f32[2, 3],) = higher_order.wrap(@early, %x)
  # CHECK-NEXT: %four = higher_order.wrap(@early, %u)
  %three = higher_order.wrap(@early, %x)
  %four = higher_order.wrap(@early, %u)
  %alias : f32[1, 3] = aten.alias.default(%d)
  %wrap = higher_order.wrap(@change, %alias)
  %silu : f32[1, 3] = aten.silu.default(%alias)
  # CHECK: %five : (f32[2, 3],) = higher_order.wrap(@lost, %x)
  # CHECK-NEXT: %six = higher_order.wrap(@lost, %silu)
  %five = higher_order.wrap(@lost, %x)
  %six = higher_order.wrap(@lost, %silu)
  %n = aten.zeros.default([], dtype=torch.int64)
  # CHECK: %loop : (i64[], f32[2, 2]) = higher_order.while_loop
  %loop = higher_order.while_loop(@test, @body, (%n, %u), ())
  return (%one, %two, %three, %four, %wrap, %five, %six, %loop)
}
