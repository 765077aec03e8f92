# RUN: fxcpp opt %s --passes propagate_types --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes propagate_types,propagate_types --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes 'propagate_types,decompose{set=all}' | FileCheck %s --check-prefix=CALLS
# In a region of torch.autocast, types depend on its settings, and calls are not decomposed. Other
# types depend on the default dtype.
graph(%x : f32[2, 3], %w : f32[4, 3]) {
  # CHECK: graph @part(%a, %b) {
  # CHECK-NEXT: %m = aten.linear.default(%a, %b)
  # CALLS: aten.linear.default(%a, %b)
  graph @part(%a : f32[2, 3], %b : f32[4, 3]) {
    %m = aten.linear.default(%a, %b)
    return %m
  }
  # CHECK: %before : f32[2, 4] = aten.linear.default
  # CALLS: %before : f32[2, 4] = aten.mm.default
  %before = aten.linear.default(%x, %w)
  # CALLS: _enter_autocast
  %on = torch.amp.autocast_mode._enter_autocast("cpu", torch.bfloat16, True, None)
  # CHECK: %inside = aten.linear.default
  # CALLS: %inside = aten.linear.default
  %inside : f32[2, 4] = aten.linear.default(%x, %w)
  # CHECK-NEXT: %off = torch.amp.autocast_mode._enter_autocast
  %off = torch.amp.autocast_mode._enter_autocast("cpu", torch.bfloat16, False, None)
  # CHECK-NEXT: %p = higher_order.wrap(
  %p = higher_order.wrap(@part, %x, %w)
  %1 = torch.amp.autocast_mode._exit_autocast(%off)
  # CHECK: %inner = aten.linear.default
  # CALLS: %inner = aten.linear.default
  %inner = aten.linear.default(%x, %w)
  %2 = torch.amp.autocast_mode._exit_autocast(%on)
  # CHECK: %after : f32[2, 4] = aten.linear.default
  # CALLS: %after : f32[2, 4] = aten.mm.default
  %after = aten.linear.default(%x, %w)
  # CHECK-NEXT: %n = aten.neg.default(%inside)
  %n = aten.neg.default(%inside)
  %default = torch.set_default_dtype(torch.float64)
  # CHECK: %z = aten.zeros.default([2])
  %z = aten.zeros.default([2])
  return (%before, %inside, %p, %inner, %after, %n, %z)
}
