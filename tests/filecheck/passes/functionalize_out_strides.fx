# RUN: fxcpp opt %s --passes functionalize | FileCheck %s
# A tensor that is passed as out= keeps its strides, which are unknown here, unless it is resized.

# CHECK: graph(
graph(%x : f64[4, 2][?], %b : f64[4, 2], %c : b8[2, 4]) {
  # CHECK: %[[SIN:.*]] : f64[4, 2] = aten.sin.default(%b)
  # CHECK-NEXT: %[[D:.*]] : f64[4, 2][?] = aten.copy.default(%d, %[[SIN]])
  %d : f64[4, 2][?] = aten.abs.default(%x)
  %o : f64[4, 2][?] = aten.sin.out(%b, out=%d)
  # CHECK: %[[COS:.*]] : f32[2, 4] = aten.cos.default(%c)
  # CHECK: %[[BASE:.*]] : f64[4, 2]{{.*}} = aten.transpose.int(
  # CHECK-NEXT: %[[E:.*]] : f64[*] = aten.copy.default(%e, %[[BASE]])
  # CHECK-NEXT: %[[T:.*]] : f64[2, 4]{{.*}} = aten.transpose.int(%[[E]], 0, 1)
  %e : f64[*] = aten.exp.default(%x)
  %t : f64[2, 4][?] = aten.transpose.int(%e, 0, 1)
  %p : f64[2, 4][?] = aten.cos.out(%c, out=%t)
  # CHECK: return (%[[D]], %[[T]])
  return (%d, %t)
}
