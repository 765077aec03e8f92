# RUN: fxcpp opt %s --passes propagate_types --check-changed | FileCheck %s
# A call to a graph has the type of the graph's result. Inside autocast, recorded types are kept.
graph(%x : f32[2, 3], %w : f32[3, 4]) {
  graph @part(%a : f32[2, 3], %b : f32[3, 4]) {
    # CHECK: %mm : f32[2, 4] = aten.mm.default(%a, %b)
    %mm = aten.mm.default(%a, %b)
    return (%mm, %a)
  }
  graph @one(%a : f32[2, 3]) {
    # CHECK: %sum : f32[] = aten.sum.default(%a)
    %sum = aten.sum.default(%a)
    return %sum
  }
  graph @low(%a : f32[2, 3], %b : f32[3, 4]) {
    # CHECK: %mm : bf16[2, 4] = aten.mm.default(%a, %b)
    %mm : bf16[2, 4] = aten.mm.default(%a, %b)
    return (%mm,)
  }
  graph @none(%a : f32[2, 3]) {
    %add_ = aten.add_.Tensor(%a, 1)
    return ()
  }
  # CHECK: %g : (f32[2, 4], f32[2, 3]) = higher_order.wrap_with_set_grad_enabled
  # CHECK: %i : (f32[2, 4], f32[2, 3]) = higher_order.invoke_subgraph
  # CHECK: %c : f32[] = higher_order.tag_activation_checkpoint
  # CHECK: %l : (bf16[2, 4],) = higher_order.wrap_with_autocast
  # CHECK: %n : () = higher_order.wrap_with_set_grad_enabled
  %g = higher_order.wrap_with_set_grad_enabled(False, @part, %x, %w)
  %i = higher_order.invoke_subgraph(@part, "part_0", %x, %w)
  %c = higher_order.tag_activation_checkpoint(@one, %x)
  %l = higher_order.wrap_with_autocast("cpu", torch.bfloat16, True, None, @low, %x, %w)
  %n = higher_order.wrap_with_set_grad_enabled(False, @none, %x)
  return (%g, %i, %c, %l)
}
