# RUN: fxcpp opt %s --passes propagate_types | FileCheck %s
# The number of items of %l is unknown, so -3 may be item 3, which then is not f32[4] (1013237128).
graph(%x : f32[4], %y : f32[4]) {
  graph @part(%p : f32[4]) {
    return [%p, %p]
  }
  %l = higher_order.wrap(@part, %x)
  %a : f32[*] = operator.getitem(%l, -3)
  %b : f32[1] = operator.getitem(%l, 3)
  %w : f32[4] = aten.add_.Tensor(%a, %y)
  # CHECK: %n{{( : tensor[^ ]*)?}} = aten.neg.default(%b)
  %n = aten.neg.default(%b)
  return (%w, %n)
}
