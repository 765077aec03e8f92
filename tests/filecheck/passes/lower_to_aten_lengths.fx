# RUN: fxcpp opt %s --passes lower_to_aten | FileCheck %s
# CHECK-LABEL: graph @lengths(
# CHECK-NEXT: %l : int = builtins.len(%x)
# CHECK-NEXT: %g = builtins.getattr(%x, "shape")
# CHECK-NEXT: %i : int = operator.getitem(%g, 0)
# CHECK-NEXT: %a : int = operator.add(%i, %l)
# CHECK-NEXT: %[[D:.*]] : int = aten.dim.default(%x)
# CHECK-NEXT: %e : int = operator.mul(%[[D]], 2)
graph @lengths(%x) {
  %l = builtins.len(%x)
  %g = builtins.getattr(%x, "shape")
  %i = operator.getitem(%g, 0)
  %a = operator.add(%i, %l)
  %d = call_method dim(%x)
  %e = operator.mul(%d, 2)
  return (%a, %e)
}
