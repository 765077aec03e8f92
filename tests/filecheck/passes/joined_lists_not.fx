# RUN: fxcpp opt %s --passes propagate_types,eliminate_common_subexpressions | FileCheck %s
# A product of tensors is a new tensor: a write to it does not change %x, and the equal sums of %x
# are merged. A product of a list and a number does not have the type of a number.

# CHECK-LABEL: graph(
graph(%x : f32[3], %y : f32[3]) {
  # CHECK: %s : f32[] = aten.sum.default(%x)
  # CHECK-NOT: aten.sum.default(%x)
  # CHECK: aten.sub.Tensor(%s, %s)
  %s = aten.sum.default(%x)
  %p = operator.mul(%x, 2)
  %q = operator.mul(%p, 2)
  %w = aten.add_.Tensor(%q, 1)
  %t = aten.sum.default(%x)
  %d = aten.sub.Tensor(%s, %t)
  # CHECK: %list = operator.mul([%y], 2)
  %list = operator.mul([%y], 2)
  return (%d, %w, %list)
}
