# If a call changed the sizes or strides of a tensor in place, decompositions use the new ones. The
# type of a node states the sizes of its value when the node ran.
# RUN: fxcpp opt %s --passes decompose --check-changed | FileCheck %s
graph(%x : f32[2, 3], %y : f32[3, 2], %u, %o : f32[4], %p : f32[4], %q : f32[2, 1, 3]) {
  %a : f32[2, 3] = aten.alias.default(%x)
  %t : f32[3, 2][1, 3] = aten.t_.default(%a)
  # CHECK: aten.split_with_sizes.default(%a, [2, 1], 0)
  %s : [f32[2, 2][1, 3], f32[1, 2][1, 3]{offset=2}] = aten.split.Tensor(%a, 2, 0)
  # The sizes of the view's source do not change.
  # CHECK: aten.split_with_sizes.default(%x, [1, 1], 0)
  %v : [f32[1, 3], f32[1, 3]{offset=3}] = aten.split.Tensor(%x, 1, 0)
  # An out= with a different size.
  # CHECK: aten.permute.default(%o, [1, 0])
  %w : f32[3, 2] = aten.add.out(%y, %y, out=%o)
  %b : f32[2, 3][1, 2] = aten.t.default(%o)
  # The call is kept if sizes are unknown.
  # CHECK: aten.t.default(%p)
  %z = aten.add.out(%y, %u, out=%p)
  %c = aten.t.default(%p)
  # A method that changes its operand.
  # CHECK: aten.permute.default(%d, [1, 0])
  %d : f32[2, 1, 3] = aten.clone.default(%q)
  %e : f32[2, 3] = call_method squeeze_(%d)
  %f : f32[3, 2][1, 3] = aten.mT.default(%d)
  # Both getitems return the same tensor.
  # CHECK: aten.permute.default(%h2, [1, 0])
  %l : [f32[1, 2], f32[1, 2]{offset=2}, f32[1, 2]{offset=4}] = aten.split.Tensor(%y, 1)
  %h1 : f32[1, 2] = operator.getitem(%l, 0)
  %h2 : f32[1, 2] = operator.getitem(%l, -3)
  %g : f32[2][1] = aten.squeeze_.dim(%h1, 0)
  %k : f32[1, 2] = aten.unsqueeze_.default(%h1, 0)
  %n : f32[2, 1][1, 2] = aten.t_.default(%h1)
  %r : f32[1, 2] = aten.t.default(%h2)
  return (%s, %v, %b, %c, %f, %r)
}
