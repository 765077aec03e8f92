# A result of nested graphs may be written if it is a new tensor in each of them, whatever their
# other results are.
# RUN: fxcpp opt %s --passes functionalize --check-changed | FileCheck %s
graph(%p : b8[], %x : f32[2, 3]) {
  graph @yes(%a : f32[2, 3]) {
    %n : f32[2, 3] = aten.neg.default(%a)
    return [%n, %a]
  }
  graph @no(%a : f32[2, 3]) {
    %n : f32[2, 3] = aten.sin.default(%a)
    %m : f32[2, 3] = aten.exp.default(%a)
    return [%n, %m]
  }
  %c : (f32[2, 3], f32[2, 3]) = higher_order.cond(%p, @yes, @no, [%x])
  %g : f32[2, 3] = operator.getitem(%c, 0)
  %h : f32[2, 3] = operator.getitem(%c, 1)
  # CHECK: %add : f32[2, 3] = aten.add.Tensor(%g, 1)
  %w : f32[2, 3] = aten.add_.Tensor(%g, 1)
  # CHECK: return (%add, %add, %h)
  return (%w, %g, %h)
}
