# RUN: fxcpp opt %s --passes propagate_types --check-changed | FileCheck %s
# Two results of a nested graph may be one tensor, or an operand. After a write that changes the
# sizes of one of them (out=), types of later views of the others are unknown. A result with a
# different type is a different tensor.
graph(%x : f32[4, 6], %a : f64[4, 4], %b : f64[2, 3]) {
  graph @twice(%p, %q) {
    %n = aten.neg.default(%p)
    %m = aten.neg.default(%q)
    return [%n, %n, %m]
  }
  graph @itself(%p) {
    return [%p]
  }
  %c = higher_order.wrap(@twice, %a, %b)
  %c0 = operator.getitem(%c, 0)
  %c1 = operator.getitem(%c, 1)
  %c2 = operator.getitem(%c, 2)
  %d = higher_order.wrap(@itself, %a)
  %d0 = operator.getitem(%d, 0)
  %u = aten.add.out(%x, %x, out=%c0)
  # CHECK: %s1 = aten.select.int(%c1, 1, -3)
  # CHECK: %s2 : f64[2][3] = aten.select.int(%c2, 1, -3)
  %s1 = aten.select.int(%c1, 1, -3)
  %s2 = aten.select.int(%c2, 1, -3)
  %v = aten.add.out(%x, %x, out=%d0)
  # CHECK: %s3 = aten.select.int(%a, 1, -3)
  %s3 = aten.select.int(%a, 1, -3)
  return (%s1, %s2, %s3)
}
