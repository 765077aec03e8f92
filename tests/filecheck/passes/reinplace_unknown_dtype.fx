# Must not change: two unknown dtypes may differ. The quotient is complex.
# RUN: fxcpp opt %s --passes reinplace --check-changed | FileCheck %s
# CHECK: %b : tensor[4] = aten.div.Tensor(%a, complex(0.0, 1.0))
graph(%x : tensor[4]) {
  %a : tensor[4] = aten.neg.default(%x)
  %b : tensor[4] = aten.div.Tensor(%a, complex(0.0, 1.0))
  return %b
}
