# The gradient in a row of -inf is 0. It is the derivative of the operator, not of its
# decomposition, in which softmax is NaN.
# RUN: fxcpp grad %s --vjp | FileCheck %s
# RUN: fxcpp grad --mode forward %s | FileCheck --check-prefix=FORWARD %s

# CHECK: %[[Y:.*]] : f64[2, 2] = aten._safe_softmax.default(%x, -1)
# CHECK: aten._softmax_backward_data.default(%{{.*}}, %[[Y]], -1, torch.float64)
# CHECK-NOT: where
# FORWARD: %[[Y:.*]] : f64[2, 2] = aten._safe_softmax.default(%x, -1)
# FORWARD-NOT: where
graph(%x: f64[2, 2]) {
  %y = aten._safe_softmax.default(%x, -1)
  return %y
}
