# RUN: fxcpp opt %s --passes=eliminate_dead_code | FileCheck %s

# CHECK-LABEL: graph(%x, %unused) {
graph(%x, %unused) {
  # A dead call, whose operands are dead too.
  # CHECK-NOT: aten.mul.Tensor
  %a = aten.mul.Tensor(%x, 2)
  %b = aten.relu.default(%a)
  # Must not change: a write, an assertion, an unknown function, a random number.
  # CHECK-NEXT: %w = aten.add_.Tensor(%x, 1)
  # CHECK-NEXT: %c = call_method mul_(%x, 2)
  # CHECK-NEXT: %d = aten._assert_async.msg(%x, "no")
  # CHECK-NEXT: %e = user.function(%x)
  # CHECK-NEXT: %f = aten.rand_like.default(%x)
  %w = aten.add_.Tensor(%x, 1)
  %c = call_method mul_(%x, 2)
  %d = aten._assert_async.msg(%x, "no")
  %e = user.function(%x)
  %f = aten.rand_like.default(%x)
  # CHECK-NEXT: return %x
  return %x
}
