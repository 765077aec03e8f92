# RUN: fxcpp opt %s --passes omit_default_arguments --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes omit_default_arguments,normalize_args --check-changed | FileCheck %s --check-prefix=BACK
graph(%x, %y) {
  # Omits keyword arguments, and positional arguments starting with the last one; normalize_args
  # adds them again.
  # CHECK:     %a = aten.add.Tensor(%x, %y)
  # CHECK:     %b = aten.sum.dim_IntList(%a, [0])
  # CHECK:     %c = aten.addmm.default(%a, %x, %y)
  # BACK:      %a = aten.add.Tensor(%x, %y, alpha=1)
  # BACK-NEXT: %b = aten.sum.dim_IntList(%a, [0], False, dtype=None)
  # BACK-NEXT: %c = aten.addmm.default(%a, %x, %y, beta=1, alpha=1)
  %a = aten.add.Tensor(%x, %y, alpha=1)
  %b = aten.sum.dim_IntList(%a, [0], False, dtype=None)
  %c = aten.addmm.default(%a, %x, %y, beta=1, alpha=1)
  # Must not change: a value that differs from the default, a default before such a value, a number
  # of a different kind, an unknown operator.
  # CHECK-NEXT: %d = aten.add.Tensor(%x, %y, alpha=2)
  # CHECK-NEXT: %e = aten.softmax.int(%x, 0, torch.float32)
  # CHECK-NEXT: %f = aten.conv2d.default(%x, %y, None, [1, 1], [1, 1])
  # CHECK-NEXT: %g = user.function(%x, 1, alpha=1)
  %d = aten.add.Tensor(%x, %y, alpha=2)
  %e = aten.softmax.int(%x, 0, torch.float32)
  %f = aten.conv2d.default(%x, %y, None, [1, 1], [1, 1], [1, 1], 1)
  %g = user.function(%x, 1, alpha=1)
  return (%b, %c, %d, %e, %f, %g)
}
