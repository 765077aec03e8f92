# RUN: fxcpp opt %s --passes simplify,eliminate_common_subexpressions --check-changed | FileCheck %s
# A call that writes may reject a tensor that is also a different operand, but accept a view of it
# (1075004082). So a nested graph keeps the views that it returns: the calls that use its results
# are in other graphs.

# CHECK-LABEL: graph(
graph(%c : b8[], %i : i64[3, 3][2, 6]{offset=3}, %k : i64[3]) {
  # CHECK: graph @yes
  # CHECK-NEXT: %v : i64[3, 3][2, 6]{offset=3} = aten.expand.default(%i, [-1, -1])
  # CHECK-NEXT: %w : i64[3, 3][2, 6]{offset=3} = aten.expand.default(%i, [-1, -1])
  # CHECK-NEXT: return [%v, %w]
  graph @yes(%i : i64[3, 3][2, 6]{offset=3}) {
    %v : i64[3, 3][2, 6]{offset=3} = aten.expand.default(%i, [-1, -1])
    %w : i64[3, 3][2, 6]{offset=3} = aten.expand.default(%i, [-1, -1])
    return [%v, %w]
  }
  graph @no(%i : i64[3, 3][2, 6]{offset=3}) {
    %v : i64[3, 3][2, 6]{offset=3} = aten.alias.default(%i)
    %w : i64[3, 3][2, 6]{offset=3} = aten.alias.default(%i)
    return [%v, %w]
  }
  %r = higher_order.cond(%c, @yes, @no, [%i])
  %a = operator.getitem(%r, 0)
  %b = operator.getitem(%r, 1)
  %p = aten.index_put_.default(%a, [%k], %i)
  %q = aten.index_put_.default(%a, [%k], %b)
  return (%p, %q)
}
