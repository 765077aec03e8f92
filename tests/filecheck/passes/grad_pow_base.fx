# RUN: fxcpp grad %s --vjp --of yes | FileCheck %s
# RUN: not fxcpp grad %s --vjp --of number 2>&1 | FileCheck %s --check-prefix=NUMBER
# The base of a power may be a bool, whose logarithm is a number. An input as the base is rejected.
# CHECK: %yes : f32[2] = aten.pow.Scalar(True, %x)
# CHECK-NEXT: aten.mul.Tensor(%yes, 0.0)
# NUMBER: aten.pow.Scalar (%number): the base must be a constant
graph(%x : f32[2], %n : float) {
  %yes = torch.pow(True, %x)
  %number = torch.pow(%n, %x)
  return (%yes, %number)
}
