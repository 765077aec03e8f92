# faults/51-size-arithmetic, 51-len-arithmetic, 27-size-after-t_: arithmetic on numbers from tensors,
# and sizes that change in place.

# pipeline: lower_to_aten
# pipeline: propagate_types,lower_to_aten
graph(%x : f32[2, 3]) {
  %s = call_method size(%x)
  %a = operator.getitem(%s, -1)
  %b = operator.sub(%a, 1)
  %c = operator.rshift(%a, 1)
  %d = operator.and_(%a, 1)
  %e = operator.eq(%a, 3)
  %f = operator.ne(%s, %s)
  %g = operator.add(%s, %s)
  %h = operator.mul(%s, 2)
  %i = builtins.sum(%s)
  %j = math.prod(%s)
  %k = builtins.int(%a)
  %l = builtins.tuple(%s)
  %m = call_method numel(%x)
  %n = operator.floordiv(%m, %a)
  %o = operator.pos(%a)
  %p = builtins.abs(%b)
  %q = builtins.min(%a, %b)
  %r = builtins.round(%a)
  %t = builtins.bool(%a)
  return (%b, %c, %d, %e, %f, %g, %h, %i, %j, %k, %l, %n, %o, %p, %q, %r, %t)
}
# pipeline: lower_to_aten
# pipeline: propagate_types,lower_to_aten
graph(%x : f32[2, 3]) {
  %s = call_method stride(%x, 0)
  %a = operator.add(%s, 1)
  %o = call_method storage_offset(%x)
  %b = operator.mul(%o, 2)
  %d = call_method ndimension(%x)
  %c = operator.sub(%d, 1)
  %n = call_method nelement(%x)
  %e = operator.truediv(%n, 2)
  %t = call_method element_size(%x)
  %f = operator.pow(%t, 2)
  return (%a, %b, %c, %e, %f)
}
# pipeline: lower_to_aten
# pipeline: propagate_types,lower_to_aten
graph(%x : f32[2, 3], %y : f32[]) {
  %s = call_method item(%y)
  %a = operator.add(%s, 1)
  %b = operator.mul(%x, %a)
  %c = call_method tolist(%y)
  %d = operator.neg(%c)
  %e = builtins.float(%y)
  %f = operator.truediv(%e, 2)
  return (%a, %b, %d, %f)
}
# pipeline: lower_to_aten
graph(%x : f32[3, 4]) {
  %c = torch.clone(%x)
  %u = call_method resize_(%c, 2, 2)
  %n = call_method size(%c, 0)
  %k = call_method numel(%c)
  %m = operator.add(%n, %k)
  return (%n, %k, %m)
}
# pipeline: lower_to_aten
graph(%x : f32[3, 4]) {
  %c = torch.clone(%x)
  %v = call_method view(%c, 12)
  %u = call_method t_(%c)
  %n = call_method size(%v, 0)
  %s = call_method stride(%c)
  %f = call_method flatten(%c)
  %w = call_method view(%v, 2, -1)
  %o = builtins.getattr(%c, "shape")
  %p = operator.getitem(%o, slice(None, None, -1))
  return (%n, %s, %f, %w, %o, %p)
}
# pipeline: lower_to_aten
# pipeline: propagate_types,lower_to_aten
graph(%x : f32[3, 4]) {
  %c = aten.clone.default(%x)
  %a = aten.sym_size.int(%c, 0)
  %u = aten.transpose_.default(%c, 0, 1)
  %b = aten.sym_size.int(%c, 0)
  %d = aten.sym_stride.int(%c, 0)
  %e = aten.sym_numel.default(%c)
  %f = aten.squeeze_.default(%c)
  %g = aten.unsqueeze_.default(%c, 0)
  %h = aten.sym_size.int(%c, 1)
  return (%a, %b, %d, %e, %h)
}
