# RUN: fxcpp opt %s --passes simplify | FileCheck %s
# RUN: fxcpp opt %s --passes eliminate_common_subexpressions | FileCheck %s --check-prefix=CSE
# RUN: sed 's/aten.add.out(%%y, %%y, out=%%x)/aten.add.Tensor(%%y, %%y)/; s/aten.t_.default(%%a)/aten.neg.default(%%a)/' %s > %t
# RUN: fxcpp opt %t --passes simplify | FileCheck %s --check-prefix=PURE
# A view of an input is a different tensor from the input: if a call in an enclosing graph changes
# the sizes of one, the other does not change. This also applies to two results, and to a graph that
# changes its input.
graph(%x : f32[4, 6], %y : f32[3, 2, 4], %z : f32[2, 2]) {
  # CHECK: graph @views
  # PURE: graph @views
  # CSE: graph @views
  graph @views(%a : f32[4, 6], %b : f32[2]) {
    # CHECK: %view : f32[4, 6] = aten.view.default(%a
    # PURE-NOT: aten.view
    %view : f32[4, 6] = aten.view.default(%a, [4, 6])
    %new : f32[2] = aten.neg.default(%b)
    # CHECK: %again : f32[2] = aten.view.default(%new
    # CSE: %again : f32[2] = aten.view.default(%new
    # CSE: %other : f32[2] = aten.view.default(%new
    %again : f32[2] = aten.view.default(%new, [2])
    %other : f32[2] = aten.view.default(%new, [2])
    return (%view, %new, %again, %other)
  }
  graph @change(%a : f32[2, 2]) {
    %t = aten.t_.default(%a)
    return (%t,)
  }
  %b = aten.select.int(%z, 0, 0)
  %run = higher_order.wrap(@views, %x, %b)
  %item = operator.getitem(%run, 0)
  %out = aten.add.out(%y, %y, out=%x)
  # CHECK: %same : f32[2, 2] = aten.view.default(%z
  # PURE-NOT: aten.view
  # PURE: return
  %same : f32[2, 2] = aten.view.default(%z, [2, 2])
  %changed = higher_order.wrap(@change, %z)
  return (%run, %item, %same)
}
