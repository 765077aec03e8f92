# RUN: not fxcpp shape %s | FileCheck %s
# faults/13-index-checks: sizes of indices and sources that eager mode rejects.

# CHECK: error at %a {{.*}}the number of indices, 2, must match the size of the source
# CHECK: error at %c {{.*}}the index has size 7 in dimension 1; at most 3 is allowed
# CHECK: error at %r {{.*}}the source f32[2] must match the sizes of self f32[6, 3]
# CHECK: error at %t {{.*}}the index has size 2 in dimension 0; at most 1 is allowed
# CHECK-NOT: error at %ok
graph(%x : f32[6, 3], %d : f64[2, 3], %s : f32[5, 3], %i : i64[2], %f : f32[2], %k : f32[6, 3], %big : i64[2, 7], %sb : f32[2, 7], %n : i32[2], %ii : i64[2, 3], %one : f32[1, 3], %v : f32[2]) {
  %a = aten.index_add.default(%x, 0, %i, %s)
  %c = aten.scatter.src(%x, 0, %big, %sb)
  %r = aten.index_copy.default(%x, 0, %i, %v)
  %t = aten.scatter.src(%x, 0, %ii, %one)
  %ok = aten.index_select.default(%x, 0, %n)
  return %ok
}
