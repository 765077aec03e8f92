# RUN: fxcpp opt %s --passes propagate_types --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes propagate_types,propagate_types --check-changed | FileCheck %s
# If the operand of a nested graph loses its type, the input must not keep a recorded type: the
# first graph changes the sizes of a tensor in place (1000107017). If the operand never had a type,
# the input keeps the recorded one.
graph(%y : f64[3, 1, 1], %u) {
  graph @change(%a : f64[3, 1, 1]) {
    %s : f64[3] = aten.squeeze_.default(%a)
    return [%s]
  }
  # CHECK: graph @read(%a, %u : f64[2]) {
  # CHECK-NEXT: %r = aten.relu.default(%a)
  # CHECK-NEXT: %n : f64[2] = aten.neg.default(%u)
  graph @read(%a : f64[3, 1, 1], %u : f64[2]) {
    %r : f64[3, 1, 1] = aten.relu.default(%a)
    %n : f64[2] = aten.neg.default(%u)
    return [%r, %n]
  }
  %alias : f64[3, 1, 1] = aten.alias.default(%y)
  %wrap : (f64[3],) = higher_order.wrap(@change, %alias)
  # CHECK: %silu = aten.silu.default(%alias)
  %silu : f64[3, 1, 1] = aten.silu.default(%alias)
  # CHECK-NEXT: %w = higher_order.wrap(@read, %silu, %u)
  %w : (f64[3, 1, 1], f64[2]) = higher_order.wrap(@read, %silu, %u)
  return (%wrap, %w)
}
