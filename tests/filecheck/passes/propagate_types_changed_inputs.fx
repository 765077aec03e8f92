# RUN: fxcpp opt %s --passes propagate_types --check-changed | FileCheck %s
# The type of a tensor is unknown after a call changes the sizes or strides of a value that may be the same tensor.
graph(%x : f32[2, 3], %y : f32[2, 3], %v : f32[2, 3], %p : f32[2, 3] !{shared_memory=0}, %q : f32[2, 3] !{shared_memory=0}) {
  # Two inputs of a nested graph may be one tensor, or an attribute.
  # CHECK: graph @part(%a : f32[2, 3], %b : f32[2, 3], %c : f32[3], %l : [f32[2, 3], f32[3]])
  graph @part(%a : f32[2, 3], %b : f32[2, 3], %c : f32[3], %l : [f32[2, 3], f32[3]]) {
    %w : f32[2, 3] = get_attr w
    %l0 : f32[2, 3] = operator.getitem(%l, 0)
    %l1 : f32[3] = operator.getitem(%l, 1)
    %t : f32[3, 2][1, 3] = aten.t_.default(%a)
    # CHECK: %a1 : f32[3, 2][1, 3] = aten.add.Tensor(%a, 1)
    %a1 = aten.add.Tensor(%a, 1)
    # CHECK: %b1 = aten.add.Tensor(%b, 1)
    %b1 = aten.add.Tensor(%b, 1)
    # CHECK: %c1 : f32[3] = aten.add.Tensor(%c, 1)
    %c1 = aten.add.Tensor(%c, 1)
    # CHECK: %w1 = aten.add.Tensor(%w, 1)
    %w1 = aten.add.Tensor(%w, 1)
    # CHECK: %l2 = aten.add.Tensor(%l0, 1)
    %l2 = aten.add.Tensor(%l0, 1)
    # CHECK: %l3 : f32[3] = aten.add.Tensor(%l1, 1)
    %l3 = aten.add.Tensor(%l1, 1)
    return [%a1, %b1, %c1, %w1, %l2, %l3]
  }
  # A method and an unknown operator may return their operand.
  %m : f32[2, 3] = call_method contiguous(%x)
  %f : f32[2, 3] = my.function.default([%x])
  %g : f32[3] = my.function.default(%x)
  %t : f32[3, 2][1, 3] = call_method t_(%x)
  # CHECK: %m1 = aten.add.Tensor(%m, 1)
  %m1 = aten.add.Tensor(%m, 1)
  # CHECK: %f1 = aten.add.Tensor(%f, 1)
  %f1 = aten.add.Tensor(%f, 1)
  # CHECK: %g1 : f32[3] = aten.add.Tensor(%g, 1)
  %g1 = aten.add.Tensor(%g, 1)
  # Inputs of the outermost graph are different tensors, unless they share memory.
  # CHECK: %y1 : f32[2, 3] = aten.add.Tensor(%y, 1)
  %y1 = aten.add.Tensor(%y, 1)
  %s : f32[3, 2][1, 3] = aten.t_.default(%p)
  # CHECK: %q1 = aten.add.Tensor(%q, 1)
  %q1 = aten.add.Tensor(%q, 1)
  # Both nodes return the same attribute; a different attribute may be the same tensor.
  %w1 : f32[2, 3] = get_attr w
  %w2 : f32[2, 3] = get_attr w
  %u : f32[2, 3] = get_attr u
  %r : f32[3, 2][1, 3] = aten.t_.default(%w1)
  # CHECK: %w3 : f32[3, 2][1, 3] = aten.add.Tensor(%w2, 1)
  %w3 = aten.add.Tensor(%w2, 1)
  # CHECK: %u1 = aten.add.Tensor(%u, 1)
  %u1 = aten.add.Tensor(%u, 1)
  # CHECK: %v1 : f32[2, 3] = aten.add.Tensor(%v, 1)
  %v1 = aten.add.Tensor(%v, 1)
  return (%m1, %f1, %g1, %y1, %q1, %w3, %u1, %v1)
}
