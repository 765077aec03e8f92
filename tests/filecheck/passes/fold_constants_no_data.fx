# REQUIRES: torch
# A note states that tensors have no data, and how to load the data.
# RUN: fxcpp opt %s --passes fold_constants 2>&1 | FileCheck %s
# RUN: fxcpp opt %s --passes eliminate_dead_code 2>&1 | FileCheck %s --check-prefix=OTHER
# CHECK: # fold_constants: 1 of 1 tensors have no data (the first is fc.w), so calls that use them are not folded; put the data next to the graph
# OTHER-NOT: no data
graph(%x : f32[2, 3]) {
  %w = get_attr fc.w
  %t = aten.t.default(%w)
  %m = aten.mm.default(%x, %t)
  return %m
}
