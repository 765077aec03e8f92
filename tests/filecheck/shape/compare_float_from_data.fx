# RUN: fxcpp shape %s --compare | FileCheck %s

# PyTorch records a symbol for a float that is computed from data; fxcpp's type has none.
# CHECK: 3 nodes, 1 compared, 0 different
graph(%x : f32[]) {
  %item : SymFloat(zuf0) = aten.item.default(%x)
  return %item
}
