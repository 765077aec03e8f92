# RUN: not fxcpp opt %s --passes propagate_types,functionalize 2>&1 | FileCheck %s
# RUN: sed 's/contiguous.default(%%t)/ravel.default(%%t)/' %s > %t.fx && not fxcpp opt %t.fx --passes propagate_types,functionalize 2>&1 | FileCheck --check-prefix=RAVEL %s
# RUN: sed 's/contiguous.default(%%t)/reshape.default(%%t, [-1])/' %s > %t.fx && not fxcpp opt %t.fx --passes propagate_types,functionalize 2>&1 | FileCheck --check-prefix=RESHAPE %s
# RUN: sed 's/"min": 1/"min": 2/' %s > %t.fx && fxcpp opt %t.fx --passes propagate_types,functionalize | FileCheck --check-prefix=COPY %s
# The result is a copy, but for n = 1 it is %t itself: the write then changes %x.

# CHECK: node w (aten.add_.Tensor) writes to node c (aten.contiguous.default), which may be a view or a copy
# RAVEL: writes to node c (aten.ravel.default), which may be a view or a copy
# RESHAPE: writes to node c (aten.reshape.default), which may be a view or a copy
# COPY: return %x
graph(%x : f32[n, 3]) {
  !symbols = {"n": {"min": 1, "max": 9}}
  %t = aten.t.default(%x)
  %c = aten.contiguous.default(%t)
  %w = aten.add_.Tensor(%c, 1)
  return %x
}
