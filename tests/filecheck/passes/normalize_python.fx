# RUN: fxcpp opt %s --passes normalize_args | FileCheck %s

# Only arguments that the Python functions accept: torch.zeros_like and similar functions have no
# `out`, and functions in torch.nn.functional have no arguments that select kernels.
# CHECK-LABEL: graph(
# CHECK-NOT: {{[ (]}}out=
# CHECK-NOT: True)
# CHECK: torch.nn.functional.layer_norm(%x, [3], %w, %b, 1e-05)
# CHECK-NOT: {{[ (]}}out=
# CHECK-NOT: True)
# CHECK: return
graph(%x : f32[2, 3], %w : f32[3], %b : f32[3]) {
  %z = torch.zeros_like(%x)
  %o = torch.ones_like(%x)
  %f = torch.full_like(%x, 2)
  %r = torch.rand_like(%x)
  %n = torch.nn.functional.layer_norm(%x, [3], %w, %b)
  %g = torch.nn.functional.group_norm(%x, 3, %w, %b)
  %a = torch.add(%x, %n)
  return (%z, %o, %f, %r, %n, %g, %a)
}
