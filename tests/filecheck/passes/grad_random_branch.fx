# RUN: not fxcpp grad %s --wrt x 2>&1 | FileCheck %s
# RUN: not fxcpp grad %s --wrt x --mode forward 2>&1 | FileCheck %s
# RUN: fxcpp grad %s --wrt y | FileCheck %s --check-prefix=OUTSIDE

# The derivative must use the mask with which the result was computed.
# CHECK: higher_order.cond (%cond): %mask (aten.bernoulli.p) in a nested graph may draw random numbers, and the derivative would draw different ones
# OUTSIDE: %[[GRAD:.*]] : f32[3] = aten.mul.Tensor(%expand, %kept)
# OUTSIDE: return (%[[GRAD]],)
graph(%p : b8[], %x : f32[3], %y : f32[3]) {
  graph @yes(%a) {
    %mask = aten.bernoulli.p(%a, 0.5)
    %mul = aten.mul.Tensor(%a, %mask)
    return (%mul,)
  }
  graph @no(%a) {
    %sin = aten.sin.default(%a)
    return (%sin,)
  }
  %cond = higher_order.cond(%p, @yes, @no, [%x])
  %first = operator.getitem(%cond, 0)
  %kept = aten.bernoulli.p(%y, 0.5)
  %second = aten.mul.Tensor(%y, %kept)
  %sum = aten.add.Tensor(%first, %second)
  %loss = aten.sum.default(%sum)
  return %loss
}
