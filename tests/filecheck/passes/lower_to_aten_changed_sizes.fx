# RUN: fxcpp opt %s --passes lower_to_aten | FileCheck %s
# Sizes of tensors that a nested graph, out= or an unknown function changes.
graph(%x : f32[2, 3], %o : f32[0], %i : i64[0], %p : f32[0], %r : f32[3, 1]) {
  graph @t(%c) {
    %u = call_method t_(%c)
    %n = call_method clone(%c)
    return %n
  }
  graph @neg(%c, %o) {
    %u = torch.neg(%c, out=%o)
    return %u
  }
  # CHECK: %{{.*}} : (f32[2], i64[2]) = aten.max.dim_max(%x, 1, max=%o, max_values=%i)
  %a = torch.max(%x, 1, out=(%o, %i))
  %on = call_method size(%o, 0)
  # CHECK: = aten.nonzero.out(%x, out=%i)
  %b = torch.nonzero(%x, out=%i)
  # CHECK: aten.nonzero.default(%x)
  %e = torch.nonzero(%x, as_tuple=False)
  # CHECK: %[[CN:.*]] : int = aten.sym_size.int(%c_1, 0)
  %c = call_method clone(%x)
  %w = higher_order.wrap(@t, %c)
  %cn = call_method size(%c, 0)
  # CHECK: %pn : int = aten.numel.default(%p)
  %v = higher_order.wrap(@neg, %x, %p)
  %pn = torch.numel(%p)
  # CHECK: %rn = call_method size(%r)
  %h = torch.utils.swap_tensors(%r, %x)
  %rn = call_method size(%r)
  # CHECK: return (2, %[[CN]], %pn, %rn, %v, %w, %{{.*}})
  return (%on, %cn, %pn, %rn, %v, %w, %e)
}
