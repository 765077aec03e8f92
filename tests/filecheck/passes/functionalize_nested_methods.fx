# RUN: fxcpp opt %s --passes functionalize | FileCheck %s
# The calls of methods in a nested graph have the types of the new values that it receives.

# CHECK: graph @part(%v : f64[1][2]) {
# CHECK-NEXT: %w : f64[1][2] = call_method view_as(%v, %v)
# CHECK: %wrap : (f64[1][2],) = higher_order.wrap(@part,
# CHECK-NEXT: %g : f64[1][2] = operator.getitem(%wrap, 0)
graph(%x : f64[3]) {
  graph @part(%v : f64[1][2]{offset=1}) {
    %w : f64[1][2]{offset=1} = call_method view_as(%v, %v)
    return [%w]
  }
  graph @base(%y : f64[3]) {
    %s : f64[3] = aten.sin.default(%y)
    %p : f64[1][2]{offset=1} = aten.slice.Tensor(%s, 0, 1, 9223372036854775807, 2)
    %q : f64[1][2]{offset=1} = aten._neg_view.default(%p)
    return [%q]
  }
  %base : (f64[1][2]{offset=1},) = higher_order.wrap(@base, %x)
  %p : f64[1][2]{offset=1} = operator.getitem(%base, 0)
  %i : f64[]{offset=1} = aten.select.int(%p, 0, 0)
  %t : f64[]{offset=1} = aten.tanh_.default(%i)
  %wrap : (f64[1][2]{offset=1},) = higher_order.wrap(@part, %p)
  %g : f64[1][2]{offset=1} = operator.getitem(%wrap, 0)
  %c : f64[1] = aten.clone.default(%g)
  return (%c, %p)
}
