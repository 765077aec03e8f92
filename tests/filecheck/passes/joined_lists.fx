# RUN: fxcpp opt %s --passes propagate_types,simplify,eliminate_common_subexpressions | FileCheck %s
# RUN: fxcpp opt %s --passes simplify,eliminate_common_subexpressions | FileCheck %s
# Python's `*` of a list and `|` of dicts return the items of their operands: a write to an item of
# the result writes to the operand, so the clones are kept, and the two sums of each differ.

# CHECK-LABEL: graph(
graph(%x : f32[3], %y : f32[3]) {
  # CHECK-DAG: %a{{.*}} = aten.clone.default(%x)
  # CHECK-DAG: %b{{.*}} = aten.clone.default(%x)
  # CHECK-DAG: %c{{.*}} = aten.clone.default(%x)
  %a : f32[3] = aten.clone.default(%x)
  %b : f32[3] = aten.clone.default(%x)
  %c : f32[3] = aten.clone.default(%x)
  %list = operator.mul([%a], 2)
  %dict = operator.or_({"key": %b}, {"other": %y})
  # The list is the result of a function, or of a different product.
  %tuple = builtins.tuple([%c, %y])
  %twice = operator.mul(%tuple, 2)
  %four_times = operator.mul(%twice, 2)
  # CHECK: %a1 : f32[] = aten.sum.default(%a)
  # CHECK-NEXT: %b1 : f32[] = aten.sum.default(%b)
  # CHECK-NEXT: %c1 : f32[] = aten.sum.default(%c)
  %a1 : f32[] = aten.sum.default(%a)
  %b1 : f32[] = aten.sum.default(%b)
  %c1 : f32[] = aten.sum.default(%c)
  %i = operator.getitem(%list, 0)
  %j = operator.getitem(%dict, "key")
  %k = operator.getitem(%four_times, 0)
  %u = aten.add_.Tensor(%i, 1)
  %v = aten.add_.Tensor(%j, 1)
  %w = aten.add_.Tensor(%k, 1)
  # CHECK: %a2 : f32[] = aten.sum.default(%a)
  # CHECK-NEXT: %b2 : f32[] = aten.sum.default(%b)
  # CHECK-NEXT: %c2 : f32[] = aten.sum.default(%c)
  %a2 : f32[] = aten.sum.default(%a)
  %b2 : f32[] = aten.sum.default(%b)
  %c2 : f32[] = aten.sum.default(%c)
  return (%a1, %a2, %b1, %b2, %c1, %c2)
}
