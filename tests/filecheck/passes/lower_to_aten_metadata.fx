# RUN: fxcpp opt %s --passes lower_to_aten | FileCheck %s
# RUN: fxcpp emit %s --to cpp | FileCheck %s --check-prefix=CPP
# faults/27-size-after-t_: sizes that are read after a call that changes them are the new ones.

# CHECK: return (4, (4, 3), 2, 5, (1, 4, 6), 4, 3, 8)
# CPP: return {4, {4, 3}, 2, 5, {1, 4, 6}, 4, 3, 8};
graph(%x : f32[3, 4], %y : f32[2, 1, 3], %z : f32[4, 6], %w : f32[2, 3, 5]) {
  %c = aten.clone.default(%x)
  %u = call_method t_(%c)
  %n = call_method size(%c, 0)
  %k = call_method size(%c)
  %d = aten.clone.default(%y)
  %v = call_method squeeze_(%d, 1)
  %r = call_method dim(%d)
  %e = aten.clone.default(%w)
  %p = call_method transpose_(%e, 0, 2)
  %q = call_method size(%e, 0)
  %f = aten.clone.default(%z)
  %g = call_method unsqueeze_(%f, 0)
  %h = builtins.getattr(%f, "shape")
  %i = call_method size(%f, 1)
  # Must not change: the size of another tensor, and a size that was read before the change.
  %o = call_method size(%x, 0)
  %l = aten.clone.default(%x)
  %a = call_method resize_(%l, 8)
  %m = call_method size(%l, 0)
  return (%n, %k, %r, %q, %h, %i, %o, %m)
}
