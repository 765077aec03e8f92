# RUN: fxcpp opt %s --passes propagate_types --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes propagate_types,propagate_types --check-changed | FileCheck %s
# Operators have other dtypes in autocast. The nodes of a graph that some calls run with autocast,
# and others without it, have no types, so that a later propagation does not use those of one call.
graph(%x : f32[2, 3], %w : f32[3, 4]) {
  # CHECK: graph @early(%a, %b) {
  # CHECK-NEXT: %m = aten.mm.default(%a, %b)
  graph @early(%a : f32[2, 3], %b : f32[3, 4]) {
    %m = aten.mm.default(%a, %b)
    return [%m]
  }
  # CHECK: graph @late(%a, %b) {
  graph @late(%a : f32[2, 3], %b : f32[3, 4]) {
    # CHECK: graph @inner(%a) {
    # CHECK-NEXT: %n = aten.neg.default(%a)
    graph @inner(%a : f32[2, 3]) {
      %n = aten.neg.default(%a)
      return %n
    }
    # CHECK: %c = higher_order.wrap(@inner, %a)
    # CHECK-NEXT: %m = aten.mm.default(%a, %b)
    %c = higher_order.wrap(@inner, %a)
    %m : bf16[2, 4] = aten.mm.default(%a, %b)
    return [%m, %c]
  }
  # CHECK: %l = higher_order.wrap_with_autocast
  # CHECK-NEXT: %k : (f32[2, 4],) = higher_order.wrap
  %l = higher_order.wrap_with_autocast("cpu", torch.bfloat16, True, None, @early, %x, %w)
  %k = higher_order.wrap(@early, %x, %w)
  # CHECK-NEXT: %k2 : (f32[2, 4], f32[2, 3]) = higher_order.wrap
  # CHECK-NEXT: %l2 = higher_order.wrap_with_autocast
  %k2 = higher_order.wrap(@late, %x, %w)
  %l2 = higher_order.wrap_with_autocast("cpu", torch.bfloat16, True, None, @late, %x, %w)
  return (%l, %k, %l2, %k2)
}
