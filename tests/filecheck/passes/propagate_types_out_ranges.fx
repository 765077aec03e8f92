# RUN: fxcpp opt %s --passes propagate_types | FileCheck %s
# Ranges resize out= only if its number of elements differs from that of the result.
graph(%a : f32[2, 3], %b : f32[2, 3], %c : f32[2, 3], %d : f32[2, 3], %e : f32[2, 3]) {
  # CHECK: %a1 : f32[2, 3] = torch.arange(6, out=%a)
  %a1 = torch.arange(6, out=%a)
  # CHECK: %b1 : f32[2, 3] = aten.linspace.out(0, 1, 6, out=%b)
  %b1 = aten.linspace.out(0, 1, 6, out=%b)
  # CHECK: %c1 : f32[2, 3] = aten.logspace.out(0, 1, 6, out=%c)
  %c1 = aten.logspace.out(0, 1, 6, out=%c)
  # CHECK: %d1 : f32[7] = aten.arange.start_out(0, 7, out=%d)
  %d1 = aten.arange.start_out(0, 7, out=%d)
  # CHECK: %e1 : f32[6] = aten.zeros.out([6], out=%e)
  %e1 = aten.zeros.out([6], out=%e)
  return (%a1, %b1, %c1, %d1, %e1)
}
