# RUN: fxcpp shape %s | FileCheck %s
# The dense form has no offsets, so its other arguments are one position earlier.
# CHECK: any : f32[8, 5]
# CHECK: dense : f32[8, 5]
graph(%grad : f32[3, 5], %indices : i64[6], %offsets : i64[3], %map : i64[6], %sizes : i64[3], %maxima : i64[3]) {
  %any = aten._embedding_bag_backward.default(%grad, %indices, %offsets, %map, %sizes, %maxima, 8, False, 0, False, None, -1)
  %dense = aten._embedding_bag_dense_backward.default(%grad, %indices, %map, %sizes, %maxima, 8, False, 0, None, -1)
  return (%any, %dense)
}
