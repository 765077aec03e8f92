# RUN: fxcpp opt %s --passes lower_to_aten | FileCheck %s

# Without types: sizes, lengths and what is computed from them are numbers.
# CHECK-LABEL: graph @sizes(
# CHECK-NEXT: %[[S:.*]] : int = aten.sym_size.int(%x, 0)
# CHECK-NEXT: %a : int = operator.add(%[[S]], 1)
# CHECK-NEXT: %b : int = operator.mul(%a, 2)
# CHECK-NEXT: %c : float = operator.truediv(%b, 2)
# CHECK-NEXT: %d : bool = operator.lt(%a, 3)
graph @sizes(%x) {
  %s = call_method size(%x, 0)
  %a = operator.add(%s, 1)
  %b = operator.mul(%a, 2)
  %c = operator.truediv(%b, 2)
  %d = operator.lt(%a, 3)
  return (%b, %c, %d)
}
# -----
# CHECK-LABEL: graph @lengths(
# CHECK-NEXT: %l : int = builtins.len(%x)
# CHECK-NEXT: %g = builtins.getattr(%x, "shape")
# CHECK-NEXT: %i : int = operator.getitem(%g, 0)
# CHECK-NEXT: %a : int = operator.add(%i, %l)
# CHECK-NEXT: %[[D:.*]] : int = aten.dim.default(%x)
# CHECK-NEXT: %e : int = operator.mul(%[[D]], 2)
graph @lengths(%x) {
  %l = builtins.len(%x)
  %g = builtins.getattr(%x, "shape")
  %i = operator.getitem(%g, 0)
  %a = operator.add(%i, %l)
  %d = call_method dim(%x)
  %e = operator.mul(%d, 2)
  return (%a, %e)
}
# -----
# An input that is a tensor for a method is one for operators; of another one nothing is known.
# CHECK-LABEL: graph @inputs(
# CHECK-NEXT: %a = aten.add.Tensor(%x, 1)
# CHECK-NEXT: %b = operator.add(%n, 1)
# CHECK-NEXT: %c = operator.mul(%b, 2)
# CHECK-NEXT: %r{{.*}} = aten.relu.default(%a)
graph @inputs(%x, %n) {
  %a = operator.add(%x, 1)
  %b = operator.add(%n, 1)
  %c = operator.mul(%b, 2)
  %r = call_method relu(%a)
  return (%r, %c)
}
# -----
# After a change in place the result of the call, which is the same tensor, is read.
# CHECK-LABEL: graph @in_place(
# CHECK-NEXT: %c : f32[3, 4] = aten.clone.default(%x)
# CHECK-NEXT: %[[T:.*]] : f32[4, 3][1, 4] = aten.t_.default(%c)
# CHECK-NEXT: %[[Y:.*]] : f32[3] = aten.sum.dim_IntList(%[[T]], [0])
# CHECK-NEXT: %[[U:.*]] : f32[1, 4, 3]{{.*}} = aten.unsqueeze_.default(%[[T]], 0)
# CHECK-NEXT: return (4, [4, 3], %[[Y]], [1, 4, 3], 3)
graph @in_place(%x : f32[3, 4]) {
  %c = aten.clone.default(%x)
  %u = call_method t_(%c)
  %n = call_method size(%c, 0)
  %k = call_method size(%c)
  %y = call_method sum(%c, 0)
  %v = call_method unsqueeze_(%u, 0)
  %m = call_method size(%c)
  %d = call_method dim(%c)
  return (%n, %k, %y, %m, %d)
}
