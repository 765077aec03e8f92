# RUN: fxcpp opt %s --passes propagate_types --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes propagate_types,lower_to_aten | FileCheck %s --check-prefix=RANK
# A result of unknown rank, stacked, has an unknown rank.
graph(%n : f32[], %x : f32[2, 3], %o) {
  graph @body(%c, %a, %p) {
    %b = aten.add.out(%a, 1, out=%p)
    return (%c, %b)
  }
  # CHECK: %m : (tensor[*], tensor[*]) = higher_order.scan
  %m = higher_order.scan(@body, [%n], [%x], [%o])
  %v = operator.getitem(%m, 1)
  # RANK: aten.dim.default(%v)
  %d = call_method dim(%v)
  %y = operator.mul(%v, %d)
  return %y
}
