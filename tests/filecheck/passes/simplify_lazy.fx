# RUN: fxcpp opt %s --passes simplify | FileCheck %s
# What a method returns of a lazily negated view may be one, so the copy is kept.
# CHECK: %h : f64[2] = aten.clone.default(%g)
graph(%x : f64[2]) {
  %m : f64[2] = aten.sin.default(%x)
  %f : f64[2] = aten._neg_view.default(%m)
  %g : f64[2] = call_method view_as(%f, %m)
  %h : f64[2] = aten.clone.default(%g)
  %v : f32[4] = aten.view.dtype(%h, torch.float32)
  %e : f32[4] = aten.exp.default(%v)
  return %e
}
