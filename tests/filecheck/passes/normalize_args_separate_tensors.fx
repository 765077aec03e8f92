# In Python, these functions take separate tensors (`*tensors`), neither a list nor keywords, unlike
# their operators. Functions on lists of tensors name the list `self`.
# RUN: fxcpp opt %s --passes 'normalize_args{only_kwargs=true}' | FileCheck %s
# RUN: fxcpp opt %s --passes normalize_args | FileCheck %s --check-prefix=ARGS
graph(%x : f32[3]) {
  # CHECK: torch.functional.einsum("...->...", %x)
  # CHECK-NEXT: torch.einsum("i->i", [%x])
  # CHECK-NEXT: torch.functional.broadcast_tensors(%x)
  # CHECK-NEXT: torch.functional.block_diag(%x)
  # CHECK-NEXT: torch.functional.cartesian_prod(%x)
  # CHECK-NEXT: torch._foreach_abs(self=[%x])
  # CHECK-NEXT: torch.cat(tensors=[%x], dim=0)
  # ARGS: torch.functional.einsum("...->...", %x)
  %a = torch.functional.einsum("...->...", %x)
  %b = torch.einsum("i->i", [%x])
  %c = torch.functional.broadcast_tensors(%x)
  %d = torch.functional.block_diag(%x)
  %e = torch.functional.cartesian_prod(%x)
  %f = torch._foreach_abs([%x])
  %g = torch.cat([%x])
  return (%a, %b, %c, %d, %e, %f, %g)
}
