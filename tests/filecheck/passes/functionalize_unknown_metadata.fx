# RUN: fxcpp opt %s --passes functionalize --check-changed | FileCheck %s
# unsqueeze_ changes the sizes of %y to unknown ones, so those of a view of it are unknown, even if
# the sizes of %y before that call are known (1075057013).
# CHECK:      %unsqueeze = aten.unsqueeze.default(%x, dim=2)
# CHECK-NEXT: %a : f64[2, 1, 1, 1][?] = aten.alias.default(%unsqueeze)
# CHECK-NEXT: %zero : f64[2, 1, 1, 1][?] = aten.zero.default(%a)
# CHECK-NOT:  f64[2, 1, 1][?]
graph(%c : f64[1][?]) {
  %x : f64[*] = aten.repeat.default(%c, [2, 1, 1])
  %y : f64[2, 1, 1] = aten.lift_fresh.default(%x)
  %u = aten.unsqueeze_.default(%y, dim=2)
  %a : f64[2, 1, 1, 1] = aten.alias.default(%y)
  %z : f64[2, 1, 1, 1] = aten.zero_.default(%a)
  %r : f64[2, 1, 1, 1] = aten.cumsum.default(%z, 1)
  return %r
}
