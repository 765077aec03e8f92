# RUN: fxcpp opt %s --passes lower_to_aten | FileCheck %s
# Without types, sizes, lengths and values computed from them are numbers.
# CHECK-LABEL: graph @sizes(
# CHECK-NEXT: %[[S:.*]] : int = aten.sym_size.int(%x, 0)
# CHECK-NEXT: %a : int = operator.add(%[[S]], 1)
# CHECK-NEXT: %b : int = operator.mul(%a, 2)
# CHECK-NEXT: %c : float = operator.truediv(%b, 2)
# CHECK-NEXT: %d : bool = operator.lt(%a, 3)
graph @sizes(%x) {
  %s = call_method size(%x, 0)
  %a = operator.add(%s, 1)
  %b = operator.mul(%a, 2)
  %c = operator.truediv(%b, 2)
  %d = operator.lt(%a, 3)
  return (%b, %c, %d)
}
