# faults/02-simplify-two-results, 02-simplify-view-of-input, 03-cse-two-results, 62-branch-results:
# values that share memory.

# pipeline: simplify
graph(%x : f32[4, 6]) {
  %r : f32[4, 6] = aten.relu.default(%x)
  %c : f32[4, 6] = aten.clone.default(%r)
  %v : f32[24] = aten.view.default(%r, [24])
  return (%c, %v)
}
# pipeline: simplify
graph(%x : f32[4, 6]) {
  %v : f32[24] = aten.view.default(%x, [24])
  %y : f32[24] = aten.mul.Tensor(%v, 1)
  return %y
}
# pipeline: eliminate_common_subexpressions
graph(%n : f32[5]) {
  %a : f32[5] = aten.zeros_like.default(%n)
  %b : f32[5] = aten.zeros_like.default(%n)
  %v : f32[5, 1] = aten.unsqueeze.default(%b, 1)
  return (%a, %v)
}
# All forms of copies of one input.
# pipeline: simplify
graph(%x : f32[4, 6]) {
  %a : f32[4, 6] = aten.add.Tensor(%x, 0)
  %b : f32[4, 6] = aten.sub.Tensor(%x, 0)
  %c : f32[4, 6] = aten.div.Tensor(%x, 1)
  %d : f32[4, 6] = aten.pow.Tensor_Scalar(%x, 1)
  %e : f32[4, 6] = aten.neg.default(%x)
  %f : f32[4, 6] = aten.neg.default(%e)
  %g : f32[4, 6] = aten.to.dtype(%x, torch.float32, False, True)
  %h : f32[4, 6] = aten._to_copy.default(%x)
  %i : f32[4, 6] = aten.clone.default(%x)
  %j : f32[4, 6] = aten.repeat.default(%x, [1, 1])
  %k : f32[4, 6] = aten.cat.default([%x])
  return (%a, %b, %c, %d, %f, %g, %h, %i, %j, %k)
}
# All forms of views that return their operand.
# pipeline: simplify
graph(%x : f32[4, 6]) {
  %a : f32[4, 6] = aten.view.default(%x, [4, 6])
  %b : f32[4, 6] = aten.reshape.default(%x, [4, 6])
  %c : f32[4, 6] = aten.contiguous.default(%x)
  %d : f32[4, 6] = aten.to.dtype(%x, torch.float32)
  %e : f32[4, 6] = aten.expand.default(%x, [4, 6])
  %f : f32[4, 6] = aten.detach.default(%x)
  %g : f32[4, 6] = aten.alias.default(%x)
  %h : f32[4, 6] = aten.slice.Tensor(%x, 0)
  %i : f32[4, 6] = aten.permute.default(%x, [0, 1])
  %t : f32[6, 4][1, 6] = aten.t.default(%x)
  %j : f32[4, 6] = aten.t.default(%t)
  %k : f32[4, 6] = aten.squeeze.default(%x)
  %l : f32[4, 6] = aten.dropout.default(%x, 0.5, False)
  return (%a, %b, %c, %d, %e, %f, %g, %h, %i, %j, %k, %l)
}
# The copy and then its source are written through views.
# pipeline: simplify,eliminate_common_subexpressions,eliminate_dead_code
graph(%x : f32[4, 6], %y : f32[6]) {
  %a : f32[4, 6] = aten.mul.Tensor(%x, 1)
  %r : f32[6] = aten.select.int(%a, 0, 1)
  %w : f32[6] = aten.copy_.default(%r, %y)
  %b : f32[4, 6] = aten.mul.Tensor(%x, 1)
  %s : f32[6] = aten.select.int(%x, 0, 2)
  %u : f32[6] = aten.zero_.default(%s)
  %c : f32[4, 6] = aten.mul.Tensor(%x, 1)
  return (%a, %b, %c)
}
# Two lists of views, one of which is written.
# pipeline: eliminate_common_subexpressions
graph(%x : f32[4, 6]) {
  %c : f32[4, 6] = aten.clone.default(%x)
  %p : [f32[2, 6], f32[2, 6]{offset=12}] = aten.split.Tensor(%c, 2)
  %q : [f32[2, 6], f32[2, 6]{offset=12}] = aten.split.Tensor(%c, 2)
  %a : f32[2, 6] = operator.getitem(%p, 0)
  %b : f32[2, 6] = operator.getitem(%q, 0)
  %w : f32[2, 6] = aten.neg_.default(%a)
  return (%a, %b)
}
# Pieces that are copies: unsafe_split has the same storage.
# pipeline: eliminate_common_subexpressions
graph(%x : f32[4, 6]) {
  %p : [f32[2, 6], f32[2, 6]] = aten.split_copy.Tensor(%x, 2)
  %q : [f32[2, 6], f32[2, 6]] = aten.split_copy.Tensor(%x, 2)
  %a : f32[2, 6] = operator.getitem(%p, 0)
  %b : f32[2, 6] = operator.getitem(%q, 0)
  return (%a, %b)
}
# A call whose results are each returned twice.
# pipeline: eliminate_common_subexpressions
graph(%x : f32[4, 6]) {
  %p : (f32[4], i64[4]) = aten.max.dim(%x, 1)
  %q : (f32[4], i64[4]) = aten.max.dim(%x, 1)
  %a : f32[4] = operator.getitem(%p, 0)
  %b : f32[4] = operator.getitem(%q, 0)
  %c : i64[4] = operator.getitem(%q, 1)
  return (%a, %b, %c)
}
# pipeline: eliminate_common_subexpressions
graph(%p : b8[], %x : f32[3]) {
  graph @t(%x : f32[3]) {
    %a : f32[3] = aten.neg.default(%x)
    %b : f32[3] = aten.neg.default(%x)
    return (%a, %b)
  }
  graph @f(%x : f32[3]) {
    %a : f32[3] = aten.cos.default(%x)
    %b : f32[3] = aten.sin.default(%x)
    return (%a, %b)
  }
  %c : (f32[3], f32[3]) = higher_order.cond(%p, @t, @f, (%x,))
  %a : f32[3] = operator.getitem(%c, 0)
  %b : f32[3] = operator.getitem(%c, 1)
  %w : f32[3] = aten.add_.Tensor(%a, 1)
  return (%a, %b)
}
# A branch copies its operand; the operand is written outside the branch.
# pipeline: simplify,eliminate_common_subexpressions
graph(%p : b8[], %x : f32[3]) {
  graph @t(%x : f32[3]) {
    %a : f32[3] = aten.clone.default(%x)
    return (%a,)
  }
  graph @f(%x : f32[3]) {
    %a : f32[3] = aten.mul.Tensor(%x, 1)
    return (%a,)
  }
  %c : (f32[3],) = higher_order.cond(%p, @t, @f, (%x,))
  %a : f32[3] = operator.getitem(%c, 0)
  %w : f32[3] = aten.add_.Tensor(%a, 1)
  return %x
}
# A branch returns a copy of its operand and a view of the operand.
# pipeline: simplify
graph(%p : b8[], %x : f32[2, 3]) {
  graph @t(%x : f32[2, 3]) {
    %r : f32[2, 3] = aten.relu.default(%x)
    %a : f32[2, 3] = aten.clone.default(%r)
    %v : f32[6] = aten.view.default(%r, [6])
    return (%a, %v)
  }
  graph @f(%x : f32[2, 3]) {
    %a : f32[2, 3] = aten.sin.default(%x)
    %b : f32[6] = aten.zeros.default([6])
    return (%a, %b)
  }
  %c : (f32[2, 3], f32[6]) = higher_order.cond(%p, @t, @f, (%x,))
  %a : f32[2, 3] = operator.getitem(%c, 0)
  %b : f32[6] = operator.getitem(%c, 1)
  %w : f32[2, 3] = aten.add_.Tensor(%a, 1)
  return (%a, %b)
}
# A wrapped graph that returns its operand twice.
# pipeline: simplify,eliminate_common_subexpressions
graph(%x : f32[3]) {
  graph @t(%x : f32[3]) {
    %a : f32[3] = aten.add.Tensor(%x, 0)
    %b : f32[3] = aten.add.Tensor(%x, 0)
    return (%a, %b)
  }
  %c : (f32[3], f32[3]) = higher_order.wrap(@t, %x)
  %a : f32[3] = operator.getitem(%c, 0)
  %b : f32[3] = operator.getitem(%c, 1)
  %w : f32[3] = aten.mul_.Tensor(%a, 2)
  return (%a, %b)
}
# Results that are constants: the caller may write to them.
graph(%x : f32[2]) {
  %a : f32[2] = aten.ones.default([2])
  %b : f32[2] = aten.ones.default([2])
  %c : f32[2] = aten.mul.Tensor(%a, 2)
  %d : f32[2] = aten.mul.Tensor(%b, 2)
  %e : f32[2] = aten.add.Tensor(%c, %x)
  return (%c, %d, %e)
}
# einsum of one operand without a sum is a view.
# pipeline: simplify
# pipeline: propagate_types,simplify
# pipeline: propagate_types,eliminate_common_subexpressions
graph(%x : f32[3, 3]) {
  %c = aten.clone.default(%x)
  %d = aten.clone.default(%x)
  %e = aten.clone.default(%x)
  %a = aten.einsum.default("ii->i", [%c])
  %b = aten.einsum.default("ij->ji", [%d])
  %s = aten.einsum.default("ij->i", [%e])
  return (%a, %b, %s)
}
# Dropout of a tensor without elements is that tensor.
# pipeline: reinplace
graph(%x : f32[2, 3]) {
  %e : f32[2, 3] = aten.exp.default(%x)
  %s = aten.slice.Tensor(%e, 0, 2, 9)
  %d = aten.dropout.default(%s, 0.5, True)
  %f = aten.alpha_dropout.default(%s, 0.5, True)
  %r : f32[2, 3] = aten.relu.default(%e)
  return (%r, %d, %f)
}
# `set_data` and `x.data = y` make tensors share memory.
# pipeline: eliminate_common_subexpressions
# pipeline: eliminate_common_subexpressions,eliminate_dead_code,simplify
graph(%x : f32[4], %y : f32[4]) {
  %a : f32[4] = aten.neg.default(%x)
  %b : f32[4] = aten.exp.default(%y)
  %q = aten.set_data.default(%a, %b)
  %z : f32[4] = aten.alias.default(%a)
  %s : f32[4] = aten.sin.default(%z)
  %w : f32[4] = aten.add_.Tensor(%b, 1)
  %t : f32[4] = aten.sin.default(%z)
  %r : f32[4] = aten.sub.Tensor(%s, %t)
  return %r
}
# pipeline: eliminate_common_subexpressions
graph(%x : f32[4], %y : f32[4]) {
  %a : f32[4] = aten.neg.default(%x)
  %b : f32[4] = aten.exp.default(%y)
  %q = builtins.setattr(%a, "data", %b)
  %s : f32[4] = aten.sin.default(%a)
  %w : f32[4] = aten.mul_.Tensor(%b, 2)
  %t : f32[4] = aten.sin.default(%a)
  %r : f32[4] = aten.sub.Tensor(%s, %t)
  return %r
}
# A list that stores a tensor shares memory with it.
# pipeline: eliminate_common_subexpressions
graph(%x : f32[4], %y : f32[4]) {
  %a : f32[4] = aten.neg.default(%x)
  %b : f32[4] = aten.exp.default(%y)
  %l = builtins.list([%a, %a])
  %q = operator.setitem(%l, 0, %b)
  %z = operator.getitem(%l, 0)
  %s : f32[4] = aten.sin.default(%z)
  %w : f32[4] = aten.add_.Tensor(%b, 1)
  %t : f32[4] = aten.sin.default(%z)
  %r : f32[4] = aten.sub.Tensor(%s, %t)
  return %r
}
# pipeline: eliminate_common_subexpressions
graph(%x : f32[4], %y : f32[4]) {
  %a : f32[4] = aten.neg.default(%x)
  %b : f32[4] = aten.exp.default(%y)
  %l = builtins.list([%a])
  %q = operator.iadd(%l, [%b])
  %z = operator.getitem(%l, 1)
  %s : f32[4] = aten.sin.default(%z)
  %w : f32[4] = aten.add_.Tensor(%b, 1)
  %t : f32[4] = aten.sin.default(%z)
  %r : f32[4] = aten.sub.Tensor(%s, %t)
  return %r
}
# pipeline: eliminate_common_subexpressions
graph(%x : f32[4], %y : f32[4]) {
  %b : f32[4] = aten.exp.default(%y)
  %d = builtins.dict()
  %q = operator.setitem(%d, "key", %b)
  %z = operator.getitem(%d, "key")
  %s : f32[4] = aten.sin.default(%z)
  %w : f32[4] = aten.add_.Tensor(%b, 1)
  %t : f32[4] = aten.sin.default(%z)
  %r : f32[4] = aten.sub.Tensor(%s, %t)
  return %r
}
# pipeline: eliminate_common_subexpressions
graph(%x : f32[4], %y : f32[4]) {
  %a : f32[4] = aten.neg.default(%x)
  %b : f32[4] = aten.exp.default(%y)
  %l = aten.split.Tensor(%a, 2)
  %m = builtins.list(%l)
  %q = call_method insert(%m, 0, %b)
  %z = operator.getitem(%m, 0)
  %s : f32[4] = aten.sin.default(%z)
  %w : f32[4] = aten.add_.Tensor(%b, 1)
  %t : f32[4] = aten.sin.default(%z)
  %r : f32[4] = aten.sub.Tensor(%s, %t)
  return %r
}
# A nested graph stores one operand in another.
# pipeline: eliminate_common_subexpressions
graph(%p : b8[], %x : f32[4], %y : f32[4]) {
  graph @t(%u : f32[4], %v : f32[4]) {
    %q = aten.set_data.default(%u, %v)
    %n : f32[4] = aten.neg.default(%u)
    return (%n,)
  }
  graph @f(%u : f32[4], %v : f32[4]) {
    %q = aten.set_data.default(%u, %v)
    %n : f32[4] = aten.exp.default(%u)
    return (%n,)
  }
  %a : f32[4] = aten.neg.default(%x)
  %b : f32[4] = aten.exp.default(%y)
  %c : (f32[4],) = higher_order.cond(%p, @t, @f, (%a, %b))
  %n : f32[4] = operator.getitem(%c, 0)
  %s : f32[4] = aten.sin.default(%a)
  %w : f32[4] = aten.add_.Tensor(%b, 1)
  %t : f32[4] = aten.sin.default(%a)
  %r : f32[4] = aten.sub.Tensor(%s, %t)
  return (%n, %r)
}
