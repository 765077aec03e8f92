# RUN: fxcpp opt %s --passes propagate_types,simplify --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes propagate_types,propagate_types,simplify --check-changed | FileCheck %s
# Two calls to a graph return different sizes if the sizes depend on data, so the expansion is not
# removed.
graph(%x : f32[4], %y : f32[4]) {
  graph @body(%a : f32[4]) {
    # CHECK: %n : i64[u0, 1][1, u0] = aten.nonzero.default(%a)
    %n = aten.nonzero.default(%a)
    return (%n,)
  }
  # CHECK: %one : (i64[u0, 1][1, u0],) = higher_order.wrap(@body, %x)
  # CHECK: %two : (i64[u1, 1][1, u1],) = higher_order.wrap(@body, %y)
  %one = higher_order.wrap(@body, %x)
  %two = higher_order.wrap(@body, %y)
  %a = operator.getitem(%one, 0)
  %b = operator.getitem(%two, 0)
  # CHECK: %s : SymInt(u0) = aten.sym_size.int(%a, 0)
  # CHECK: %c{{.*}} = aten.expand.default(%b, [%s, 1])
  %s = aten.sym_size.int(%a, 0)
  %c = aten.expand.default(%b, [%s, 1])
  return (%c, %a)
}
