# RUN: fxcpp opt %s --passes functionalize --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes propagate_types,functionalize --check-changed | FileCheck %s
# The operand is a new tensor, which starts at offset 0, and so is the input of the graph.
graph(%x : f32[6]) {
  # CHECK: graph @body(%p : f32[3]) {
  graph @body(%p : f32[3]{offset=1}) {
    %t = aten.mul.Tensor(%p, 2)
    return (%p, %t)
  }
  %v : f32[3]{offset=1} = aten.slice.Tensor(%x, 0, 1, 4)
  %w : f32[3]{offset=1} = aten.mul_.Tensor(%v, 3)
  %h = higher_order.wrap_with_autocast("cpu", torch.bfloat16, True, None, @body, %w)
  %r = operator.getitem(%h, 0)
  return %r
}
