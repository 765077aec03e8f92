# RUN: fxcpp opt %s --passes lower_to_aten | FileCheck %s
# Python tests a flag: 1 is true, and None and 0 are false.

# CHECK: aten.relu_.default(%x)
# CHECK: aten.leaky_relu_.default(%x, 0.2)
# CHECK: aten.silu.default(%x)
# CHECK: aten.feature_dropout_.default(%y, 0.5, False)
# CHECK: %e : (f32[1, 2, 2], i64[1, 2, 2]) = aten.adaptive_max_pool1d.default(%y, [2])
# CHECK: torch.nn.functional.elu(%x, 1.0, %n)
# CHECK: torch.nonzero(%x, as_tuple=1)
graph(%x : f32[3], %y : f32[1, 2, 4], %n = False) {
  %a = torch.nn.functional.relu(%x, 1)
  %b = torch.nn.functional.leaky_relu(%x, 0.2, inplace=2)
  %c = torch.nn.functional.silu(%x, None)
  %d = torch.nn.functional.dropout1d(%y, 0.5, False, 1)
  %e = torch.nn.functional.adaptive_max_pool1d(%y, 2, 1)
  %f = torch.nn.functional.elu(%x, 1.0, %n)
  %g = torch.nonzero(%x, as_tuple=1)
  return (%a, %b, %c, %d, %e, %f, %g)
}
