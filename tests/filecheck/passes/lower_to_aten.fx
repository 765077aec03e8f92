# RUN: fxcpp opt %s --passes=lower_to_aten | FileCheck %s

# CHECK-LABEL: graph(%x : f32[2, 3, 4], %n : SymInt(s0), %y : f32[s0, 4], %mystery) {
graph(%x : f32[2, 3, 4], %n : SymInt(s0), %y : f32[s0, 4], %mystery) {
  # Functions, methods and Python operators: the arguments determine the overload.
  # CHECK-NEXT: %a : f32[2, 3, 4] = aten.relu.default(%x)
  # CHECK-NEXT: %b_1 : f32[2, 12] = aten.view.default(%a, [2, -1])
  # CHECK-NEXT: %c : f32[2, 12] = aten.add.Tensor(%b_1, 1)
  # CHECK-NEXT: %d : f32[2, 12] = aten.rsub.Scalar(%c, 1)
  %a = torch.relu(%x)
  %b = call_method view(%a, 2, -1)
  %c = operator.add(%b, 1)
  %d = operator.sub(1, %c)
  # Known sizes are numbers; operators compute other sizes.
  # CHECK-NEXT: %e_1 : f32[3, 8] = aten.reshape.default(%x, [3, 8])
  # CHECK-NEXT: %[[SIZE:.*]] : SymInt(s0) = aten.sym_size.int(%y, 0)
  # CHECK-NEXT: %h : SymInt(4*s0) = operator.mul(%[[SIZE]], 4)
  # CHECK-NEXT: %g_1 : f32[4*s0] = aten.view.default(%y, [%h])
  %s = call_method size(%x, 1)
  %e = call_method reshape(%x, %s, 8)
  %f = call_method size(%y)
  %i = operator.getitem(%f, 0)
  %h = operator.mul(%i, 4)
  %g = call_method view(%y, %h)
  # Must not change: operators, Python operators on numbers, unknown functions.
  # CHECK: %p : f32[2, 3, 4] = aten.mul.Tensor(%x, 2)
  # CHECK-NEXT: %q : SymInt(s0 + 1) = operator.add(%n, 1)
  # CHECK-NEXT: %r = my_lib.something(%x)
  # CHECK-NEXT: %t = torch.nn.functional.multi_head_attention_forward(%x, %x, %x)
  # CHECK-NEXT: return (%d, %e_1, %g_1, %p, %q, %r, %t)
  %p = aten.mul.Tensor(%x, 2)
  %q = operator.add(%n, 1)
  %r = my_lib.something(%x)
  %t = torch.nn.functional.multi_head_attention_forward(%x, %x, %x)
  return (%d, %e, %g, %p, %q, %r, %t)
}
