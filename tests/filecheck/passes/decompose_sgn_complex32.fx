# RUN: fxcpp opt %s --passes decompose | FileCheck %s
# libtorch has no kernel of div for complex32 (1002076268).
# CHECK: %[[WIDE:[a-z_0-9]+]] : c64[3] = aten._to_copy.default(%x, dtype=torch.complex64)
# CHECK: aten.abs.default(%[[WIDE]])
# CHECK: c64[3] = aten.div.Tensor(%[[WIDE]],
# CHECK: %[[A:[a-z_0-9]+]] : c32[3] = aten._to_copy.default({{.*}}, dtype=torch.complex32)
# CHECK: aten.abs.default(%y)
# CHECK: return (%[[A]],
graph(%x : c32[3], %y : c64[3]) {
  %a : c32[3] = aten.sgn.default(%x)
  %b : c64[3] = aten.sgn.default(%y)
  return (%a, %b)
}
