# RUN: fxcpp opt %s --passes functionalize --check-changed | FileCheck %s
# A squeeze keeps a dimension of size 2, even if the rank of the result is unknown. The strides and
# the rank of the negation are unknown; a copy has the strides of the tensor.
# CHECK:      %neg : tensor[3, 2][?] = aten.neg.default(%s)
# CHECK-NEXT: %copy : tensor[3, 2] = aten.copy.default(%x, %neg)
# CHECK-NEXT: %s_1 : f32[*] = aten.squeeze.dim(%copy, 1)
# CHECK-NEXT: %copy_ = aten.copy_.default(%x, %copy)
graph(%x : tensor[3, 2]) {
  %s : f32[*] = aten.squeeze.dim(%x, 1)
  %w : f32[*] = aten.neg_.default(%s)
  return %s
}
