# RUN: fxcpp opt %s --passes decompose | FileCheck %s
# The number of items of %l is unknown, so -3 may be item 3, whose type is then unknown, not f32[4] (1013237128).
# Item -2 is a different item.
graph(%x : f32[4], %y : f32[4]) {
  %l = my.parts(%x)
  %a : f32[*] = operator.getitem(%l, -3)
  %b : f32[1] = operator.getitem(%l, 3)
  %c : f32[1] = operator.getitem(%l, -2)
  %w : f32[4] = aten.add_.Tensor(%a, %y)
  # CHECK: %n{{.*}} = aten.stack.default([%b, %b], 0)
  # CHECK: %{{.*}} : f32[1, 1] = aten.unsqueeze.default(%c, 0)
  %n = aten.stack.default([%b, %b], 0)
  %o = aten.stack.default([%c, %c], 0)
  return (%w, %n, %o)
}
