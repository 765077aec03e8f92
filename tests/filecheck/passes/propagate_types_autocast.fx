# RUN: fxcpp opt %s --passes propagate_types --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes propagate_types,propagate_types --check-changed | FileCheck %s
# Operators have other dtypes in autocast. A graph that calls run with different settings has no
# types, so that a later propagation does not use those of one call.
graph(%x : f32[2, 3], %w : f32[3, 4], %u, %y : f32[3, 2]) {
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
  # CHECK: graph @two(%a) {
  # CHECK-NEXT: %m = aten.mm.default(%a, %a)
  graph @two(%a : f32[3, 3]) {
    %m : bf16[3, 3] = aten.mm.default(%a, %a)
    return [%m]
  }
  # An operand without a type keeps the recorded type.
  # CHECK: graph @recorded(%a : f32[2, 3], %b : f32[3, 4]) {
  # CHECK-NEXT: %m : bf16[2, 4] = aten.mm.default(%a, %b)
  graph @recorded(%a : f32[2, 3], %b : f32[3, 4]) {
    %m : bf16[2, 4] = aten.mm.default(%a, %b)
    return [%m]
  }
  # The operands have other types than the recorded ones.
  # CHECK: graph @stale(%a : f32[3, 2], %b : f32[2, 3]) {
  # CHECK-NEXT: %m = aten.mm.default(%a, %b)
  graph @stale(%a : f32[2, 3], %b : f32[3, 2]) {
    %m : bf16[2, 2] = aten.mm.default(%a, %b)
    return [%m, %b]
  }
  # CHECK: %l = higher_order.wrap_with_autocast
  # CHECK-NEXT: %k = higher_order.wrap(
  %l = higher_order.wrap_with_autocast("cpu", torch.bfloat16, True, None, @early, %x, %w)
  %k = higher_order.wrap(@early, %x, %w)
  # CHECK-NEXT: %k2 = higher_order.wrap(
  # CHECK-NEXT: %l2 = higher_order.wrap_with_autocast
  %k2 = higher_order.wrap(@late, %x, %w)
  %l2 = higher_order.wrap_with_autocast("cpu", torch.bfloat16, True, None, @late, %x, %w)
  # CHECK-NEXT: %k3 = higher_order.wrap_with_autocast
  # CHECK-NEXT: %l3 = higher_order.wrap_with_autocast
  %k3 = higher_order.wrap_with_autocast("cpu", torch.bfloat16, True, None, @two, %u)
  %l3 = higher_order.wrap_with_autocast("cpu", torch.float16, True, None, @two, %u)
  # CHECK-NEXT: %k4 : (bf16[2, 4],) = higher_order.wrap_with_autocast
  # CHECK-NEXT: %l4 : (bf16[2, 4],) = higher_order.wrap_with_autocast
  %k4 = higher_order.wrap_with_autocast("cpu", torch.bfloat16, True, None, @recorded, %x, %w)
  %l4 = higher_order.wrap_with_autocast("cpu", torch.bfloat16, True, None, @recorded, %x, %u)
  # CHECK-NEXT: %k5 = higher_order.wrap_with_autocast
  %k5 = higher_order.wrap_with_autocast("cpu", torch.bfloat16, True, None, @stale, %y, %x)
  return (%l, %k, %l2, %k2, %k3, %l3, %k4, %l4, %k5)
}
