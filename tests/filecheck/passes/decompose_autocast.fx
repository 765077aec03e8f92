# RUN: fxcpp opt %s --passes 'decompose{set=all}' --check-changed | FileCheck %s
# Autocast converts the operands of linear, and not those of all operators into which it decomposes.
# The graph that disables autocast is decomposed.
graph(%x : f32[2, 3], %w : f32[4, 3], %v : f32[3]) {
  graph @on(%a : f32[2, 3], %b : f32[4, 3], %c : f32[3]) {
    # CHECK: %z = aten.silu.default(%p)
    graph @inner(%p : f32[3]) {
      %z = aten.silu.default(%p)
      return %z
    }
    # CHECK: %l = aten.linear.default(%a, %b)
    # CHECK-NEXT: %m = aten.matmul.default(%c, %c)
    %l = aten.linear.default(%a, %b)
    %m = aten.matmul.default(%c, %c)
    %i = higher_order.wrap(@inner, %c)
    return (%l, %m, %i)
  }
  # CHECK: graph @off
  # CHECK: aten.mm.default
  graph @off(%a : f32[2, 3], %b : f32[4, 3]) {
    %l = aten.linear.default(%a, %b)
    return %l
  }
  %h = higher_order.wrap_with_autocast("cpu", torch.bfloat16, True, None, @on, %x, %w, %v)
  %k = higher_order.wrap_with_autocast("cpu", torch.bfloat16, False, None, @off, %x, %w)
  return (%h, %k)
}
