# RUN: fxcpp opt %s --passes functionalize --check-changed | FileCheck %s
# A squeeze of a dimension of size 2 keeps it, even if the rank of its result is unknown.
# The strides of the negation are unknown, as its rank is; a copy has those of the tensor.
# CHECK:      %neg : tensor[3, 2][?] = aten.neg.default(%s)
# CHECK-NEXT: %copy : tensor[3, 2] = aten.copy.default(%x, %neg)
# CHECK-NEXT: %copy_ = aten.copy_.default(%x, %copy)
graph(%x : tensor[3, 2]) {
  %s : f32[*] = aten.squeeze.dim(%x, 1)
  %w : f32[*] = aten.neg_.default(%s)
  return %s
}
