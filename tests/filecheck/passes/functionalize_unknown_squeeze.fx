# RUN: fxcpp opt %s --passes functionalize --check-changed | FileCheck %s
# A squeeze of a dimension of size 2 keeps it, also if the rank of its result is unknown.
# CHECK:      %neg : tensor[3, 2] = aten.neg.default(%s)
# CHECK-NEXT: %copy_ = aten.copy_.default(%x, %neg)
graph(%x : tensor[3, 2]) {
  %s : f32[*] = aten.squeeze.dim(%x, 1)
  %w : f32[*] = aten.neg_.default(%s)
  return %s
}
