# Calls that use a list of tensors other than by a constant index receive a list of the current items,
# without the results that only the functional form has: %r has three results, and the form five.
# RUN: sed '/UNUSED$/d' %s > %t.0 && fxcpp opt %t.0 --passes propagate_types,functionalize | FileCheck %s
# A list of an unknown number of items, and an item that a slice may contain:
# RUN: sed '/UNUSED$/d; s/%%list, 2)/%%list, %%n)/' %s > %t.1 && not fxcpp opt %t.1 --passes functionalize 2>&1 | FileCheck --check-prefix=COUNT %s
# RUN: sed 's/ UNUSED$/%%w = aten.add_.Tensor(%%z, 1)/' %s > %t.2 && not fxcpp opt %t.2 --passes propagate_types,functionalize 2>&1 | FileCheck --check-prefix=UNUSED %s

# COUNT: needed to determine its number of items
# UNUSED: writes to node z (operator.getitem), which may be a view or a copy
graph(%x : f32[2, 3, 4], %m : f32[3], %v : f32[3], %n : int) {
  # CHECK: %[[R:[a-z_]+]] : {{.*}} = aten._native_batch_norm_legit_functional.default(
  # CHECK: %g : f32[3] = operator.getitem(%[[R]], 2)
  # CHECK: %h : {{.*}} = operator.getitem((%[[A:[a-z_0-9]+]], %[[B:[a-z_0-9]+]], %g), slice(1, None, None))
  %r = aten._native_batch_norm_legit.default(%x, None, None, %m, %v, True, 0.1, 1e-5)
  %g = operator.getitem(%r, -1)
  %h = operator.getitem(%r, slice(1, None, None))
  %c = aten.clone.default(%x)
  %s = aten.split.Tensor(%c, 1)
  # CHECK: %[[SUM:[a-z_0-9]+]] : f32[2, 3, 4] = aten.add.Tensor(%c, 1)
  # CHECK: %[[FIRST:[a-z_0-9]+]] : f32[1, 3, 4] = aten.slice.Tensor(%[[SUM]], 0, 0, 1)
  # CHECK: %[[SECOND:[a-z_0-9]+]] : f32[1, 3, 4]{offset=12} = aten.slice.Tensor(%[[SUM]], 0, 1, 2)
  # CHECK: %p : {{.*}} = operator.getitem([%[[FIRST]], %[[SECOND]]], slice(0, 1, None))
  # CHECK: %q = operator.getitem([%[[FIRST]], %[[SECOND]]], %n)
  %w1 = aten.add_.Tensor(%c, 1)
  %p = operator.getitem(%s, slice(0, 1, None))
  %q = operator.getitem(%s, %n)
  # Lists of unknown length: see COUNT.
  %d = aten.clone.default(%x)
  %list = aten.alias.default(%d)
  %u = aten.split.Tensor(%list, 2)
  %w2 = aten.add_.Tensor(%d, 1)
  %e = operator.getitem(%u, -1)
  # A slice contains an item that no call has used: see UNUSED.
  %y = aten.split_copy.Tensor(%x, 1)
  %t = operator.getitem(%y, slice(0, 1, None))
  %z = operator.getitem(%y, 0)
  # Calls that return None: the functional form returns a list.
  # CHECK: %[[FOREACH:[a-z_0-9]+]] : [f32[2, 3, 4]] = aten._foreach_neg.default([%{{.*}}])
  # CHECK: %[[O:[a-z_0-9]+]] : f32[2, 3, 4] = operator.getitem(%[[FOREACH]], 0)
  # CHECK: aten._foreach_add.Scalar([%[[O]]], 2)
  # CHECK: aten._foreach_add.Scalar(
  # CHECK: return ({{.*}}, None, None, (%[[A]], %[[B]], %g))
  %o = aten.clone.default(%x)
  %f = aten._foreach_neg_.default([%o])
  %k = aten._foreach_add_.Scalar([%o, %o], 2)
  UNUSED
  return (%g, %h, %p, %q, %e, %t, %z, %o, %f, %k, %r)
}
