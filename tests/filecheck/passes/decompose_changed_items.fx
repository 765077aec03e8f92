# RUN: fxcpp opt %s --passes decompose | FileCheck %s
# The number of items of %l is unknown, so -3 may be item 3, whose type is then unknown, not f32[4] (1013237128).
# Item -2 is a different item.
graph(%u, %y : f32[4]) {
  %l = aten.unbind.int(%u)
  %a : f32[*] = operator.getitem(%l, -3)
  %b : f32[1] = operator.getitem(%l, 3)
  %w : f32[4] = aten.add.out(%y, %y, out=%a)
  # CHECK: %n{{.*}} = aten.stack.default([%b, %b], 0)
  %n = aten.stack.default([%b, %b], 0)
  %m = aten.unbind.int(%u)
  %c : f32[*] = operator.getitem(%m, -3)
  %d : f32[1] = operator.getitem(%m, -2)
  %v : f32[4] = aten.add.out(%y, %y, out=%c)
  # CHECK: %{{.*}} : f32[1, 1] = aten.unsqueeze.default(%d, 0)
  %o = aten.stack.default([%d, %d], 0)
  return (%w, %n, %v, %o)
}
