# RUN: fxcpp opt %s --passes lower_to_aten | FileCheck %s
# index_put_ accepts no more dimensions than the elements to which it writes have (1075087244), and
# rejects a value that is the tensor itself, but accepts a view of it (1076065790).
# CHECK-LABEL: graph(
graph(%x : i64[4, 3], %i : i64[2], %j : i64[], %m : b8[4, 3], %a : i64[1, 1, 2, 3], %b : i64[1, 2, 3], %c : i64[1, 1], %s : i64[s0, 2, 3], %u, %n : i64[2, 2, 3], %y : i64[1, 3], %k : i64[1]) {
  # CHECK: %[[A:.*]] : i64[1, 2, 3] = aten.select.int(%a, 0, 0)
  # CHECK-NEXT: %[[B:.*]] : i64[2, 3] = aten.select.int(%[[A]], 0, 0)
  # CHECK-NEXT: aten.index_put_.default(%x, [%i], %[[B]])
  %p = operator.setitem(%x, %i, %a)
  # CHECK: %[[C:.*]] : i64[1] = aten.select.int(%c, 0, 0)
  # CHECK-NEXT: %[[D:.*]] : i64[] = aten.select.int(%[[C]], 0, 0)
  # CHECK-NEXT: aten.index_put_.default(%x, [%m], %[[D]])
  %q = operator.setitem(%x, %m, %c)
  # CHECK-NEXT: operator.setitem(%x, %i, %s)
  # CHECK-NEXT: operator.setitem(%x, %i, %u)
  %r = operator.setitem(%x, %i, %s)
  %t = operator.setitem(%x, %i, %u)
  # CHECK: %[[X:.*]] : i64[3] = aten.select.int(%y, 0, 0)
  # CHECK-NEXT: aten.index_put_.default(%y, [%k], %[[X]])
  %w = operator.setitem(%y, %k, %y)
  # eager mode rejects this value, with setitem and with index_put_
  # CHECK-NEXT: aten.index_put_.default(%x, [%i], %n)
  %v = operator.setitem(%x, %i, %n)
  return ()
}
