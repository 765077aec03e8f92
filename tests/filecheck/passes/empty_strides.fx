# The type of an empty tensor does not determine its strides, on which `view.dtype` depends (1015018980): a call that
# returns one is neither replaced by its operand nor made in-place, and its operands keep their order.
# RUN: fxcpp opt %s --passes simplify,reinplace,eliminate_common_subexpressions{commutative=true} | FileCheck %s
graph(%x : f64[0, 1], %y : f64[0, 1], %z : f64[3, 1]) {
  # CHECK: %a : f64[0, 1] = aten.neg.default(%x)
  %a : f64[0, 1] = aten.neg.default(%x)
  # CHECK: %b : f64[0, 1] = aten.mul.Tensor(%a, 2)
  %b : f64[0, 1] = aten.mul.Tensor(%a, 2)
  # CHECK: %c : f64[0, 1] = aten.sub.Tensor(%b, 0)
  %c : f64[0, 1] = aten.sub.Tensor(%b, 0)
  # CHECK: aten.view.dtype(%c, torch.float32)
  %d : f32[0, 2] = aten.view.dtype(%c, torch.float32)
  # CHECK: aten.add.Tensor(%y, %x)
  %e : f64[0, 1] = aten.add.Tensor(%y, %x)
  # CHECK: %[[N:[a-z_0-9]+]] : f64[3, 1] = aten.neg.default(%z)
  # CHECK: aten.mul_.Tensor(%[[N]], 2)
  %f : f64[3, 1] = aten.neg.default(%z)
  %g : f64[3, 1] = aten.mul.Tensor(%f, 2)
  %h : f64[3, 1] = aten.sub.Tensor(%g, 0)
  return (%d, %e, %h)
}
