# RUN: fxcpp opt %s --passes simplify | FileCheck %s
# RUN: fxcpp opt %s --passes eliminate_common_subexpressions | FileCheck %s
# is_set_to compares the memory of its operands, and `is` the tensors, so equal copies and views are
# not interchangeable.

# CHECK-LABEL: graph(
graph(%x : f32[4]) {
  # CHECK: %a : f32[4] = aten.clone.default(%x)
  # CHECK: %b : f32[4] = aten.clone.default(%x)
  # CHECK: %v : f32[4] = aten.view.default(%a, [4])
  # CHECK: aten.is_set_to.default(%a, %b)
  # CHECK: operator.is_(%a, %b)
  # CHECK: operator.is_not(%v, %a)
  %a : f32[4] = aten.clone.default(%x)
  %b : f32[4] = aten.clone.default(%x)
  %v : f32[4] = aten.view.default(%a, [4])
  %same : bool = aten.is_set_to.default(%a, %b)
  %is : bool = operator.is_(%a, %b)
  %is_not : bool = operator.is_not(%v, %a)
  return (%same, %is, %is_not)
}
