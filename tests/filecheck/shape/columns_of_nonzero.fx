# RUN: fxcpp opt %s --passes propagate_types | FileCheck %s
# The columns of nonzero share memory. A scalar has one column.
# CHECK: %where : [i64[u0], i64[u0]{offset=u0}] = aten.where.default(%k)
# CHECK: %numpy : [i64[u1], i64[u1]{offset=u1}, i64[u1]{offset=2*u1}] = aten.nonzero_numpy.default(%x)
# CHECK: %scalar : [i64[u2]] = aten.where.default(%s)
graph(%k : b8[2, 3], %x : f32[2, 0, 3], %s : b8[]) {
  %where = aten.where.default(%k)
  %numpy = aten.nonzero_numpy.default(%x)
  %scalar = aten.where.default(%s)
  return (%where, %numpy, %scalar)
}
