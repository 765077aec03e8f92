# RUN: fxcpp opt %s --passes propagate_types | FileCheck %s
# Operators that compute through other kernels have the strides of these: a 1-d pool is a 2-d pool, whose
# result has the memory format of the input; mvlgamma is a sum, whose result is row-major.
graph(%x : f32[6, 12, 4][48, 1, 12], %r : f32[6, 12, 4], %c : c64[2, 1, 3][3, 7, 1], %e : f32[2, 3][1, 2], %o : f32[3, 1][1, 7], %s : f32[1, 1, 2, 1][1, 0, 3, 0]) {
  # CHECK: %avg : f32[6, 12, 2][24, 1, 12]
  %avg = aten.avg_pool1d.default(%x, [2])
  # CHECK: %avg_1 : f32[6, 12, 2] =
  %avg_1 = aten.avg_pool1d.default(%r, [2])
  # CHECK: %adaptive : f32[6, 12, 1][12, 1, 12]
  %adaptive = aten.adaptive_avg_pool1d.default(%x, [1])
  # CHECK: %max : (f32[6, 12, 2][24, 1, 12], i64[6, 12, 2][24, 1, 12])
  %max = aten.adaptive_max_pool1d.default(%x, [2])
  # CHECK: %indices : (f32[6, 12, 2][24, 1, 12], i64[6, 12, 2][24, 1, 12])
  %indices = aten.max_pool1d_with_indices.default(%x, [2])
  # CHECK: %pool : f32[6, 12, 2] =
  %pool = aten.max_pool1d.default(%x, [2])
  # CHECK: %isinf : b8[2, 1, 3][3, 6, 1]
  %isinf = aten.isinf.default(%c)
  # CHECK: %gamma : f32[2, 3] =
  %gamma = aten.mvlgamma.default(%e, 2)
  # CHECK: %multi : f32[2, 3] =
  %multi = aten.special_multigammaln.default(%e, 2)
  # CHECK: %degrees : f32[3, 1][1, 7]
  %degrees = aten.rad2deg.default(%o)
  # CHECK: %ndtr : f32[1, 1, 2, 1] =
  %ndtr = aten.special_ndtr.default(%s)
  return (%avg, %avg_1, %adaptive, %max, %indices, %pool, %isinf, %gamma, %multi, %degrees, %ndtr)
}
