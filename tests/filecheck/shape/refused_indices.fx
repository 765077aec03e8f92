# RUN: not fxcpp shape %s | FileCheck %s
# faults/13-index-checks: indices, masks and sources that eager mode refuses.

# CHECK: error at %a {{.*}}2 indices for a source
# CHECK: error at %b {{.*}}argument source cannot be of dtype float64
# CHECK: error at %c {{.*}}the index's size 7 in dimension 1 is above 3
# CHECK: error at %e {{.*}}argument index cannot be of dtype float32
# CHECK: error at %g {{.*}}argument index cannot be of dtype float32
# CHECK: error at %h {{.*}}argument index cannot be of dtype int32
# CHECK: error at %m {{.*}}argument mask cannot be of dtype float32
# CHECK: error at %o {{.*}}argument mask cannot be of dtype float32
# CHECK: error at %p {{.*}}argument condition cannot be of dtype float32
# CHECK: error at %q {{.*}}argument mask cannot be of dtype float32
# CHECK: error at %r {{.*}}a source f32[2] for f32[6, 3]
# CHECK: error at %t {{.*}}the index's size 2 in dimension 0 is above 1
# CHECK-NOT: error at %ok
graph(%x : f32[6, 3], %d : f64[2, 3], %s : f32[5, 3], %i : i64[2], %f : f32[2], %k : f32[6, 3], %big : i64[2, 7], %sb : f32[2, 7], %n : i32[2], %ii : i64[2, 3], %one : f32[1, 3], %v : f32[2]) {
  %a = aten.index_add.default(%x, 0, %i, %s)
  %b = aten.index_add.default(%x, 0, %i, %d)
  %c = aten.scatter.src(%x, 0, %big, %sb)
  %e = aten.index_select.default(%x, 0, %f)
  %g = aten.gather.default(%x, 0, %k)
  %h = aten.take.default(%x, %n)
  %m = aten.masked_fill.Scalar(%x, %k, 0.5)
  %o = aten.masked_select.default(%x, %k)
  %p = aten.where.self(%k, %x, %x)
  %q = aten.masked_scatter.default(%x, %k, %s)
  %r = aten.index_copy.default(%x, 0, %i, %v)
  %t = aten.scatter.src(%x, 0, %ii, %one)
  %ok = aten.index_select.default(%x, 0, %n)
  return %ok
}
