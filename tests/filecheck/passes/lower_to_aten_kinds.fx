# If a call is lowered to an operator, its result is a tensor, even if its type is unknown. Its
# users are lowered in the same run.
# RUN: fxcpp opt %s --passes lower_to_aten --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes lower_to_aten -o %t.fx && fxcpp opt %t.fx --passes lower_to_aten | diff - %t.fx

graph(%x : f64[3], %z) {
  # CHECK: aten.minimum.default(%z, %x)
  # CHECK-NEXT: %half{{.*}} = aten.div.Tensor(%least, 2)
  # CHECK-NEXT: %sum{{.*}} = aten.add.Tensor(%half, 0)
  %least = torch.minimum(%z, %x)
  %half = operator.truediv(%least, 2)
  %sum = operator.add(%half, 0)
  return %sum
}
