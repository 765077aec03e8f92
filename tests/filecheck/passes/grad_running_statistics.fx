# No gradient passes through the running statistics that a batch norm updates: the second batch norm
# has no derivative with respect to them.
# RUN: fxcpp grad %s --vjp --wrt x --wrt y | FileCheck %s
# RUN: fxcpp grad %s --mode forward --wrt x --wrt y | FileCheck %s --check-prefix=FORWARD
# CHECK: %[[Y:.*]] : (f64[4, 3], none, none) = aten.native_batch_norm_backward.default(%{{.*}}, %y,
# CHECK: %[[DY:.*]] : f64[4, 3] = operator.getitem(%[[Y]], 0)
# CHECK: %[[X:.*]] : (f64[4, 3], none, none) = aten.native_batch_norm_backward.default(%{{.*}}, %x,
# CHECK: %[[DX:.*]] : f64[4, 3] = operator.getitem(%[[X]], 0)
# CHECK: return (({{.*}}), (%[[DX]], %[[DY]]))
# FORWARD: return
graph(%x : f64[4, 3], %y : f64[4, 3], %r : f64[3], %v : f64[3]) {
  %a = torch.nn.functional.batch_norm(%x, %r, %v, None, None, True)
  %b = torch.nn.functional.batch_norm(%y, %r, %v)
  return (%a, %b)
}
