# A result of nested graphs must not be written if it may be an operand, a view of an operand, or
# another result.
# RUN: not fxcpp opt %s --passes functionalize 2>&1 | FileCheck %s
# RUN: not fxcpp opt %s --passes propagate_types,functionalize 2>&1 | FileCheck %s
# CHECK: node w (aten.add_.Tensor) writes to node g (operator.getitem), a result of node c (higher_order.cond), which may share memory with an operand or with another result of this call: return a clone of it (aten.clone) from the nested graphs
graph(%p : b8[], %x : f32[2, 3]) {
  graph @yes(%a : f32[2, 3]) {
    %n : f32[2, 3] = aten.neg.default(%a)
    return [%n, %n]
  }
  graph @no(%a : f32[2, 3]) {
    %n : f32[2, 3] = aten.neg.default(%a)
    %m : f32[2, 3] = aten.exp.default(%a)
    return [%n, %m]
  }
  %c : (f32[2, 3], f32[2, 3]) = higher_order.cond(%p, @yes, @no, [%x])
  %g : f32[2, 3] = operator.getitem(%c, 0)
  %w : f32[2, 3] = aten.add_.Tensor(%g, 1)
  return %w
}
