# RUN: not fxcpp shape %s | FileCheck %s
# faults/13-index-checks: sizes of indices and sources that eager mode refuses.

# CHECK: error at %a {{.*}}2 indices for a source
# CHECK: error at %c {{.*}}the index's size 7 in dimension 1 is above 3
# CHECK: error at %r {{.*}}a source f32[2] for f32[6, 3]
# CHECK: error at %t {{.*}}the index's size 2 in dimension 0 is above 1
# CHECK-NOT: error at %ok
graph(%x : f32[6, 3], %d : f64[2, 3], %s : f32[5, 3], %i : i64[2], %f : f32[2], %k : f32[6, 3], %big : i64[2, 7], %sb : f32[2, 7], %n : i32[2], %ii : i64[2, 3], %one : f32[1, 3], %v : f32[2]) {
  %a = aten.index_add.default(%x, 0, %i, %s)
  %c = aten.scatter.src(%x, 0, %big, %sb)
  %r = aten.index_copy.default(%x, 0, %i, %v)
  %t = aten.scatter.src(%x, 0, %ii, %one)
  %ok = aten.index_select.default(%x, 0, %n)
  return %ok
}
