# RUN: fxcpp shape %s --sweep s0=4 --compare | FileCheck %s
# A symbolic float or bool that is constant at a size is the number of the calls at this size.
# CHECK:      r : float(1.3333333333333333)
# CHECK-NEXT: l : bool(True)
# CHECK-NEXT: 3 compared with the symbolic types, 0 different
graph(%x : f32[s0, 6]) {
  %n = call_method size(%x, 0)
  %r = operator.truediv(%n, 3)
  %l = operator.lt(%n, 5)
  return (%r, %l)
}
