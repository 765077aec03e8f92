# RUN: not fxcpp shape %s | FileCheck %s
# faults/13-index-checks: eager mode rejects ten calls for the dtypes or sizes of their indices,
# masks and sources; %fill, %put, %copy and %along are additional cases. %ok, %fine and %mask are
# accepted.

# CHECK-NOT: error at %{{ok|fine|mask}}
# CHECK-DAG: error at %a {{.*}}the number of indices, 2, must match the size of the source
# CHECK-DAG: error at %b {{.*}}argument source cannot be of dtype float64 if self is of dtype float32
# CHECK-DAG: error at %c {{.*}}the index has size 7 in dimension 1; at most 3 is allowed
# CHECK-DAG: error at %e {{.*}}argument index cannot be of dtype float32
# CHECK-DAG: error at %g {{.*}}argument index cannot be of dtype float32
# CHECK-DAG: error at %h {{.*}}argument index cannot be of dtype int32
# CHECK-DAG: error at %m {{.*}}argument mask cannot be of dtype float32
# CHECK-DAG: error at %o {{.*}}argument mask cannot be of dtype float32
# CHECK-DAG: error at %p {{.*}}argument condition cannot be of dtype float32
# CHECK-DAG: error at %q {{.*}}argument mask cannot be of dtype float32
# CHECK-DAG: error at %fill {{.*}}argument index cannot be of dtype float32
# CHECK-DAG: error at %put {{.*}}indices
# CHECK-DAG: error at %copy {{.*}}argument source cannot be of dtype float64 if self is of dtype float32
# CHECK-DAG: error at %along {{.*}}argument indices cannot be of dtype float32
# CHECK-NOT: error at %{{ok|fine|mask}}
graph(%x : f32[6, 3], %d : f64[2, 3], %s : f32[5, 3], %i : i64[2], %f : f32[2], %k : f32[6, 3], %big : i64[2, 7], %sb : f32[2, 7], %n : i32[2], %l : b8[6, 3], %j : i64[2, 3]) {
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
  %fill = aten.index_fill.int_Scalar(%x, 0, %f, 1.0)
  %put = aten.index_put.default(%x, [%f], %x)
  %copy = aten.index_copy.default(%x, 0, %i, %d)
  %along = aten.take_along_dim.default(%x, %k, 0)
  %ok = aten.index_select.default(%x, 0, %n)
  %fine = aten.gather.default(%x, 0, %j)
  %mask = aten.masked_fill.Scalar(%x, %l, 0.5)
  return (%a, %b, %c, %e, %g, %h, %m, %o, %p, %q, %fill, %put, %copy, %along, %ok, %fine, %mask)
}
