# RUN: fxcpp opt %s --passes simplify | FileCheck %s
# The input of a nested graph and the result of a call that runs one may be lazily negated views, which
# `view.dtype` rejects, so copies of them are kept (1042045133).
graph(%x : f64[2], %p : b8[]) {
  graph @body(%a : f64[2]) {
    # CHECK: %c : f64[2] = aten.clone.default(%a)
    %c : f64[2] = aten.clone.default(%a)
    %v : f32[4] = aten.view.dtype(%c, torch.float32)
    %e : f32[4] = aten.exp.default(%v)
    return [%e]
  }
  graph @negate(%a : f64[2]) {
    %n : f64[2] = aten._neg_view.default(%a)
    return [%n]
  }
  %m : f64[2] = aten.sin.default(%x)
  %n : f64[2] = aten._neg_view.default(%m)
  %r : (f32[4],) = higher_order.wrap(@body, %n)
  %s : (f64[2],) = higher_order.wrap(@negate, %m)
  %t : f64[2] = operator.getitem(%s, 0)
  # CHECK: %d : f64[2] = aten.clone.default(%t)
  %d : f64[2] = aten.clone.default(%t)
  %w : f32[4] = aten.view.dtype(%d, torch.float32)
  %u : f32[4] = aten.exp.default(%w)
  return (%r, %u)
}
