# RUN: fxcpp opt %s --passes simplify | FileCheck %s
# RUN: fxcpp opt %s --passes eliminate_common_subexpressions | FileCheck %s
# is_set_to compares the memory of its operands, so equal copies are not interchangeable.

# CHECK-LABEL: graph(
graph(%x : f32[4]) {
  # CHECK: %a : f32[4] = aten.clone.default(%x)
  # CHECK: %b : f32[4] = aten.clone.default(%x)
  # CHECK: aten.is_set_to.default(%a, %b)
  %a : f32[4] = aten.clone.default(%x)
  %b : f32[4] = aten.clone.default(%x)
  %same : bool = aten.is_set_to.default(%a, %b)
  return %same
}
