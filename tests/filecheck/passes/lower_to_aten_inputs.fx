# RUN: fxcpp opt %s --passes lower_to_aten | FileCheck %s
# If a method call shows that an input is a tensor, this also applies to operators. The kind of the
# other input is unknown.
# CHECK-LABEL: graph @inputs(
# CHECK-NEXT: %a = aten.add.Tensor(%x, 1)
# CHECK-NEXT: %b = operator.add(%n, 1)
# CHECK-NEXT: %c = operator.mul(%b, 2)
# CHECK-NEXT: %r{{.*}} = aten.relu.default(%a)
graph @inputs(%x, %n) {
  %a = operator.add(%x, 1)
  %b = operator.add(%n, 1)
  %c = operator.mul(%b, 2)
  %r = call_method relu(%a)
  return (%r, %c)
}
