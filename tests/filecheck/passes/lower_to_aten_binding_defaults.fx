# RUN: fxcpp opt %s --passes lower_to_aten | FileCheck %s
# RUN: fxcpp opt %s --passes normalize_args | FileCheck %s --check-prefix=NORMAL
# torch's bindings read the default `Mean` of a reduction as 0 (none), and factories accept
# requires_grad.

# CHECK: %a : f32[2, 3] = aten.kl_div.default(%x, %t, 0)
# CHECK-NEXT: %b : f32[2, 3] = aten.mse_loss.default(%x, %t, 0)
# CHECK-NEXT: %c : f32[2] = aten.triplet_margin_loss.default(%x, %t, %t, 1.0, 2.0, 1e-06, False, 0)
# CHECK-NEXT: %d : f32[] = aten.kl_div.default(%x, %t, 1)
# CHECK-NEXT: %e : f32[] = aten.kl_div.default(%x, %t)
# CHECK-NEXT: %z : f32[2, 3] = aten.zeros.default([2, 3])
# CHECK-NEXT: %l : f32[2, 3] = aten.ones_like.default(%x)
# NORMAL: %a = torch.kl_div(%x, %t, 0, log_target=False)
# NORMAL-NEXT: %b = torch._C._nn.mse_loss(%x, %t, 0)
# NORMAL: %d = torch.kl_div(%x, %t, 1, log_target=False)
graph(%x : f32[2, 3], %t : f32[2, 3]) {
  %a = torch.kl_div(%x, %t)
  %b = torch._C._nn.mse_loss(%x, %t)
  %c = torch.triplet_margin_loss(%x, %t, %t)
  %d = torch.kl_div(%x, %t, reduction=1)
  %e = aten.kl_div(%x, %t)
  %z = torch.zeros(2, 3, requires_grad=False)
  %l = torch.ones_like(%x, requires_grad=None)
  return (%a, %b, %c, %d, %e, %z, %l)
}
