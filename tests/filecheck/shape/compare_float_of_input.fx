# RUN: not fxcpp shape %s --compare 2>&1 | FileCheck %s

# The symbol of a float input is not read from a tensor, so it differs from an unknown type in fxcpp.
# CHECK: recorded SymFloat(zf0)
# CHECK-NEXT: native float
# CHECK: 3 nodes, 1 compared, 1 different
graph(%x : f32[]) {
  %item : SymFloat(zf0) = aten.item.default(%x)
  return %item
}
