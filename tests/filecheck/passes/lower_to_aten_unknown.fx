# RUN: fxcpp opt %s --passes lower_to_aten | FileCheck %s
# An unknown rank is not 0, and an unknown dtype is not a constant: the calls stay.
# CHECK-LABEL: graph @unknown(
# CHECK-NEXT: %n : int = builtins.getattr(%x, "ndim")
# CHECK-NEXT: %s = builtins.getattr(%x, "shape")
# CHECK-NEXT: %{{.*}} : int = aten.dim.default(%x)
# CHECK-NEXT: %z = call_method size(%x)
# CHECK-NEXT: %st = call_method stride(%x)
# CHECK-NEXT: %m = torch.nn.functional.softmin(%x)
# CHECK-NEXT: %k = torch.nn.functional.kl_div(%x, %y, reduction="batchmean")
# CHECK-NEXT: %sm = torch.nn.functional.softmax(%x)
# CHECK-NEXT: %t = torch.functional.tensordot(%x, %y, 0)
# CHECK-NEXT: %e = builtins.getattr(%u, "dtype")
# CHECK-NEXT: %i : int = builtins.getattr(%u, "itemsize")
# CHECK-NEXT: %b = torch.nn.functional.embedding_bag(%u, %w)
# Calls created by a lowering that fails are removed.
# CHECK-NEXT: %g = torch.nn.functional.gaussian_nll_loss(%x, %x, %x)
# CHECK-NEXT: return
graph @unknown(%x : f32[*], %y : f32[*], %u : tensor[2, 3], %w : f32[10, 4]) {
  %n = builtins.getattr(%x, "ndim")
  %s = builtins.getattr(%x, "shape")
  %d = call_method dim(%x)
  %z = call_method size(%x)
  %st = call_method stride(%x)
  %m = torch.nn.functional.softmin(%x)
  %k = torch.nn.functional.kl_div(%x, %y, reduction="batchmean")
  %sm = torch.nn.functional.softmax(%x)
  %t = torch.functional.tensordot(%x, %y, 0)
  %e = builtins.getattr(%u, "dtype")
  %i = builtins.getattr(%u, "itemsize")
  %b = torch.nn.functional.embedding_bag(%u, %w)
  %g = torch.nn.functional.gaussian_nll_loss(%x, %x, %x)
  return (%n, %s, %d, %z, %st, %m, %k, %sm, %t, %e, %i, %b, %g)
}
